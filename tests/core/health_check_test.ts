import assert from "node:assert/strict";
import fc from "fast-check";
import {
  beginCheck,
  type CheckPolicy,
  type CheckVerdict,
  judge,
  pauseBefore,
  type ProbeResult,
  scriptFailure,
} from "../../src/core/health_check.ts";

const pure = { permissions: "none" } as const;
const policy: CheckPolicy = { interval: 1000, retries: 2, startPeriod: 0 };

/** Verdicts over probes given as "passed@AGE failed@AGE ...", shortened to the first letters: p, f, s. */
function verdicts(own: Partial<CheckPolicy>, probes: string, { isHealthy = false } = {}): string {
  const whole = { ...policy, ...own };
  let state = beginCheck(whole, { isHealthy });
  return probes.split(" ").map((probe) => {
    const [result, age] = probe.split("@");
    let verdict: CheckVerdict;
    [state, verdict] = judge(whole, state, { result: result as ProbeResult["result"], age: Number(age) });
    return verdict[0];
  }).join("");
}

const cases: [string, Partial<CheckPolicy>, string, string][] = [
  ["the first pass alone makes it healthy", {}, "passed@100 passed@1100 passed@2100", "pss"],
  ["more than `retries` failures in a row stop it", {}, "failed@1000 failed@2000 failed@3000", "ssf"],
  ["retries = 0 forgives nothing", { retries: 0 }, "failed@1000", "f"],
  [
    "a pass between starts the count anew",
    {},
    "passed@100 failed@1100 failed@2100 passed@3100 failed@4100 failed@5100 failed@6100",
    "psssssf",
  ],
  [
    "failures inside start_period don't count",
    { startPeriod: 5000 },
    "failed@1000 failed@2000 failed@4999 failed@5000 failed@6000 failed@7000",
    "sssssf",
  ],
  ["a pass inside start_period counts", { startPeriod: 5000 }, "failed@1000 passed@2000", "sp"],
  [
    "failures inside start_period don't count after a pass either",
    { startPeriod: 5000, retries: 0 },
    "passed@1000 failed@2000 failed@4000 failed@5000",
    "pssf",
  ],
  [
    "quick looks before it is healthy don't count: one failure in each interval does",
    { interval: 10_000, retries: 1 },
    "failed@100 failed@1000 failed@9000 failed@10000 failed@11000 failed@19000 failed@20000",
    "ssssssf",
  ],
  ["every failure counts once it is healthy", { retries: 1 }, "passed@100 failed@200 failed@300", "psf"],
  [
    "what could not be found out changes nothing",
    { retries: 1 },
    "failed@1000 unknown@2000 failed@3000",
    "ssf",
  ],
  ["what could not be found out makes nobody healthy", {}, "unknown@1000 unknown@2000", "ss"],
];
for (const [name, own, probes, expected] of cases) {
  Deno.test(`judge(): ${name}`, pure, () => assert.equal(verdicts(own, probes), expected));
}

Deno.test("beginCheck() takes over that an instance was healthy before the check came", pure, () => {
  assert.equal(verdicts({ retries: 1 }, "passed@50 failed@60 failed@70", { isHealthy: true }), "ssf");
});

Deno.test(
  "judge() never stops an instance before `retries` + 1 failures, nor after a pass among the last of them",
  pure,
  () => {
    const results = fc.array(fc.constantFrom<ProbeResult["result"]>("passed", "failed", "unknown"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.nat(4), fc.constantFrom(0, 3000), results, (retries, startPeriod, probes) => {
        const whole = { ...policy, retries, startPeriod };
        let state = beginCheck(whole, { isHealthy: false });
        let inARow = 0;
        for (const [i, result] of probes.entries()) {
          const [next, verdict] = judge(whole, state, { result, age: 1000 * (i + 1) });
          if (result === "passed") inARow = 0;
          if (result === "failed" && 1000 * (i + 1) >= startPeriod) inARow++;
          assert.equal(verdict === "failed", inARow > retries && result === "failed");
          assert.equal(verdict === "passed", next.isHealthy && !state.isHealthy);
          state = next;
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  },
);

Deno.test("pauseBefore() looks often until it is healthy, but never more often than `interval`", pure, () => {
  const pauses = (own: Partial<CheckPolicy>, isHealthy: boolean): number[] =>
    [0, 100, 300, 5000].map((age) => {
      const whole = { ...policy, ...own };
      return pauseBefore(whole, beginCheck(whole, { isHealthy }), age);
    });
  assert.deepEqual(pauses({ interval: 10_000 }, false), [100, 100, 300, 1000]);
  assert.deepEqual(pauses({ interval: 200 }, false), [100, 100, 200, 200]);
  assert.deepEqual(pauses({ interval: 50 }, false), [50, 50, 50, 50]);
  assert.deepEqual(pauses({ interval: 10_000 }, true), [10_000, 10_000, 10_000, 10_000]);
});

Deno.test("scriptFailure() is the last line that says something, else how the script ended", pure, () => {
  assert.equal(scriptFailure({ code: 1 }, "first\nno \x1b[31mreplica\x1b[0m \x07\n\n \n"), "no replica");
  assert.equal(scriptFailure({ code: 7 }, "\n"), "exit code 7");
  assert.equal(scriptFailure({ code: 137, signal: "SIGKILL" }, ""), "ended by SIGKILL");
  assert.equal(scriptFailure({ code: 125, failure: "no such user" }, "x"), "no such user");
});
