import assert from "node:assert/strict";
import { systemClock } from "../../src/io/clock.ts";

Deno.test("systemClock.after() does not fire a delay at once that is longer than a platform timer takes", async () => {
  let fired = false;
  const cancel = systemClock.after(2 ** 31 + 5, () => fired = true);
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
  cancel();
  assert.equal(fired, false);
});

Deno.test("systemClock.after() calls once and can be cancelled", async () => {
  const calls: string[] = [];
  const cancel = systemClock.after(1, () => calls.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => systemClock.after(3, () => (calls.push("called"), resolve())));
  assert.deepEqual(calls, ["called"]);
});
