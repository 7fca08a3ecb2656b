import assert from "node:assert/strict";
import fc from "fast-check";
import type { Happening } from "../../../src/core/notices.ts";
import {
  cooldownAfter,
  type Delivery,
  deliveryOf,
  mostInDigest,
  nextBatch,
  retryOf,
} from "../../../src/core/notify/outbox.ts";

const pure = { permissions: "none" } as const;
const window = 1000;

const happening = (at: number): Happening => ({
  kind: "run.failed",
  reason: "failed",
  severity: "error",
  unit: "a",
  runId: `R${at}`,
  isFailure: true,
  title: "it failed",
  body: "",
  at,
});

/** An outbox that is told of happenings at these times; whatever is due is sent at once. */
function outboxOf(times: readonly number[]): Delivery[] {
  const rows: Delivery[] = [];
  for (const at of times) {
    const newest = rows.at(-1);
    const delivery = deliveryOf(happening(at), {
      channel: "ops",
      fingerprint: "f",
      former: newest && { delivery: newest, isWaiting: newest.dueAt > at },
      window,
      id: () => `D${rows.length}`,
    });
    const index = rows.findIndex(({ id }) => id === delivery.id);
    if (index === -1) rows.push(delivery);
    else rows[index] = delivery;
  }
  return rows;
}

const shown = (rows: readonly Delivery[]) =>
  rows.map(({ dueAt, count, isSummary }) => [dueAt, count, isSummary]);

Deno.test("deliveryOf() tells the first of a window at once, and all others when it closes", pure, () => {
  assert.deepEqual(shown(outboxOf([10])), [[10, 1, false]]);
  assert.deepEqual(shown(outboxOf([10, 20, 30, 1009])), [[10, 1, false], [1010, 4, true]]);
  assert.equal(outboxOf([10, 20, 30])[1]!.content.about, "notice");
  assert.deepEqual(outboxOf([10, 20, 30])[1]!.content, { about: "notice", happening: happening(30) });
});

Deno.test("deliveryOf() begins a new window after the old one, and when the clock was set back", pure, () => {
  assert.deepEqual(shown(outboxOf([10, 20, 1010])), [[10, 1, false], [1010, 2, true], [1010, 1, false]]);
  assert.deepEqual(shown(outboxOf([5000, 10])), [[5000, 1, false], [10, 1, false]]);
});

Deno.test("deliveryOf() adds nothing to a summary that has left", pure, () => {
  const [first, summary] = outboxOf([10, 20]);
  const next = deliveryOf(happening(30), {
    channel: "ops",
    fingerprint: "f",
    former: { delivery: summary!, isWaiting: false },
    window,
    id: () => "D9",
  });
  assert.deepEqual([next.id, next.count, next.isSummary, next.windowAt], ["D9", 3, true, first!.windowAt]);
});

Deno.test("deliveryOf() makes two messages of a storm at most, and loses nothing of its count", pure, () => {
  fc.assert(fc.property(fc.array(fc.nat(window - 1), { minLength: 2, maxLength: 50 }), (offsets) => {
    const times = offsets.toSorted((a, b) => a - b).map((offset) => 500 + offset);
    const rows = outboxOf([500, ...times]);
    assert.equal(rows.length, 2);
    assert.equal(rows[1]!.count, times.length + 1);
  }));
});

const waiting = (
  n: number,
  content: Delivery["content"] = { about: "notice", happening: happening(n) },
): Delivery => ({
  id: `D${n}`,
  channel: "ops",
  fingerprint: `f${n}`,
  content,
  windowAt: n,
  count: 1,
  isSummary: false,
  dueAt: n,
  attempts: 0,
});

Deno.test("nextBatch() sends few one by one, and many as one", pure, () => {
  const many = Array.from({ length: 1000 }, (_, n) => waiting(n));
  assert.deepEqual(nextBatch([]), []);
  assert.deepEqual(nextBatch(many.slice(0, 5)).map(({ id }) => id), ["D0"]);
  assert.equal(nextBatch(many.slice(0, 6)).length, 6);
  assert.equal(nextBatch(many).length, mostInDigest);
  const pings = many.map((_, n) =>
    waiting(n, { about: "ping", what: "start", unit: "a", runId: "R", body: "" })
  );
  assert.deepEqual(nextBatch(pings).map(({ id }) => id), ["D0"]);
});

Deno.test("retryOf() waits from one second to a minute, for as long as the budget lasts", pure, () => {
  const after = (attempts: number, now: number) =>
    retryOf({ attempts, firstTriedAt: 0 }, { now, budget: 300_000 });
  assert.deepEqual([1, 2, 3, 6, 7, 50].map((attempts) => after(attempts, 0)), [
    { at: 1000 },
    { at: 2000 },
    { at: 4000 },
    { at: 32_000 },
    { at: 60_000 },
    { at: 60_000 },
  ]);
  assert.deepEqual(after(9, 299_999), { at: 359_999 });
  assert.deepEqual(after(9, 300_000), { giveUp: "budget_spent" });
  assert.deepEqual(retryOf({ attempts: 1, firstTriedAt: 0 }, { now: 0, budget: 0 }), {
    giveUp: "budget_spent",
  });
});

Deno.test("retryOf() honours what a receiver asks for, unless it is beyond the budget", pure, () => {
  const asked = (after: number) =>
    retryOf({ attempts: 1, firstTriedAt: 0 }, { now: 0, budget: 300_000, after });
  assert.deepEqual(asked(90_000), { at: 90_000 });
  assert.deepEqual(asked(10), { at: 1000 });
  assert.deepEqual(asked(86_400_000), { giveUp: "asked_too_long" });
});

Deno.test(
  "cooldownAfter() leaves a receiver in peace that was sent five messages in ten seconds",
  pure,
  () => {
    assert.equal(cooldownAfter([0, 1, 2, 3], { now: 3 }), 0);
    assert.equal(cooldownAfter([0, 1, 2, 3, 4], { now: 4 }), 9996);
    assert.equal(cooldownAfter([0, 1, 2, 3, 4, 9000], { now: 9000 }), 1001);
    assert.equal(cooldownAfter([0, 1, 2, 3, 12_000], { now: 12_000 }), 0);
  },
);
