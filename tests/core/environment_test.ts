import assert from "node:assert/strict";
import { runEnvironment } from "../../src/core/environment.ts";
import { param, run, service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test(
  "runEnvironment() lays secrets over env, parameters over both, and the run's own on top",
  pure,
  () => {
    const unit = task({
      name: "t",
      env: { A: "env", B: "env", C: "env", SVC_TASK: "fake" },
      secrets: { B: "secret", C: "secret", SVC_RUN_ID: "fake" },
      params: [
        param({ kind: "env", key: "C" }),
        param({ kind: "arg", key: "D" }),
        param({ kind: "env", key: "SVC_ATTEMPT" }),
      ],
    });
    const own = run({
      id: "R1",
      trigger: "cron",
      retryAttempt: 2,
      params: { C: "param", D: "x", SVC_ATTEMPT: "fake" },
    });
    assert.deepEqual(runEnvironment(unit, own), {
      A: "env",
      B: "secret",
      C: "param",
      SVC_RUN_ID: "R1",
      SVC_TASK: "t",
      SVC_TRIGGER: "cron",
      SVC_ATTEMPT: "2",
      SVC_INSTANCE: "0",
    });
  },
);

Deno.test("runEnvironment() tells an instance of a service its number", pure, () => {
  const env = runEnvironment(service({ name: "s" }), run({ id: "R1", trigger: "service", instance: 3 }));
  assert.equal(env.SVC_INSTANCE, "3");
});
