import assert from "node:assert/strict";
import { RUN, TestLogs, UNCAPPED, UNIT, utf8 } from "./fixture.ts";

function page(logs: TestLogs, from: number, limit: number, options: { partial?: boolean } = {}) {
  return logs.store.page(UNIT, RUN, { from, limit, finalized: false, ...options });
}

function numbers(logs: TestLogs, from: number, limit: number): number[] {
  return page(logs, from, limit).lines.map((line) => line.n);
}

Deno.test("LogStore.page() gives any range, across the borders of segments and system lines", async () => {
  await using logs = new TestLogs();
  // Segments of 2048 bytes hold some fifteen of these lines each; the cap is never reached.
  const writer = logs.open({ maxSize: 16_384, onFull: "drop_new" });
  const expected: string[] = [];
  for (let i = 0; i < 100; i++) {
    const text = i % 9 === 0 ? `note ${i}` : `line ${i} ${"x".repeat(90)}`;
    if (i % 9 === 0) writer.system(text, i);
    else writer.write(i % 2 === 0 ? "stdout" : "stderr", utf8(`${text}\n`), i);
    expected.push(text);
  }
  for (const reading of ["open", "closed"]) {
    assert.ok(Array.from(Deno.readDirSync(logs.folder)).length >= 9, "several segments");
    for (let from = -105; from <= 105; from++) {
      for (const limit of [1, 7, 40, 1000]) {
        const start = Math.max(0, from < 0 ? 100 + from : from);
        const texts = page(logs, from, limit).lines.map((line) => line.text);
        assert.deepEqual(texts, expected.slice(start, start + limit), `${reading}: ${limit} from ${from}`);
      }
    }
    writer.close();
  }
  const last = page(logs, 99, 1);
  assert.deepEqual(last.lines.map(({ n, at, stream }) => [n, at, stream]), [[99, 99, "system"]]);
  assert.deepEqual([last.firstAvailable, last.totalLines, last.truncated], [0, 100, false]);
});

Deno.test("LogStore.page() of a missing log is empty", async () => {
  await using logs = new TestLogs();
  const empty = { lines: [], firstAvailable: 0, totalLines: 0, truncated: false, finalized: true };
  assert.deepEqual(logs.store.page(UNIT, RUN, { from: -1000, limit: 1000, finalized: true }), empty);
  assert.equal(logs.store.since(UNIT, RUN, 0), 0);
  assert.equal(logs.store.size(UNIT, RUN), 0);
  assert.deepEqual([...logs.store.raw(UNIT, RUN)], []);
  assert.deepEqual(await Array.fromAsync(logs.store.folders()), []);
  logs.store.remove(UNIT, RUN);
});

Deno.test("LogStore.page() sees what was written a moment ago, and unfinished lines after the last", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one\ntwo"), 1);
  logs.timer.advance(250);
  writer.write("stderr", utf8("Password: \r"), 252);
  const live = page(logs, -10, 10);
  assert.equal(live.totalLines, 1);
  assert.deepEqual(
    live.lines.map(({ n, at, stream, text }) => [n, at, stream, text]),
    [[0, 1, "stdout", "one"], [1, 1, "stdout", "two"], [2, 252, "stderr", "Password: \r"]],
  );
  assert.deepEqual(numbers(logs, -1, 1), [2]);
  assert.deepEqual(numbers(logs, -3, 2), [0, 1]);
  assert.deepEqual(numbers(logs, 1, 1), [1]);
  assert.deepEqual(numbers(logs, 2, 5), [2]);
  assert.deepEqual(page(logs, 0, 10, { partial: false }).lines.map((line) => line.text), ["one"]);
  writer.close();
  assert.deepEqual(page(logs, 0, 10).lines.map((line) => line.text), ["one", "two", "Password: \r"]);
  assert.equal(page(logs, 0, 10).totalLines, 3);
});

Deno.test("LogStore.page() holds no more than 16 MiB: the end of a tail, the beginning of a page", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  const line = new Uint8Array(60_001).fill(120);
  line[60_000] = 10;
  for (let i = 0; i < 700; i++) writer.write("stdout", line, i);
  writer.close();
  const tail = numbers(logs, -650, 1000);
  assert.equal(tail[tail.length - 1], 699);
  assert.ok(tail.length >= 278 && tail.length <= 280, `${tail.length} lines`);
  const head = numbers(logs, 10, 1000);
  assert.equal(head[0], 10);
  assert.ok(head.length >= 278 && head.length <= 281, `${head.length} lines`);
});

Deno.test("LogStore.page() refuses what isn't a whole number", async () => {
  await using logs = new TestLogs();
  assert.throws(() => page(logs, NaN, 10), RangeError);
  assert.throws(() => page(logs, 0, Infinity), RangeError);
  assert.deepEqual(numbers(logs, 0, 0), []);
});

Deno.test("LogStore.since() finds the first line at or after a time", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 8192, onFull: "drop_new" });
  for (let i = 0; i < 60; i++) {
    if (i % 10 === 5) writer.system("note", 1000 + i * 10);
    else writer.write("stdout", utf8(`${"y".repeat(60)}\n`), 1000 + i * 10);
  }
  writer.close();
  for (let i = 0; i < 60; i++) {
    assert.equal(logs.store.since(UNIT, RUN, 1000 + i * 10), i);
    assert.equal(logs.store.since(UNIT, RUN, 1000 + i * 10 - 3), i);
  }
  assert.equal(logs.store.since(UNIT, RUN, 0), 0);
  assert.equal(logs.store.since(UNIT, RUN, 9999), 60);
});

Deno.test("LogStore lists and removes runs, and passes over foreign files", async () => {
  await using logs = new TestLogs();
  const other = logs.store.writer("web.1:a_b-c", "01JOTHER", UNCAPPED);
  other.write("stdout", utf8("x\n"), 1);
  const writer = logs.open();
  writer.write("stdout", utf8("x\n"), 1);
  writer.close();
  other.close();
  Deno.writeTextFileSync(`${logs.root}/logs/README`, "");
  Deno.writeTextFileSync(`${logs.root}/logs/${UNIT}/stray`, "");
  Deno.mkdirSync(`${logs.root}/logs/.hidden/x`, { recursive: true });
  const folders = await Array.fromAsync(logs.store.folders());
  assert.deepEqual(folders.toSorted((a, b) => a.unit < b.unit ? -1 : 1), [
    { unit: UNIT, runId: RUN },
    { unit: "web.1:a_b-c", runId: "01JOTHER" },
  ]);
  assert.deepEqual(folders.map(({ unit, runId }) => logs.store.size(unit, runId)).sort(), [2 + 32, 2 + 32]);
  logs.store.remove("web.1:a_b-c", "01JOTHER");
  assert.ok(!Array.from(Deno.readDirSync(`${logs.root}/logs`), ({ name }) => name).includes("web.1:a_b-c"));
  logs.store.remove(UNIT, RUN);
  assert.deepEqual(Array.from(Deno.readDirSync(`${logs.root}/logs/${UNIT}`), ({ name }) => name), ["stray"]);
});

Deno.test("LogStore.remove() closes an open writer, whose later output goes nowhere", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("x\n"), 1);
  logs.store.remove(UNIT, RUN);
  writer.write("stdout", utf8("y\n"), 2);
  writer.system("z", 3);
  writer.flush();
  logs.timer.advance(60_000);
  assert.deepEqual(await Array.fromAsync(logs.store.folders()), []);
});

Deno.test("LogStore refuses names that could lead elsewhere", async () => {
  await using logs = new TestLogs();
  for (const name of ["..", ".", "", "a/b", "../x", "/etc", "a\0", ".a", "-a", "a\n", "ä"]) {
    assert.throws(() => logs.store.writer(name, RUN, UNCAPPED), RangeError, name);
    assert.throws(() => logs.store.writer(UNIT, name, UNCAPPED), RangeError, name);
    assert.throws(() => logs.store.page(name, RUN, { from: 0, limit: 1, finalized: false }), RangeError);
    assert.throws(() => logs.store.remove(name, RUN), RangeError);
    assert.throws(() => logs.store.remove(UNIT, name), RangeError);
    assert.throws(() => logs.store.size(name, RUN), RangeError);
  }
  assert.deepEqual(Array.from(Deno.readDirSync(logs.root)), []);
});

Deno.test("LogStore.writer() makes folders and files for the owner alone", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("x\n"), 1);
  writer.system("note", 1);
  writer.close();
  for (const path of [`${logs.root}/logs`, `${logs.root}/logs/${UNIT}`, logs.folder]) {
    assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o700, path);
  }
  for (const part of ["log", "idx", "sys"]) {
    assert.equal((Deno.statSync(logs.path(part)).mode ?? 0) & 0o777, 0o600, part);
  }
});

Deno.test("LogStore.writer() continues a log that is there, and refuses one that is open", async () => {
  await using logs = new TestLogs();
  const first = logs.open();
  first.write("stdout", utf8("one\ntwo"), 1);
  assert.throws(() => logs.open(), RangeError);
  first.close();
  const second = logs.open();
  assert.equal(second.lines, 2);
  second.system("the daemon died while this run was active", 9);
  second.close();
  assert.deepEqual(logs.texts(), ["one", "two", "the daemon died while this run was active"]);
  assert.deepEqual(logs.raw(), utf8("one\ntwo"));
});
