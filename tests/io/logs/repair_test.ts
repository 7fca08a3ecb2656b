import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeRecords } from "../../../src/core/log/record.ts";
import { RunReader } from "../../../src/io/logs/run_reader.ts";
import { RUN, TestLogs, UNIT, utf8 } from "./fixture.ts";

/** Three records: stdout twice at different times, stderr between; and a system line as number 1. */
function writeSmallLog(logs: TestLogs): void {
  const writer = logs.open();
  writer.write("stdout", utf8("first\n"), 10);
  writer.system("note", 20);
  writer.write("stderr", utf8("second\nthird\n"), 30);
  writer.write("stdout", utf8("fourth line\n"), 40);
  writer.close();
}

const WHOLE = ["first", "note", "second", "third", "fourth line"];

/** Cuts or extends a file to what `change` makes of it. */
function alter(path: string, change: (bytes: Uint8Array) => Uint8Array): void {
  Deno.writeFileSync(path, change(Deno.readFileSync(path)));
}

Deno.test("LogStore repairs a log that ends at any byte of its last records", async () => {
  const size = "first\nsecond\nthird\nfourth line\n".length;
  for (let length = 0; length <= size; length++) {
    await using logs = new TestLogs();
    writeSmallLog(logs);
    await logs.store.synced();
    alter(logs.path("log"), (bytes) => bytes.slice(0, length));
    const store = logs.reopened();
    const rest = "first\nsecond\nthird\nfourth line\n".slice(0, length);
    const lines = rest.split("\n");
    if (lines[lines.length - 1] === "") lines.pop();
    if (lines.length > 0) lines.splice(1, 0, "note");
    else lines.push("note");
    assert.deepEqual(logs.texts(store), lines, `${length} bytes`);
    assert.equal(new TextDecoder().decode(logs.raw(undefined, store)), rest);
    const log = Deno.readTextFileSync(logs.path("log"));
    assert.equal(log, rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`);
    // What was repaired stays: the next reader finds an index that fits.
    const before = logs.all(store);
    assert.deepEqual(new RunReader(logs.folder, "ended").lines(0, 99), before);
  }
});

Deno.test("LogStore keeps the times and streams of the records that survive", async () => {
  await using logs = new TestLogs();
  writeSmallLog(logs);
  await logs.store.synced();
  alter(logs.path("log"), (bytes) => bytes.slice(0, -3));
  const lines = logs.all(logs.reopened()).map(({ at, stream, text }) => [at, stream, text]);
  assert.deepEqual(lines.slice(0, 4), [
    [10, "stdout", "first"],
    [20, "system", "note"],
    [30, "stderr", "second"],
    [30, "stderr", "third"],
  ]);
  assert.deepEqual(lines[4]?.slice(1), ["stdout", "fourth li"]);
});

Deno.test("LogStore reads on from a log whose index ends at any byte", async () => {
  for (let length = 0; length < 16 + 3 * 16; length++) {
    await using logs = new TestLogs();
    writeSmallLog(logs);
    await logs.store.synced();
    alter(logs.path("idx"), (bytes) => bytes.slice(0, length));
    const store = logs.reopened();
    assert.deepEqual(logs.texts(store), WHOLE, `${length} bytes`);
    assert.deepEqual(logs.all(store).map((line) => line.n), [0, 1, 2, 3, 4]);
    assert.deepEqual(logs.raw(undefined, store), utf8("first\nsecond\nthird\nfourth line\n"));
  }
});

Deno.test("LogStore reads every line whatever noise is in the index", async () => {
  const noise = fc.record({
    at: fc.nat(1000),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    more: fc.uint8Array({ maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(noise, async ({ at, bytes, more }) => {
      await using logs = new TestLogs();
      const writer = logs.open();
      for (let i = 0; i < 60; i++) writer.write(i % 2 === 0 ? "stdout" : "stderr", utf8(`line ${i}\n`), i);
      writer.close();
      await logs.store.synced();
      alter(logs.path("idx"), (index) => {
        const noisy = new Uint8Array([...index, ...more]);
        bytes.forEach((byte, i) => noisy[(at + i) % noisy.length] = byte);
        return noisy;
      });
      const expected = Array.from({ length: 60 }, (_, i) => `line ${i}`);
      for (const mode of ["live", "ended"] as const) {
        const reader = new RunReader(logs.folder, mode);
        reader.firstSince(30);
        assert.ok(reader.total >= 0);
        assert.ok(reader.lines(-10, 10).length <= 10);
        assert.ok([...reader.raw()].length > 0);
      }
      assert.deepEqual(logs.texts(logs.reopened()), expected);
    }),
    { seed: 6, numRuns: 100 },
  );
});

Deno.test("LogStore reads every line and byte of a log whose index is in form but wrong", async () => {
  const wrong = [
    [{ line: 0, end: 6, at: 1, flags: 0 }, { line: 90, end: 13, at: 1, flags: 0 }, {
      line: 91,
      end: 31,
      at: 1,
      flags: 0,
    }],
    [{ line: 0, end: 19, at: 1, flags: 0 }, { line: 2, end: 31, at: 1, flags: 0 }],
    [{ line: 5, end: 25, at: 1, flags: 0 }, { line: 4, end: 31, at: 1, flags: 0 }],
    [{ line: 0, end: 25, at: 1, flags: 0 }, { line: 4, end: 9, at: 1, flags: 0 }, {
      line: 5,
      end: 31,
      at: 1,
      flags: 0,
    }],
  ];
  for (const records of wrong) {
    await using logs = new TestLogs();
    writeSmallLog(logs);
    await logs.store.synced();
    alter(logs.path("idx"), (index) => new Uint8Array([...index.slice(0, 16), ...encodeRecords(records, 0)]));
    for (const mode of ["live", "ended", "repair"] as const) {
      const reader = new RunReader(logs.folder, mode);
      assert.equal([...reader.raw()].reduce((sum, bytes) => sum + bytes.length, 0), 31, mode);
      assert.deepEqual(
        reader.lines(0, 99).filter((line) => line.stream !== "system").map((line) => line.text),
        [
          "first",
          "second",
          "third",
          "fourth line",
        ],
      );
      assert.ok(reader.total > 0);
      assert.ok(reader.firstSince(0) >= 0);
    }
  }
});

Deno.test("LogStore reads a log without an index, with the time of the file", async () => {
  await using logs = new TestLogs();
  writeSmallLog(logs);
  await logs.store.synced();
  Deno.removeSync(logs.path("idx"));
  Deno.utimeSync(logs.path("log"), 5000, 5000);
  const lines = logs.all(logs.reopened());
  assert.deepEqual(lines.map((line) => line.text), WHOLE);
  assert.deepEqual(lines.map((line) => line.at), [5_000_000, 20, 5_000_000, 5_000_000, 5_000_000]);
  assert.equal(Deno.statSync(logs.path("idx")).size, 16 + 2 * 16);
});

Deno.test("LogStore reads around a segment that is missing in the middle", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 16_384, onFull: "drop_new" });
  for (let i = 0; i < 90; i++) writer.write("stdout", utf8(`line ${i} ${"x".repeat(90)}\n`), i);
  writer.close();
  await logs.store.synced();
  const bases = Array.from(Deno.readDirSync(logs.folder), ({ name }) => name)
    .filter((name) => name.endsWith(".log")).toSorted().map((name) => parseInt(name));
  const [, , gone = 0, after = 0] = bases;
  Deno.removeSync(logs.path("log", gone));
  Deno.removeSync(logs.path("idx", gone));
  const store = logs.reopened();
  const numbers = logs.all(store).map((line) => line.n);
  const expected = Array.from({ length: 90 }, (_, i) => i).filter((n) => n < gone || n >= after);
  assert.deepEqual(numbers, expected);
  const page = store.page(UNIT, RUN, { from: gone, limit: 2, finalized: true });
  assert.deepEqual(page.lines.map((line) => line.n), [after, after + 1]);
  assert.equal(page.totalLines, 90);
  assert.equal(store.since(UNIT, RUN, 80), 80);
});

Deno.test("LogStore passes over foreign files in a run's folder", async () => {
  await using logs = new TestLogs();
  writeSmallLog(logs);
  await logs.store.synced();
  for (const name of ["core", "0.log", "000000000000.log.gz", "000000000099.idx", "x".repeat(200)]) {
    Deno.writeTextFileSync(`${logs.folder}/${name}`, "noise\n".repeat(50));
  }
  Deno.mkdirSync(`${logs.folder}/folder`);
  assert.deepEqual(logs.texts(logs.reopened()), WHOLE);
});

Deno.test("LogStore reads a log file that was never ours", async () => {
  await using logs = new TestLogs();
  Deno.mkdirSync(logs.folder, { recursive: true });
  Deno.writeFileSync(logs.path("log"), new Uint8Array(200_000).fill(120));
  Deno.writeTextFileSync(logs.path("idx"), "not an index at all, but of some length\n");
  Deno.writeTextFileSync(logs.path("sys"), "\u0000\u0001garbage\n");
  const store = logs.reopened();
  assert.deepEqual(logs.texts(store).map((text) => text.length), [65_536, 65_536, 65_536, 3392]);
  assert.equal(logs.raw(undefined, store).length, 200_000);
});

Deno.test("LogStore leaves alone the unfinished end of a log that somebody else writes", async () => {
  await using logs = new TestLogs();
  writeSmallLog(logs);
  await logs.store.synced();
  alter(logs.path("log"), (bytes) => new Uint8Array([...bytes, ...utf8("not yet ind")]));
  const before = Deno.readFileSync(logs.path("log"));
  const reader = new RunReader(logs.folder, "live");
  assert.deepEqual(reader.lines(0, 99).map((line) => line.text), WHOLE);
  assert.equal(reader.total, 5);
  assert.deepEqual(Deno.readFileSync(logs.path("log")), before);
});

Deno.test("LogStore reads in memory what it can't repair on the disk", async () => {
  await using logs = new TestLogs();
  writeSmallLog(logs);
  await logs.store.synced();
  alter(logs.path("log"), (bytes) => bytes.slice(0, -2));
  // A folder stands where the new index would be written.
  Deno.mkdirSync(`${logs.path("idx")}.new`);
  assert.deepEqual(logs.texts(logs.reopened()), [...WHOLE.slice(0, 4), "fourth lin"]);
});
