import assert from "node:assert/strict";
import { workerCollector } from "../../src/io/heap.ts";

Deno.test("workerCollector() collects behind a job, once a minute at most, and not when the worker has just begun", () => {
  let now = 5000;
  const at: number[] = [];
  const jobDone = workerCollector({ now: () => now, collect: () => at.push(now) });
  for (; now < 200_000; now += 7000) jobDone();
  assert.deepEqual(at, [68_000, 131_000, 194_000]);
});

Deno.test("workerCollector() leaves a program alone that was started without V8's word for it", () => {
  let now = 0;
  const jobDone = workerCollector({ now: () => now });
  now = 1e9;
  assert.doesNotThrow(jobDone);
});
