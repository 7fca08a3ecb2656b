import assert from "node:assert/strict";
import { planMask } from "../../../src/core/log/mask_plan.ts";
import { FRONT, MOST_TRIES, TRIES_AT } from "../../../src/core/log/journal.ts";
import type { SpoolPosition } from "../../../src/core/spool_position.ts";
import { readJournal } from "../../../src/io/logs/journal.ts";
import { UNCAPPED } from "./fixture.ts";
import { MortalLogs } from "./lives.ts";

const token = planMask(["hunter2hunter2"]);

Deno.test("LogStore.resume() has what a dead daemon had read: lines, the unfinished one, the numbers", async () => {
  await using logs = new MortalLogs();
  logs.write("one\ntwo\nthr");
  logs.write("error\n", "stderr");
  logs.die();
  const partials = logs.writer.partials().map(({ bytes }) => new TextDecoder().decode(bytes));
  assert.deepEqual(partials, ["one", "two", "error", "thr"]);
  logs.write("ee\n");
  logs.pass(400);
  logs.write("four\n");
  logs.die();
  logs.writer.endOutput();
  logs.writer.system("the end", logs.now);
  logs.writer.close();
  assert.deepEqual(logs.lines().map(({ n, text, stream, at }) => [n, text, stream, at - 1_000_000]), [
    [0, "one", "stdout", 0],
    [1, "two", "stdout", 0],
    [2, "error", "stderr", 0],
    [3, "three", "stdout", 0],
    [4, "four", "stdout", 400],
    [5, "the end", "system", 400],
  ]);
});

Deno.test("LogStore.resume() has a prompt that has stood there for hours, and bars that are drawn", async () => {
  await using logs = new MortalLogs();
  logs.write("bar\n\r50%\nnext", "stderr");
  logs.write("password: ");
  logs.pass(3_600_000);
  logs.write("\x1b[1A\r60%", "stderr");
  const live = logs.writer.regions();
  assert.deepEqual(live.map(({ rows }) => rows), [["60%", "next"]]);
  logs.die();
  assert.deepEqual(logs.writer.regions(), live);
  logs.write("\r70%", "stderr");
  logs.writer.close();
  assert.deepEqual(logs.texts(), ["bar", "50%", "password: ", "70%", "next"]);
});

Deno.test("LogWriter with a journal keeps the numbers of the daemon's own words between lines", async () => {
  await using logs = new MortalLogs();
  logs.writer.system("begun", logs.now);
  logs.write("one\ntwo");
  logs.writer.system("in between", logs.now);
  logs.write(" and more\n");
  logs.die();
  logs.writer.close();
  assert.deepEqual(logs.lines().map(({ n, text }) => [n, text]), [
    [0, "begun"],
    [1, "one"],
    [2, "in between"],
    [3, "two and more"],
  ]);
});

Deno.test("LogWriter makes its journal for itself alone, with the first output, and removes it at the end", async () => {
  await using logs = new MortalLogs();
  logs.writer.system("begun", logs.now);
  logs.pass(10_000);
  assert.equal(size(logs.journal), undefined);
  logs.write("one\n");
  assert.equal(Deno.statSync(logs.journal).mode! & 0o777, 0o600);
  logs.writer.close();
  assert.equal(size(logs.journal), undefined);
});

Deno.test("LogWriter empties its journal once all is on the disk, and gives back its file when it rests", async () => {
  await using logs = new MortalLogs();
  logs.write(`${"x".repeat(3000)}\n`);
  logs.pass(299);
  assert.ok(size(logs.journal)! > FRONT + 3000);
  logs.die();
  logs.pass(300);
  logs.pass(5000);
  assert.equal(size(logs.journal), FRONT);
  logs.write("two\n");
  logs.die();
  logs.writer.close();
  assert.deepEqual(logs.texts().map(({ length }) => length), [3000, 3]);
});

Deno.test("LogWriter bounds its journal: lines without a pause, a flood, a bar that is drawn for hours", async () => {
  await using logs = new MortalLogs();
  let most = 0;
  const look = (): number => most = Math.max(most, size(logs.journal)!);
  for (let i = 0; i < 3000; i++) {
    logs.write(`${i} ${"l".repeat(600)}\n`);
    logs.pass(10);
    look();
  }
  const flood = `${"f".repeat(99)}\n`.repeat(655);
  for (let i = 0; i < 60; i++) {
    logs.write(flood);
    look();
  }
  for (let i = 0; i < 60_000; i++) {
    logs.write(`\r${i} ${"#".repeat(i % 50)}`);
    if (i % 100 === 0) logs.pass(100);
  }
  look();
  assert.ok(most < 1.2 * 1024 * 1024, `${most} bytes`);
  logs.die();
  logs.write("\rdone");
  logs.writer.close();
  const texts = logs.texts();
  assert.equal(texts.length, 3000 + 60 * 655 + 1);
  assert.equal(texts[2999], `2999 ${"l".repeat(600)}`);
  assert.equal(texts.at(-1), `done9 ${"#".repeat(59_999 % 50)}`);
});

Deno.test("LogStore.resume() mends what a death in the midst of a batch has left", async () => {
  for (const cut of ["idx", "log", "sys"]) {
    await using logs = new MortalLogs();
    logs.write("first\n");
    logs.pass(400);
    logs.write("an error\nanother\n", "stderr");
    logs.writer.system("said", logs.now);
    logs.write("last\n");
    logs.pass(249);
    logs.writer.flush();
    const before = logs.lines();
    const meanwhile = (): void => {
      const path = `${logs.folder}/000000000000.${cut}`;
      Deno.truncateSync(path, Math.max(0, size(path)! - 7));
    };
    logs.die({ meanwhile });
    logs.writer.flush();
    assert.deepEqual(logs.lines(), before, cut);
  }
});

Deno.test("LogStore.resume() refuses a journal that is foreign or damaged, and leaves the log as it is", async () => {
  const damages: [change: (bytes: Uint8Array) => void, said: RegExp][] = [
    [(bytes) => bytes.fill(1, 0, 4), /^some of the last output may be missing here: its file is no journal$/],
    [(bytes) => bytes[60]! ^= 1, /: the journal is damaged$/],
    [(bytes) => bytes[TRIES_AT] = MOST_TRIES, /: daemons have died 3 times of reading the journal$/],
  ];
  for (const [change, said] of damages) {
    await using logs = new MortalLogs();
    logs.write("stored\n");
    logs.pass(400);
    logs.write("not yet\n");
    const meanwhile = (): void => {
      const bytes = Deno.readFileSync(logs.journal);
      change(bytes);
      Deno.writeFileSync(logs.journal, bytes);
    };
    logs.die({ meanwhile });
    assert.deepEqual(logs.texts().slice(0, 1), ["stored"]);
    assert.match(logs.texts()[1]!, said);
    assert.equal(logs.texts().length, 2);
    assert.equal(size(logs.journal), undefined);
  }
});

Deno.test("readJournal() counts the tries, so that what kills daemons doesn't do so for ever", async () => {
  await using logs = new MortalLogs();
  logs.write("not yet\n");
  for (let i = 0; i < MOST_TRIES; i++) assert.equal(typeof readJournal(logs.journal), "object");
  assert.equal(readJournal(logs.journal), "daemons have died 3 times of reading the journal");
  logs.write("nor this\n");
  logs.pass(400);
  // Who goes on has lived to do so.
  assert.equal(typeof readJournal(logs.journal), "object");
});

Deno.test("LogStore.resume() leaves a log alone that has more than its journal makes", async () => {
  await using logs = new MortalLogs();
  logs.write("one\n");
  const old = Deno.readFileSync(logs.journal);
  logs.write("two\nthree\n");
  logs.writer.flush();
  logs.die({ meanwhile: () => Deno.writeFileSync(logs.journal, old) });
  assert.deepEqual(logs.texts(), [
    "one",
    "two",
    "three",
    "some of the last 4 bytes of output may be missing here: the journal is older than the log",
  ]);
});

Deno.test("LogStore.resume() masks what the daemon had read, also what it held back", async () => {
  await using logs = new MortalLogs({ ...UNCAPPED, mask: token });
  logs.write("a hunter2");
  logs.die();
  logs.write("hunter2 b\nends with hunter2hunt");
  logs.die();
  logs.writer.close();
  assert.deepEqual(logs.texts(), ["a [redacted] b", "ends with hunter2hunt"]);
});

Deno.test("LogStore.resume() tells no secret that it doesn't know any more", async () => {
  for (const mask of [undefined, planMask(["another secret"])]) {
    await using logs = new MortalLogs({ ...UNCAPPED, mask: token });
    logs.write("stored\n");
    logs.pass(400);
    logs.write("hunter2hunter2\n");
    // Also what lies in its base.
    logs.die();
    logs.die({ options: { mask } });
    assert.deepEqual(logs.texts(), [
      "stored",
      "some of the last 11 bytes of output may be missing here: " +
      "the secrets of its unit are not known any more, so that they can't be masked",
    ]);
    assert.equal(size(logs.journal), undefined);
  }
});

Deno.test("LogWriter goes on without a journal where the disk refuses one, and with it when it doesn't", async () => {
  await using logs = new MortalLogs();
  const folder = logs.journal.replace(/\/[^/]+$/, "");
  Deno.removeSync(folder);
  logs.write("one\n");
  logs.pass(500);
  logs.write("two\n");
  Deno.mkdirSync(folder);
  logs.write("three\n");
  assert.equal(size(logs.journal), undefined);
  logs.pass(500);
  logs.write("four\n");
  assert.ok(size(logs.journal)! > 0);
  logs.die();
  logs.writer.close();
  assert.equal(logs.writer.failed, undefined);
  assert.deepEqual(logs.texts(), ["one", "two", "three", "four"]);
});

Deno.test("LogWriter begins its journal anew where somebody has removed it", async () => {
  await using logs = new MortalLogs();
  logs.write("one");
  logs.pass(10_000);
  Deno.removeSync(logs.journal);
  logs.write(" two");
  logs.pass(1000);
  logs.write(" three");
  logs.die();
  logs.writer.close();
  assert.deepEqual(logs.texts(), ["one two three"]);
});

Deno.test("LogStore.dropJournals() removes what nobody goes on with", async () => {
  await using logs = new MortalLogs();
  logs.write("one\n");
  logs.die({
    meanwhile: () => {
      Deno.renameSync(logs.journal, `${logs.journal}X`);
      Deno.writeTextFileSync(`${logs.journal}Y.new`, "");
      Deno.writeTextFileSync(`${logs.journal} Z`, "");
    },
  });
  assert.deepEqual(logs.texts(), []);
  logs.store.dropJournals();
  const left = [...Deno.readDirSync(logs.journal.replace(/\/[^/]+$/, ""))].map(({ name }) => name);
  assert.deepEqual(left, [`${logs.journal.split("/").at(-1)} Z`]);
});

Deno.test("LogStore.dropJournals() leaves those of runs that are gone on with", async () => {
  await using logs = new MortalLogs();
  logs.write("one");
  logs.die();
  logs.store.dropJournals();
  logs.write(" two");
  logs.die();
  logs.writer.close();
  assert.deepEqual(logs.texts(), ["one two"]);
});

Deno.test("LogStore.resume() tells where what was read by way of files goes on, by stream", async () => {
  await using logs = new MortalLogs();
  logs.die();
  assert.deepEqual([logs.spooled, logs.isExact], [{}, true]);
  logs.write("directly\n");
  logs.die();
  assert.deepEqual([logs.spooled, logs.isExact], [{}, true]);
  put(logs, { text: "one\ntw", position: { file: 0, offset: 6 } });
  logs.die();
  assert.deepEqual([logs.spooled, logs.isExact], [{ stdout: { file: 0, offset: 6 } }, true]);
  put(logs, { text: "o\n", position: { file: 3, offset: 5_000_000_000 } });
  put(logs, { text: "error\n", position: { file: 0, offset: 6 }, stream: "stderr" });
  const places = { stdout: { file: 3, offset: 5_000_000_000 }, stderr: { file: 0, offset: 6 } };
  logs.die();
  assert.deepEqual(logs.spooled, places);
  // With all of it on the disk, and an idle writer.
  logs.pass(20_000);
  logs.die();
  assert.deepEqual([logs.spooled, logs.isExact], [places, true]);
  logs.writer.close();
  assert.deepEqual(logs.texts(), ["directly", "one", "two", "error"]);
});

Deno.test("LogStore.resume() has a place behind a chunk of which only a part was taken", async () => {
  await using logs = new MortalLogs({ ...UNCAPPED, mask: token });
  const chunk = new TextEncoder().encode(`${"bar\n\x1b[1A\rx\n".repeat(20_000)}end\n`);
  const position = { file: 1, offset: chunk.length };
  const taken = logs.writer.writeSome("stdout", chunk, logs.now, position);
  assert.ok(taken < chunk.length);
  logs.writer.writeSome("stdout", chunk.subarray(taken), logs.now, position);
  logs.die({ options: { mask: token } });
  assert.deepEqual(logs.spooled, { stdout: position });
  logs.writer.close();
  assert.equal(logs.texts().at(-1), "end");
});

Deno.test("LogStore.resume() says that it can't tell what was read where a journal is missing", async () => {
  await using logs = new MortalLogs();
  logs.writer.system("begun", logs.now);
  logs.pass(500);
  logs.die();
  assert.equal(logs.isExact, true);
  logs.write("one\n");
  logs.pass(500);
  logs.die({ meanwhile: () => Deno.removeSync(logs.journal) });
  assert.deepEqual([logs.spooled, logs.isExact], [{}, false]);
});

Deno.test("LogWriter.leave() keeps what has begun for who goes on", async () => {
  await using logs = new MortalLogs();
  put(logs, { text: "one\nbar\r50%", position: { file: 2, offset: 11 } });
  logs.writer.leave();
  logs.writer.write("stdout", new TextEncoder().encode("after the end"), logs.now);
  logs.die();
  assert.deepEqual(logs.spooled, { stdout: { file: 2, offset: 11 } });
  logs.write("\r60%\n");
  logs.writer.close();
  assert.deepEqual(logs.texts(), ["one", "60%"]);
});

Deno.test("LogWriter keeps its journal where the disk takes no larger one beside it", async () => {
  await using logs = new MortalLogs();
  logs.write("first\n");
  Deno.mkdirSync(`${logs.journal}.new`);
  Deno.mkdirSync(`${logs.journal}.new/in the way`);
  // More than one step takes to write anew: a screen that is being drawn.
  for (let i = 0; i < 400; i++) logs.write(`\x1b[${i % 40 + 1};1Hrow ${i} ${"y".repeat(4000)}`);
  logs.die();
  assert.ok(logs.isExact);
  logs.writer.close();
  assert.equal(logs.texts()[0], "first");
  assert.ok(logs.texts().some((text) => text.startsWith("row 399 ")));
});

function put(
  logs: MortalLogs,
  { text, position, stream = "stdout" }: {
    text: string;
    position: SpoolPosition;
    stream?: "stdout" | "stderr";
  },
): void {
  const bytes = new TextEncoder().encode(text);
  assert.equal(logs.writer.writeSome(stream, bytes, logs.now, position), bytes.length);
}

function size(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch {
    return undefined;
  }
}
