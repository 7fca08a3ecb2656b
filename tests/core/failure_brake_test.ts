import assert from "node:assert/strict";
import { FailureBrake } from "../../src/core/failure_brake.ts";

const pure = { permissions: "none" } as const;

Deno.test("FailureBrake holds back who has failed while many fail, and nobody else", pure, () => {
  const brake = new FailureBrake({ limit: 3, window: 60_000, memory: 600_000 });
  for (const key of ["a", "b"]) brake.count(key, 0);
  assert.equal(brake.retryAfter("a", 0), 0, "not many yet");
  brake.count("c", 10_000);
  assert.equal(brake.retryAfter("a", 10_000), 50);
  assert.equal(brake.retryAfter("honest", 10_000), 0);
  assert.equal(brake.retryAfter("a", 60_000), 0, "the window has moved on");
  assert.ok(brake.isSuspect("a", 60_000));
  assert.ok(!brake.isSuspect("a", 600_000));
});

Deno.test("FailureBrake.clear() forgets the failures of who has succeeded", pure, () => {
  const brake = new FailureBrake({ limit: 1, window: 60_000, memory: 600_000 });
  brake.count("a", 0);
  assert.ok(brake.retryAfter("a", 1) > 0);
  brake.clear("a");
  assert.equal(brake.retryAfter("a", 1), 0);
});
