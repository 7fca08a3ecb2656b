import assert from "node:assert/strict";
import type { LogLine } from "../../../src/types.ts";
import { RUN, TestLogs, UNIT, utf8 } from "./fixture.ts";

const MB = 1024 * 1024;

function fileCount(logs: TestLogs): number {
  return Array.from(Deno.readDirSync(logs.folder)).length;
}

Deno.test("LogWriter writes a batch 50 ms after nothing can redraw it any more, and rests when nothing more comes", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  assert.equal(logs.timer.waiting, 0);
  writer.write("stdout", utf8("one\n"), 1);
  writer.write("stdout", utf8("two\n"), 2);
  logs.timer.advance(250);
  assert.equal(fileCount(logs), 0);
  logs.timer.advance(50);
  assert.equal(Deno.readTextFileSync(logs.path("log")), "one\ntwo\n");
  logs.timer.advance(60_000);
  assert.equal(logs.timer.waiting, 0);
  writer.write("stdout", utf8("three\n"), 60_003);
  logs.timer.advance(300);
  assert.equal(Deno.readTextFileSync(logs.path("log")), "one\ntwo\nthree\n");
  writer.close();
  assert.equal(logs.timer.waiting, 0);
});

Deno.test("LogWriter writes a large batch at once", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  for (let i = 0; i < 40; i++) writer.write("stdout", utf8(`${"x".repeat(9999)}\n`), i);
  assert.ok(Deno.statSync(logs.path("log")).size >= 256 * 1024);
  writer.close();
});

Deno.test("LogWriter spends one index record on lines of the same moment", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  for (let i = 0; i < 1000; i++) writer.write("stdout", utf8(`line ${i}\n`), 7);
  writer.write("stderr", utf8("x\n"), 7);
  writer.write("stdout", utf8("y\n"), 7);
  writer.system("note", 7);
  writer.write("stdout", utf8("z\n"), 7);
  writer.close();
  assert.equal(Deno.statSync(logs.path("idx")).size, 16 + 4 * 16);
  assert.equal(logs.all().length, 1004);
});

Deno.test("LogWriter leaves no system line in an uneventful log, and no folder for an empty one", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.close();
  writer.close();
  assert.throws(() => fileCount(logs), Deno.errors.NotFound);
  assert.equal(writer.failed, undefined);
});

Deno.test("LogWriter.subscribe() hands over lines as they complete", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  const heard: LogLine[] = [];
  const leave = writer.subscribe((lines) => heard.push(...lines));
  writer.subscribe(() => {
    throw new Error("a subscriber that fails");
  });
  writer.write("stdout", utf8("one\r\ntw"), 1);
  writer.system("note", 2);
  writer.write("stdout", utf8("o\nthree"), 3);
  writer.close();
  assert.deepEqual(heard, logs.all());
  assert.deepEqual(heard.map((line) => line.text), ["one", "note", "two", "three"]);
  leave();
});

Deno.test("LogWriter drops whole oldest segments, keeps seven eighths and the numbers", async () => {
  for (const cap of [4096, 100_000, 2 * MB]) {
    await using logs = new TestLogs();
    const writer = logs.open({ maxSize: cap, onFull: "drop_old" });
    const count = Math.ceil(3.3 * cap / 100);
    for (let i = 0; i < count; i++) {
      writer.write("stdout", utf8(`${i} `.padEnd(20 + i % 60, "x") + "\n"), i);
      if (i % 500 === 0) writer.system(`note ${i}`, i);
      if (i % 97 === 0) writer.flush();
      assert.ok(writer.bytes <= cap, `${writer.bytes} bytes`);
      if (writer.firstAvailable > 0) assert.ok(writer.bytes >= cap * 7 / 8, `${writer.bytes} of ${cap}`);
    }
    writer.close();
    assert.equal(logs.store.size(UNIT, RUN), writer.bytes);
    const { firstAvailable, totalLines, truncated } = logs.store.page(UNIT, RUN, {
      from: 0,
      limit: 1,
      finalized: true,
    });
    assert.ok(truncated && firstAvailable > 0);
    assert.equal(totalLines, writer.lines);
    assert.equal(writer.droppedLines, firstAvailable);
    assert.equal(writer.firstAvailable, firstAvailable);
    const lines = logs.all();
    assert.deepEqual(lines.map((line) => line.n), lines.map((_, i) => firstAvailable + i));
    assert.ok(lines[lines.length - 1]?.text.startsWith(`${count - 1} `));
  }
});

Deno.test("LogWriter drops old output within one flood too", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: MB, onFull: "drop_old" });
  const text = Array.from({ length: 400_000 }, (_, i) => `${i}\n`).join("");
  const bytes = utf8(text);
  for (let i = 0; i < bytes.length; i += MB) writer.write("stdout", bytes.subarray(i, i + MB), 1);
  writer.close();
  const size = logs.store.size(UNIT, RUN);
  assert.ok(size <= MB && size >= MB * 7 / 8, `${size} bytes`);
  for (const line of logs.all()) assert.equal(line.text, String(line.n));
  assert.equal(logs.all()[logs.all().length - 1]?.n, 399_999);
});

Deno.test("LogWriter keeps the line that is larger than a segment", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 100_000, onFull: "drop_old" });
  writer.write("stdout", utf8("small\n"), 1);
  writer.write("stdout", utf8(`${"x".repeat(60_000)}\n`), 2);
  writer.close();
  assert.deepEqual(logs.texts().map((text) => text.length), [5, 60_000]);
});

Deno.test("LogWriter stays within a cap that is smaller than a line", async () => {
  for (const cap of [400, 1000, 5000]) {
    await using logs = new TestLogs();
    const writer = logs.open({ maxSize: cap, onFull: "drop_old" });
    for (let i = 0; i < 5; i++) writer.write("stdout", utf8(`${"x".repeat(70_000)}\n`), i);
    writer.close();
    assert.ok(logs.store.size(UNIT, RUN) <= cap, `${logs.store.size(UNIT, RUN)} of ${cap}`);
    assert.ok(logs.all().length > 0);
  }
});

Deno.test("LogWriter under drop_new stores what fits in whole lines, and says so once", async () => {
  for (const inOneChunk of [true, false]) {
    await using logs = new TestLogs();
    const writer = logs.open({ maxSize: 20_000, onFull: "drop_new" });
    const lines = Array.from({ length: 2000 }, (_, i) => `number ${i}\n`);
    if (inOneChunk) writer.write("stdout", utf8(lines.join("")), 5);
    else lines.forEach((line, i) => writer.write("stdout", utf8(line), i));
    writer.write("stdout", utf8("unfinished"), 3000);
    writer.close();
    const texts = logs.texts();
    const stored = texts.length - 1;
    assert.ok(stored > 500 && stored < 2000, `${stored} lines`);
    assert.deepEqual(texts.slice(0, stored), lines.slice(0, stored).map((line) => line.trimEnd()));
    assert.equal(
      texts[stored],
      "the log has reached 20000 bytes (log_max_size): later output is not stored",
    );
    assert.equal(writer.droppedLines, 2000 - stored + 1);
    const size = logs.store.size(UNIT, RUN);
    assert.ok(size <= 20_000 && size > 19_000, `${size} bytes`);
    assert.equal(writer.overflow, false);
  }
});

Deno.test("LogWriter under drop_new still takes system lines when it is full", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 1000, onFull: "drop_new" });
  writer.write("stdout", utf8("0123456789\n".repeat(500)), 1);
  writer.system("SIGTERM sent", 2);
  writer.close();
  assert.equal(logs.texts().pop(), "SIGTERM sent");
  assert.equal(logs.all().filter((line) => line.stream === "system").length, 2);
});

Deno.test("LogWriter under kill_task says overflow when the cap is hit", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 2000, onFull: "kill_task" });
  writer.write("stderr", utf8("x\n".repeat(100)), 1);
  assert.equal(writer.overflow, false);
  writer.write("stderr", utf8("x\n".repeat(2000)), 2);
  assert.equal(writer.overflow, true);
  writer.close();
  const system = logs.all().filter((line) => line.stream === "system").map((line) => line.text);
  assert.deepEqual(system, ["the log has reached 2000 bytes (log_max_size): the run is being stopped"]);
  assert.ok(logs.store.size(UNIT, RUN) <= 2000);
});
