import assert from "node:assert/strict";
import { planMask } from "../../../src/core/log/mask_plan.ts";
import type { LogOnFull } from "../../../src/types.ts";
import { bytesOf, cut, piece } from "../../fuzz/pieces.ts";
import { Random } from "../../simulation/random.ts";
import { MortalLogs } from "./lives.ts";

const secret = "hello100%";

/** Output of all kinds to a log that dies now and then, and to one that doesn't. */
function play(random: Random, logs: readonly [immortal: MortalLogs, mortal: MortalLogs]): void {
  const [, mortal] = logs;
  for (let moves = 5 + random.below(40); moves > 0; moves--) {
    const wait = random.pick([0, 0, 1, 30, 60, 249, 250, 300, 2100, 6000]);
    for (const one of logs) one.pass(wait);
    if (random.oneIn(5)) mortal.die();
    if (random.oneIn(12)) { for (const one of logs) one.writer.system("said", one.now); }
    // Who reads has lines given out that could still be redrawn.
    if (random.oneIn(12)) { for (const one of logs) one.writer.flush(); }
    let chars = "";
    for (let i = 1 + random.below(10); i > 0; i--) {
      const isSecret = random.oneIn(6);
      chars += isSecret ? `${secret.slice(random.below(2), 4 + random.below(6))}\n` : piece(random);
    }
    const stream = random.oneIn(3) ? "stderr" : "stdout";
    for (const chunk of cut(random, bytesOf(chars))) {
      for (const one of logs) one.write(chunk, stream);
      if (random.oneIn(300)) mortal.die();
    }
  }
  for (const one of logs) one.writer.close();
}

Deno.test("A log whose daemon dies at any moment has the lines of one whose daemon lives", async () => {
  for (let seed = 1; seed <= 8; seed++) {
    const random = new Random(seed);
    const mask = random.oneIn(2) ? planMask([secret]) : undefined;
    await using immortal = new MortalLogs({ maxSize: 0, onFull: "drop_old", mask });
    await using mortal = new MortalLogs({ maxSize: 0, onFull: "drop_old", mask });
    play(random, [immortal, mortal]);
    assert.deepEqual(mortal.lines(), immortal.lines(), `seed ${seed}`);
  }
});

Deno.test("A log that drops old lines keeps the newest ones, whenever its daemon dies", async () => {
  for (let seed = 1; seed <= 3; seed++) {
    const random = new Random(seed);
    const options = { maxSize: 4096 * (1 + random.below(8)), onFull: "drop_old" } as const;
    await using immortal = new MortalLogs(options);
    await using mortal = new MortalLogs(options);
    play(random, [immortal, mortal]);
    const lines = mortal.lines();
    const expected = immortal.lines();
    assert.equal(mortal.writer.lines, immortal.writer.lines, `seed ${seed}: as many lines in all`);
    assert.ok(mortal.store.size("backup", "01JABCDEFGHJKMNPQRSTVWXYZ0") <= options.maxSize);
    const first = Math.max(lines[0]?.n ?? 0, expected[0]?.n ?? 0);
    const textsOf = (some: typeof lines): unknown =>
      some.filter(({ n }) => n >= first).map(({ frameCount: _, ...line }) => line);
    assert.deepEqual(textsOf(lines), textsOf(expected), `seed ${seed}`);
  }
});

Deno.test("A log that is full stays so, and has said so once, whenever its daemon dies", async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = new Random(seed);
    const onFull: LogOnFull = random.pick(["drop_new", "kill_task"]);
    const options = { maxSize: 2048 * (1 + random.below(8)), onFull };
    await using immortal = new MortalLogs(options);
    await using mortal = new MortalLogs(options);
    play(random, [immortal, mortal]);
    const isNote = ({ text }: { text: string }): boolean => text.startsWith("the log has reached");
    const lines = mortal.lines();
    const notes = lines.filter(isNote);
    assert.ok(notes.length <= 1, `seed ${seed}: said ${notes.length} times`);
    assert.deepEqual(lines.map(({ n }) => n), lines.map((_, i) => i), "numbers");
    // Segments and their records are others, so that a little more or less has found room.
    const before = (all: typeof lines): unknown[] => {
      const end = all.findIndex(isNote);
      return all.slice(0, end < 0 ? undefined : end).map(({ frameCount: _, ...line }) => line);
    };
    const [one, other] = [before(lines), before(immortal.lines())];
    const common = Math.min(one.length, other.length);
    assert.deepEqual(one.slice(0, common), other.slice(0, common), `seed ${seed}`);
    if (notes.length === 1) assert.equal(mortal.writer.overflow || onFull === "drop_new", true);
  }
});
