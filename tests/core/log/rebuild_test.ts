import assert from "node:assert/strict";
import fc from "fast-check";
import { rebuildIndex } from "../../../src/core/log/rebuild.ts";
import { CONTINUED, type IndexRecord, JOINED, STDERR } from "../../../src/core/log/record.ts";

const pure = { permissions: "none" } as const;
const encoder = new TextEncoder();

function rebuild(
  log: string | Uint8Array,
  options: { known?: Array<IndexRecord | undefined>; taken?: number[]; base?: number; limit?: number } = {},
) {
  const bytes = typeof log === "string" ? encoder.encode(log) : log;
  const { known = [], taken = [], base = 0, limit = Infinity } = options;
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return rebuildIndex({ base, limit, size: bytes.length, read, known, taken, at: 99 });
}

Deno.test("rebuildIndex() indexes a log without an index, around the system lines", pure, () => {
  const { records, torn } = rebuild("a\nbb\nccc\n", { taken: [0, 2, 3], base: 0 });
  assert.equal(torn, false);
  assert.deepEqual(records, [
    { line: 1, end: 2, at: 99, flags: 0 },
    { line: 4, end: 9, at: 99, flags: 0 },
  ]);
});

Deno.test("rebuildIndex() keeps the records that fit and indexes the rest behind them", pure, () => {
  const known = [{ line: 0, end: 2, at: 5, flags: STDERR }, { line: 1, end: 5, at: 6, flags: 0 }];
  const { records } = rebuild("a\nbb\nccc\n", { known });
  assert.deepEqual(records, [...known, { line: 2, end: 9, at: 99, flags: 0 }]);
});

Deno.test("rebuildIndex() bridges an unreadable record with the time of the next", pure, () => {
  const known = [
    { line: 0, end: 2, at: 5, flags: STDERR },
    undefined,
    { line: 2, end: 9, at: 7, flags: STDERR },
    { line: 3, end: 11, at: 8, flags: STDERR },
  ];
  const { records } = rebuild("a\nbb\nccc\nd\n", { known });
  assert.deepEqual(records, [known[0], { line: 1, end: 9, at: 7, flags: 0 }, known[3]]);
});

Deno.test("rebuildIndex() says that the last line is torn", pure, () => {
  const { records, torn } = rebuild("a\nbb");
  assert.equal(torn, true);
  assert.deepEqual(records, [
    { line: 0, end: 2, at: 99, flags: 0 },
    { line: 1, end: 4, at: 99, flags: JOINED },
  ]);
});

Deno.test("rebuildIndex() cuts a foreign line of more than 64 KiB", pure, () => {
  const { records } = rebuild(new Uint8Array(70_000).fill(120));
  assert.deepEqual(records.map(({ end, flags }) => [end, flags]), [[65_536, 0], [
    70_000,
    CONTINUED | JOINED,
  ]]);
});

Deno.test("rebuildIndex() leaves out lines that have no numbers before the next segment", pure, () => {
  assert.deepEqual(rebuild("a\nb\nc\n", { base: 8, limit: 10 }).records, [{
    line: 8,
    end: 4,
    at: 99,
    flags: 0,
  }]);
});

Deno.test(
  "rebuildIndex() makes an index in order that covers the log, whatever the records say",
  pure,
  () => {
    const record = fc.record({
      line: fc.nat(40),
      end: fc.nat(60),
      at: fc.nat(9),
      flags: fc.constantFrom(0, STDERR, CONTINUED, JOINED),
    });
    const known = fc.array(fc.option(record, { nil: undefined }), { maxLength: 12 });
    const log = fc.array(fc.constantFrom(10, 97), { maxLength: 50 }).map((bytes) => Uint8Array.from(bytes));
    fc.assert(
      fc.property(log, known, fc.uniqueArray(fc.nat(20), { maxLength: 5 }), (log, known, numbers) => {
        const taken = numbers.toSorted((a, b) => a - b);
        const { records } = rebuild(log, { known, taken });
        assert.equal(records[records.length - 1]?.end ?? 0, log.length);
        let line = 0;
        let end = 0;
        for (const record of records) {
          assert.ok(record.line >= line && record.end > end);
          const bytes = log.subarray(end, record.end);
          const lines = bytes.filter((b) => b === 10).length + (bytes[bytes.length - 1] === 10 ? 0 : 1);
          for (let n = record.line; n < record.line + lines; n++) assert.ok(!taken.includes(n));
          line = record.line + lines;
          end = record.end;
        }
      }),
      { seed: 4, numRuns: 1000 },
    );
  },
);
