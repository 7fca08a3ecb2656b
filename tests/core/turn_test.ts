import assert from "node:assert/strict";
import { longestTurn, Turn } from "../../src/core/turn.ts";

Deno.test("a turn is long after its time, or what is spent of it, until the event loop has gone round", async () => {
  let now = 0.5;
  const rounds: (() => void)[] = [];
  const turn = new Turn({ now: () => now, soon: (callback) => rounds.push(callback) });
  assert.equal(turn.isLong, false);
  now += longestTurn + 0.1;
  assert.equal(turn.isLong, true);
  const over = turn.end();
  assert.equal(turn.end(), over);
  assert.equal(rounds.length, 1);
  rounds.pop()!();
  await over;
  assert.equal(turn.isLong, false, "the next one has begun");
  turn.spend(longestTurn + 0.1);
  assert.equal(turn.isLong, true);
  assert.equal(rounds.length, 1);
});
