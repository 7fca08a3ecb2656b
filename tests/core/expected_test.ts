import assert from "node:assert/strict";
import { percentile, slowAfter, successDue } from "../../src/core/expected.ts";

const pure = { permissions: "none" } as const;
const minute = 60_000;

Deno.test("percentile() is the value that a share of all does not exceed", pure, () => {
  const values = Array.from({ length: 20 }, (_, n) => 20 - n);
  assert.deepEqual([0, 0.5, 0.95, 1].map((share) => percentile(values, share)), [1, 10, 19, 20]);
  assert.equal(percentile([7], 0.95), 7);
});

Deno.test(
  "successDue() is the last success and what is expected, or the next tick and the time that a run takes",
  pure,
  () => {
    const none = { tick: undefined, durations: [] };
    assert.equal(successDue({ every: 0, last: 5, ...none }), undefined);
    assert.equal(successDue({ every: 100, last: 5, ...none }), 105);
    assert.equal(successDue({ every: "auto", last: 5, ...none }), undefined);
    assert.equal(successDue({ every: "auto", last: 5, tick: 1000, durations: [] }), 1000 + 5 * minute);
    assert.equal(successDue({ every: "auto", last: 5, tick: 1000, durations: [minute] }), 1000 + 7 * minute);
  },
);

Deno.test(
  "slowAfter() is what the task says, or three times what is usual where enough is known",
  pure,
  () => {
    const durations = Array.from({ length: 20 }, () => minute);
    assert.equal(slowAfter({ warnAfter: 5, durations }), 5);
    assert.equal(slowAfter({ warnAfter: 0, durations }), undefined);
    assert.equal(slowAfter({ warnAfter: undefined, durations }), 3 * minute);
    assert.equal(slowAfter({ warnAfter: undefined, durations: durations.slice(1) }), undefined);
    assert.equal(slowAfter({ warnAfter: undefined, durations: durations.map(() => 10) }), 5010);
  },
);
