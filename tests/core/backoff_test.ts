import assert from "node:assert/strict";
import { backoffDelay, longestRestartDelay, longestRetryDelay } from "../../src/core/backoff.ts";
import type { Backoff } from "../../src/types.ts";

const pure = { permissions: "none" } as const;

function delays(backoff: Backoff, delay: number, cap: number): number[] {
  return [1, 2, 3, 4, 5].map((n) => backoffDelay(backoff, delay, { n, cap }));
}

Deno.test("backoffDelay() stays, grows by the step or doubles, up to the cap", pure, () => {
  assert.deepEqual(delays("constant", 10, 1000), [10, 10, 10, 10, 10]);
  assert.deepEqual(delays("linear", 10, 1000), [10, 20, 30, 40, 50]);
  assert.deepEqual(delays("exponential", 10, 1000), [10, 20, 40, 80, 160]);
  assert.deepEqual(delays("exponential", 10, 50), [10, 20, 40, 50, 50]);
});

Deno.test("backoffDelay() is 0 for no delay and finite for the millionth attempt", pure, () => {
  assert.deepEqual(delays("exponential", 0, 1000), [0, 0, 0, 0, 0]);
  assert.equal(backoffDelay("exponential", 1, { n: 1_000_000, cap: longestRestartDelay }), 60_000);
  assert.equal(backoffDelay("exponential", 0, { n: 1_000_000, cap: longestRetryDelay }), 0);
});

Deno.test("backoffDelay() caps a constant delay too", pure, () => {
  assert.equal(backoffDelay("constant", 3_600_000, { n: 1, cap: longestRetryDelay }), 300_000);
});
