import assert from "node:assert/strict";
import { type AgeClock, believedAfter, believedAtOnce, lookAtAge } from "../../src/core/age_clock.ts";
import { monotonicMs } from "../../src/core/time.ts";

const pure = { permissions: "none" } as const;
const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;
const noon = Date.UTC(2027, 0, 15, 12);

function begin(): AgeClock {
  return { time: noon, at: monotonicMs(0.5), doubtedFor: 0, ahead: 0 };
}

/** Looks each hour up to `until` (ms since the beginning), at a wall clock that is `ahead` of what went by. */
function run(state: AgeClock, from: number, until: number, ahead: number): AgeClock {
  for (let at = from; at <= until; at += hour) {
    state = lookAtAge(state, { now: noon + at + ahead, monotonic: monotonicMs(at + 0.7) });
  }
  return state;
}

Deno.test("lookAtAge() follows a clock that goes as it should, and one that is set back", pure, () => {
  assert.equal(run(begin(), hour, 5 * hour, 0).time, noon + 5 * hour);
  assert.equal(run(begin(), hour, 5 * hour, believedAtOnce).time, noon + 5 * hour + believedAtOnce);
  assert.equal(run(begin(), hour, 5 * hour, -3 * year).time, noon + 5 * hour - 3 * year);
});

Deno.test("lookAtAge() doubts a clock that leaps ahead, until it has stayed there for a day", pure, () => {
  let state = run(begin(), hour, 20 * hour, year);
  assert.equal(state.time, noon + 20 * hour);
  state = run(state, 21 * hour, 22 * hour, 0);
  assert.deepEqual([state.time, state.doubtedFor, state.ahead], [noon + 22 * hour, 0, 0]);
  state = run(state, 23 * hour, 23 * hour + believedAfter, year);
  assert.equal(state.time, noon + 23 * hour + believedAfter + year);
});

Deno.test(
  "lookAtAge() begins to doubt anew where a clock leaps on, and not where a machine sleeps at night",
  pure,
  () => {
    const leaping = run(run(begin(), hour, 20 * hour, 2 * day), 21 * hour, 40 * hour, year);
    assert.equal(leaping.time, noon + 40 * hour);
    const sleeping = run(run(begin(), hour, 20 * hour, 16 * hour), 21 * hour, 40 * hour, 32 * hour);
    assert.ok(sleeping.time > noon + 40 * hour, "a day in which it ran has confirmed it");
  },
);
