import assert from "node:assert/strict";
import fc from "fast-check";
import {
  CONTINUED,
  decodeRecord,
  encodeHeader,
  encodeRecords,
  type IndexRecord,
  isHeader,
  JOINED,
  RECORD_SIZE,
  STDERR,
} from "../../../src/core/log/record.ts";

const pure = { permissions: "none" } as const;

Deno.test("decodeRecord() gives back what encodeRecords() took", pure, () => {
  const record: fc.Arbitrary<IndexRecord> = fc.record({
    line: fc.integer({ min: 5_000_000_000, max: 5_000_000_000 + 2 ** 32 - 1 }),
    end: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    at: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    flags: fc.constantFrom(0, STDERR, CONTINUED, JOINED, STDERR | CONTINUED | JOINED),
  }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
      const bytes = encodeRecords(records, 5_000_000_000);
      assert.equal(bytes.length, records.length * RECORD_SIZE);
      const decoded = records.map((_, i) => decodeRecord(bytes, i * RECORD_SIZE, 5_000_000_000));
      assert.deepEqual(decoded, records);
    }),
    { seed: 3, numRuns: 200 },
  );
});

Deno.test("decodeRecord() refuses every record with one byte changed, holes and short ends", pure, () => {
  const bytes = encodeRecords([{ line: 7, end: 1234, at: 1_700_000_000_123, flags: STDERR }], 0);
  for (let i = 0; i < RECORD_SIZE; i++) {
    const changed = bytes.slice();
    changed[i] = (changed[i] ?? 0) ^ 0x40;
    assert.equal(decodeRecord(changed, 0, 0), undefined, `byte ${i}`);
    assert.equal(decodeRecord(bytes.subarray(0, i), 0, 0), undefined, `${i} bytes`);
  }
  assert.equal(decodeRecord(new Uint8Array(RECORD_SIZE), 0, 0), undefined);
  assert.equal(decodeRecord(new Uint8Array(RECORD_SIZE).fill(255), 0, 0), undefined);
});

Deno.test("isHeader() knows the header of its own segment only", pure, () => {
  const header = encodeHeader(123_456_789_012);
  assert.ok(isHeader(header, 123_456_789_012));
  assert.ok(!isHeader(header, 123_456_789_013));
  assert.ok(!isHeader(header.subarray(0, 15), 123_456_789_012));
});
