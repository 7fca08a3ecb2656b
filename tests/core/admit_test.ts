import assert from "node:assert/strict";
import fc from "fast-check";
import { admit, type Occupant } from "../../src/core/admit.ts";
import type { OnOverlap } from "../../src/types.ts";

const pure = { permissions: "none" } as const;

/** Occupants from a text: "a b!" is `a`, and `b` that is on its way out. */
function occupants(text: string): Occupant[] {
  return words(text).map((word) => ({ id: word.replace("!", ""), stopping: word.endsWith("!") }));
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

function decide(
  onOverlap: OnOverlap,
  max: number,
  now: { active?: string; waiting?: string; queueMax?: number },
): string {
  const decision = admit({ onOverlap, maxConcurrent: max, queueMax: now.queueMax ?? 100 }, {
    occupants: occupants(now.active ?? ""),
    waiting: words(now.waiting ?? ""),
  });
  if (decision.verdict === "replace") return `replace ${decision.victim}`;
  return decision.verdict === "skip" ? decision.reason : decision.verdict;
}

Deno.test("admit() starts below the limit, whatever the policy", pure, () => {
  for (const policy of ["queue", "skip", "terminate"] as const) {
    assert.equal(decide(policy, 1, {}), "start");
    assert.equal(decide(policy, 3, { active: "a b" }), "start");
  }
});

Deno.test("admit() queues at the limit up to queue_max", pure, () => {
  assert.equal(decide("queue", 1, { active: "a" }), "queue");
  assert.equal(decide("queue", 1, { active: "a", waiting: "b c", queueMax: 3 }), "queue");
  assert.equal(decide("queue", 1, { active: "a", waiting: "b c d", queueMax: 3 }), "queue_full");
  assert.equal(decide("queue", 1, { active: "a", queueMax: 0 }), "queue_full");
});

Deno.test("admit() lets nobody overtake who waits", pure, () => {
  assert.equal(decide("queue", 2, { active: "a", waiting: "b" }), "queue");
});

Deno.test("admit() skips at the limit", pure, () => {
  assert.equal(decide("skip", 1, { active: "a" }), "skipped");
  assert.equal(decide("skip", 1, { active: "a!" }), "skipped");
});

Deno.test("admit() replaces the oldest that is not on its way out already", pure, () => {
  assert.equal(decide("terminate", 1, { active: "a" }), "replace a");
  assert.equal(decide("terminate", 3, { active: "a b c" }), "replace a");
  assert.equal(decide("terminate", 3, { active: "a! b c" }), "queue");
  assert.equal(decide("terminate", 3, { active: "a! b c", waiting: "d" }), "replace b");
  assert.equal(decide("terminate", 1, { active: "a!" }), "queue");
  assert.equal(decide("terminate", 1, { active: "a!", waiting: "b" }), "replace b");
});

Deno.test("admit() never allows more than max_concurrent, and serves in order", pure, () => {
  const policy = fc.record({
    onOverlap: fc.constantFrom<OnOverlap>("queue", "skip", "terminate"),
    maxConcurrent: fc.integer({ min: 1, max: 4 }),
    queueMax: fc.integer({ min: 0, max: 4 }),
  });
  const moves = fc.array(fc.oneof(fc.constant("trigger"), fc.nat(5)), { maxLength: 60 });
  fc.assert(
    fc.property(policy, moves, (policy, moves) => {
      const active: Occupant[] = [];
      let waiting: string[] = [];
      const started: number[] = [];
      let next = 0;
      const pump = (): void => {
        while (active.length < policy.maxConcurrent && waiting.length > 0) {
          const id = waiting.shift()!;
          active.push({ id, stopping: false });
          started.push(Number(id));
        }
      };
      for (const move of moves) {
        if (typeof move === "number") {
          active.splice(move % Math.max(1, active.length), 1);
          pump();
          continue;
        }
        const id = String(next++);
        const decision = admit(policy, { occupants: active, waiting });
        if (decision.verdict === "start") {
          assert.ok(active.length < policy.maxConcurrent && waiting.length === 0);
        }
        if (decision.verdict === "skip") continue;
        waiting.push(id);
        if (decision.verdict === "replace") {
          const victim = active.find((one) => one.id === decision.victim);
          if (victim !== undefined) victim.stopping = true;
          else assert.ok(waiting.includes(decision.victim));
          waiting = waiting.filter((one) => one !== decision.victim);
        }
        pump();
        assert.ok(active.length <= policy.maxConcurrent);
        if (policy.onOverlap === "queue") assert.ok(waiting.length <= policy.queueMax);
        if (policy.onOverlap === "terminate") {
          const staying = active.filter(({ stopping }) => !stopping).length + waiting.length;
          assert.ok(staying <= policy.maxConcurrent, "what stays fits the limit once the others are gone");
        }
      }
      assert.deepEqual(started, [...started].sort((a, b) => a - b));
    }),
    { seed: 6, numRuns: 1000 },
  );
});
