import assert from "node:assert/strict";
import {
  elapsed,
  hasCome,
  later,
  type MonotonicMs,
  monotonicMs,
  type WallMs,
  wallMs,
} from "../../src/core/time.ts";

Deno.test("elapsed() is a whole number of ms, whatever the fractions of the clock", () => {
  const from = monotonicMs(1000.4);
  assert.equal(elapsed(from, monotonicMs(6000.1)), 5000);
  assert.equal(elapsed(from, later(from, 5000)), 5000);
  assert.equal(elapsed(later(from, 1), from), -1);
  assert.ok(hasCome(later(from, 5000), monotonicMs(6000.1)), "a timer may seem to fire a little too early");
  assert.ok(!hasCome(later(from, 5000), monotonicMs(5999.2)));
});

Deno.test("wallMs() and monotonicMs() don't compile with each other, nor does the latter where a number is stored", () => {
  const wall: WallMs = wallMs(12.7);
  const monotonic: MonotonicMs = monotonicMs(5.5);
  const store = (at: number): number => at;
  // @ts-expect-error: there is no difference between moments of two clocks
  const difference = wall - monotonic;
  // @ts-expect-error: neither is the one before the other
  const isBefore = wall < monotonic;
  // @ts-expect-error: a moment of one is none of the other
  const mixed: WallMs = monotonic;
  // @ts-expect-error: nor is it a number that could be stored
  store(monotonic);
  // @ts-expect-error: its fractions get into nothing by arithmetic
  const sum = monotonic + 5;
  assert.equal(store(wall), 12);
  assert.deepEqual([typeof difference, typeof isBefore, typeof mixed, typeof sum], [
    "number",
    "boolean",
    "number",
    "number",
  ]);
});
