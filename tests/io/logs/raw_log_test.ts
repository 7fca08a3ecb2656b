import assert from "node:assert/strict";
import fc from "fast-check";
import type { RawLog } from "../../../src/io/logs/raw_log.ts";
import { concat } from "../../../src/core/bytes.ts";
import { RUN, TestLogs, UNIT, utf8 } from "./fixture.ts";

async function read(raw: RawLog, start = 0, end = raw.size): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of raw.bytes({ start, end })) pieces.push(piece.slice());
  return concat(pieces);
}

Deno.test("RawLog gives any part of what the process wrote, without newlines of ours, over all segments", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 1_600_000, onFull: "drop_old" });
  const parts = [utf8("first\n"), utf8("x".repeat(300_000)), utf8("y\nerr\n"), utf8("z\n".repeat(200_000))];
  for (const [i, part] of parts.entries()) writer.write("stdout", part, i);
  writer.write("stderr", utf8("no end"), 9);
  writer.close();
  const whole = concat([...parts, utf8("no end")]);
  const raw = await logs.store.download(UNIT, RUN);
  try {
    assert.equal(raw.size, whole.length);
    assert.deepEqual(await read(raw), whole);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.nat(whole.length), async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        assert.deepEqual(await read(raw, start, end), whole.slice(start, end));
      }),
      { seed: 2, numRuns: 30 },
    );
  } finally {
    raw.close();
  }
});

Deno.test("RawLog still reads what is dropped meanwhile, and nothing of what comes later", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 80_000, onFull: "drop_old" });
  const block = (letter: string): Uint8Array => utf8(`${letter.repeat(99)}\n`.repeat(50));
  for (let i = 0; i < 10; i++) writer.write("stdout", block("a"), 0);
  const before = logs.raw();
  const raw = await logs.store.download(UNIT, RUN);
  try {
    for (let i = 0; i < 40; i++) writer.write("stdout", block("b"), 1);
    writer.flush();
    assert.ok(writer.firstAvailable > 0);
    assert.deepEqual(await read(raw), before);
  } finally {
    raw.close();
    writer.close();
  }
});

Deno.test("RawLog of a log that isn't there is empty", async () => {
  await using logs = new TestLogs();
  const raw = await logs.store.download(UNIT, RUN);
  assert.equal(raw.size, 0);
  assert.equal((await read(raw)).length, 0);
  raw.close();
});

Deno.test("RawLog is right for a damaged index, and fails where the file is cut while it is read", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one\ntwo\nthree"), 0);
  writer.close();
  Deno.writeFileSync(logs.path("idx"), new Uint8Array(160).fill(7));
  const raw = await logs.reopened().download(UNIT, RUN);
  try {
    // That the last newline was added is not known any more.
    assert.deepEqual(await read(raw), utf8("one\ntwo\nthree\n"));
    Deno.truncateSync(logs.path("log"), 2);
    await assert.rejects(read(raw), /was cut while it was read/);
  } finally {
    raw.close();
  }
});
