import assert from "node:assert/strict";
import { type GateWaiter, gateWaiterOf, mayPass, untilDeadline } from "../../src/core/jitter_gate.ts";
import { minute, noon, run, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

const one = (name: string, deadline: number): GateWaiter => ({ name, deadline });

Deno.test("gateWaiterOf() is for first runs of the schedule of a task with jitter", pure, () => {
  const spread = task({ name: "t", jitter: minute });
  assert.deepEqual(gateWaiterOf(run({ id: "R1", trigger: "cron" }), spread), one("t", noon + minute));
  assert.equal(gateWaiterOf(run({ id: "R1", trigger: "cron", retryAttempt: 1 }), spread), undefined);
  assert.equal(gateWaiterOf(run({ id: "R1", trigger: "api" }), spread), undefined);
  assert.equal(gateWaiterOf(run({ id: "R1", trigger: "cron" }), task({ name: "t" })), undefined);
});

Deno.test("mayPass() lets the first deadline through a free gate, then the first name", pure, () => {
  const [a, b, c] = [one("a", 20), one("b", 10), one("c", 10)];
  const passing = [a, b, c].filter((it) => mayPass(it, { isTaken: false, waiting: [a, b, c], now: 0 }));
  assert.deepEqual(passing, [b]);
});

Deno.test("mayPass() lets nobody through a gate that is taken before the deadline", pure, () => {
  const waiter = one("a", 10);
  const at = (now: number): boolean => mayPass(waiter, { isTaken: true, waiting: [waiter], now });
  assert.deepEqual([at(0), at(9), at(10), at(11)], [false, false, true, true]);
});

Deno.test("untilDeadline() is the time to the next one that is not past", pure, () => {
  assert.equal(untilDeadline([one("a", 5), one("b", 30), one("c", 20)], 10), 10);
  assert.equal(untilDeadline([one("a", 5)], 10), undefined);
});
