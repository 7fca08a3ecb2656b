import assert from "node:assert/strict";
import { RUN, TestLogs, UNIT, utf8 } from "./fixture.ts";

const run = { unit: UNIT, id: RUN };

/** Writes a bar that ends at 100%, 100 ms between its steps, and a line behind it. */
function drawBar(logs: TestLogs, { steps, from = 1000 }: { steps: number; from?: number }): void {
  const writer = logs.store.open(UNIT, RUN) ?? logs.open();
  for (let i = 1; i <= steps; i++) {
    writer.write("stdout", utf8(`\r${Math.round(i * 100 / steps)}%`), from + i * 100);
  }
  writer.write("stdout", utf8("\ndone\n"), from + steps * 100 + 100);
}

Deno.test("LogWriter stores the settled frame of a bar as a line, with its last change, and its earlier frames", async () => {
  await using logs = new TestLogs();
  drawBar(logs, { steps: 4 });
  assert.deepEqual(logs.texts(), []);
  logs.timer.advance(850);
  const lines = logs.all();
  assert.deepEqual(lines.map(({ n, at, text, frameCount }) => [n, at, text, frameCount]), [
    [0, 1400, "100%", 3],
    [1, 1500, "done", undefined],
  ]);
  assert.deepEqual(logs.store.frames(run, 0), [["25%"], ["50%"], ["75%"]]);
  assert.deepEqual(logs.store.frames(run, 1), []);
  logs.store.open(UNIT, RUN)?.close();
  assert.deepEqual(logs.all(logs.reopened()), lines);
  assert.deepEqual(logs.reopened().frames(run, 0), [["25%"], ["50%"], ["75%"]]);
});

Deno.test("LogWriter settles what is redrawn at the end of the run", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one\r\x1b[Ktwo"), 1);
  writer.write("stderr", utf8("\ra\nb\n\x1b[2A"), 2);
  writer.close();
  assert.deepEqual(logs.all().map(({ stream, text }) => [stream, text]), [
    ["stdout", "two"],
    ["stderr", "a"],
    ["stderr", "b"],
  ]);
  assert.deepEqual(logs.raw("stdout"), utf8("two"));
});

Deno.test("LogWriter.regions() shows what is being redrawn, and the page shows it after the last line", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  let told = 0;
  writer.watch(() => told++);
  writer.write("stdout", utf8("first\n10%"), 1);
  logs.timer.advance(250);
  assert.deepEqual([writer.regions(), told], [[], 1]);
  writer.write("stdout", utf8("\r20%\nunder"), 252);
  assert.deepEqual(writer.regions(), [{ stream: "stdout", epoch: 0, rows: ["20%", "under"] }]);
  assert.equal(told, 2);
  const page = logs.store.page(UNIT, RUN, { from: -10, limit: 10, finalized: false });
  assert.equal(page.totalLines, 1);
  assert.deepEqual(page.lines.map(({ n, text }) => [n, text]), [[0, "first"], [1, "20%"], [2, "under"]]);
  const version = writer.regionVersion;
  logs.timer.advance(250);
  assert.deepEqual(writer.regions(), []);
  assert.notEqual(writer.regionVersion, version);
  assert.deepEqual(logs.texts(), ["first", "20%"]);
  writer.write("stdout", utf8(" line\n"), 400);
  assert.deepEqual(logs.texts(), ["first", "20%", "under line"]);
  writer.close();
});

Deno.test("LogWriter waits for who draws over lines while the cursor is hidden, on either stream", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stderr", utf8("\x1b[?25l"), 1);
  writer.write("stdout", utf8("one 1\ntwo 1\n"), 2);
  logs.timer.advance(1900);
  assert.deepEqual(logs.texts(), []);
  writer.write("stdout", utf8("\x1b[2Aone 2\ntwo 2\n"), 1902);
  logs.timer.advance(1999);
  assert.deepEqual(logs.texts(), []);
  logs.timer.advance(2);
  assert.deepEqual(logs.texts(), ["one 2", "two 2"]);
  writer.close();
});

Deno.test("LogWriter keeps times in order where a settled row is older than a line of the other stream", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("a\rb\n"), 100);
  writer.write("stderr", utf8("now\n"), 200);
  logs.timer.advance(600);
  assert.deepEqual(logs.all().map(({ at, text }) => [at, text]), [[200, "now"], [200, "b"]]);
  assert.equal(logs.store.since(UNIT, RUN, 150), 0);
  writer.close();
});

Deno.test("LogStore reads on where the frames are missing, torn or noise", async () => {
  await using logs = new TestLogs();
  drawBar(logs, { steps: 3 });
  logs.store.open(UNIT, RUN)?.write("stdout", utf8("x\ry\n"), 9000);
  logs.store.open(UNIT, RUN)?.close();
  const whole = Deno.readFileSync(logs.path("frames"));
  const counts = (): Array<number | undefined> => logs.all().map(({ frameCount }) => frameCount);
  assert.deepEqual(counts(), [2, undefined, 1]);
  for (let size = 0; size < whole.length; size++) {
    Deno.writeFileSync(logs.path("frames"), whole.subarray(0, size));
    assert.deepEqual(logs.texts(), ["100%", "done", "y"]);
    for (const [n, count] of counts().entries()) assert.equal(logs.store.frames(run, n).length, count ?? 0);
    assert.equal(counts()[2], undefined);
  }
  for (let i = 0; i < whole.length; i++) {
    const noise = whole.slice();
    noise[i]! ^= 0x55;
    Deno.writeFileSync(logs.path("frames"), noise);
    assert.deepEqual(logs.texts(), ["100%", "done", "y"]);
    for (const n of [0, 1, 2]) assert.ok(logs.store.frames(run, n).length <= 2);
  }
  Deno.removeSync(logs.path("frames"));
  assert.deepEqual(counts(), [undefined, undefined, undefined]);
});

Deno.test("LogStore counts frames as bytes, and drops them with their segment", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 16_384, onFull: "drop_old" });
  drawBar(logs, { steps: 5 });
  logs.timer.advance(600);
  writer.flush();
  assert.ok((Deno.statSync(logs.path("frames")).size) > 0);
  assert.equal(logs.store.size(UNIT, RUN), writer.bytes);
  for (let i = 0; i < 400; i++) writer.write("stdout", utf8(`${"x".repeat(60)}\n`), 10_000 + i);
  writer.flush();
  assert.ok(writer.firstAvailable > 0);
  assert.ok([...Deno.readDirSync(logs.folder)].every(({ name }) => !name.endsWith("frames")));
  assert.equal(logs.store.size(UNIT, RUN), writer.bytes);
  assert.deepEqual(logs.store.frames(run, 0), []);
  writer.close();
});

Deno.test("LogWriter keeps no frames where they would take the room of lines", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 1024, onFull: "drop_new" });
  for (let i = 0; i < 40; i++) {
    writer.write("stdout", utf8(`\r${String.fromCharCode(65 + i).repeat(60 - i)}`), 1000 + i * 60);
  }
  writer.close();
  assert.equal(logs.all()[0]?.frameCount, undefined);
  assert.ok(logs.store.size(UNIT, RUN) <= 1024);
});

Deno.test("LogWriter holds a bounded part of 100 MB of carriage returns, of colours, and of a row that is redrawn", async () => {
  for (
    const unit of [
      "\r",
      "\x1b[31m\r",
      "\x1b[38;5;7mx",
      "\rabc",
      "x\b",
      "a\rb\n",
      "\x1b[999Cx\r\n",
      "\x1b[Ax\x1b[2B",
    ]
  ) {
    await using logs = new TestLogs();
    const writer = logs.open({ maxSize: 4_000_000, onFull: "drop_old" });
    const chunk = utf8(unit.repeat(Math.ceil(65_536 / unit.length)));
    // Enough to fill whatever has a bound; the slow ones need less of it.
    const chunks = unit.length > 8 || unit.includes("\n") ? 30 : 400;
    writer.write("stdout", utf8("x\r"), 0);
    const before = Deno.memoryUsage();
    for (let i = 0; i < chunks; i++) writer.write("stdout", chunk, i);
    const after = Deno.memoryUsage();
    const grown = after.external - before.external + after.heapUsed - before.heapUsed;
    assert.ok(grown < 80 * 1024 * 1024, `${JSON.stringify(unit)}: ${grown} bytes more in use`);
    assert.ok(writer.partials().reduce((sum, { bytes }) => sum + bytes.length, 0) < 1024 * 1024);
    writer.close();
    assert.ok(logs.store.size(UNIT, RUN) <= 4_000_000);
  }
});
