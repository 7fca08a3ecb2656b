import assert from "node:assert/strict";
import { Fault } from "../../src/fault.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, second, service, task } from "../support/units.ts";

/** Whether the drain has come to its end. */
async function isDrained(t: TestEngine): Promise<boolean> {
  let isOver = false;
  void t.engine.drained.then(() => isOver = true);
  await settle();
  return isOver;
}

Deno.test("Engine.drain() waits for the runs of tasks alone, and leaves services up meanwhile", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" }), service({ name: "s" })] });
  t.engine.run("t", { trigger: "api" });
  t.engine.drain();
  assert.equal(t.engine.isScheduling, false);
  await t.clock.advance(3 * hour);
  assert.equal(await isDrained(t), false);
  t.processes.only("s").exit(1);
  await t.clock.advance(10 * second);
  assert.equal(t.processes.count("s"), 2, "a service is kept up");
  t.processes.only("t").exit(0);
  assert.equal(await isDrained(t), true);
  assert.deepEqual(t.outcomes("t"), ["success"]);
  assert.equal(t.processes.alive("s").length, 1);
  await t.stop();
  assert.equal(t.processes.alive().length, 0);
});

Deno.test("Engine.drain() has come to its end at once where no task runs", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" }), service({ name: "s" })] });
  assert.equal(await isDrained(t), false);
  t.engine.drain();
  assert.equal(await isDrained(t), true);
});

Deno.test("Engine.drain() starts nothing new, however it is asked for", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "t", cron: "* * * * *", retryAttempts: 3, retryDelay: 1000 }),
      service({ name: "s", autostart: false }),
    ],
  });
  t.engine.run("t", { trigger: "api" });
  t.engine.run("t", { trigger: "api" });
  t.engine.drain();
  for (
    const ask of [
      () => t.engine.run("t", { trigger: "api" }),
      () => t.engine.startUnit("t", { trigger: "api" }),
      () => t.engine.restartUnit("t", { trigger: "api" }),
      () => t.engine.startUnit("s", { trigger: "api" }),
      () => t.engine.reload({ dryRun: false }),
    ]
  ) {
    await assert.rejects(
      async () => await ask(),
      (error) => error instanceof Fault && error.code === "stopping",
    );
  }
  t.processes.only("t").exit(1);
  await t.clock.advance(10 * minute);
  assert.deepEqual(
    t.outcomes("t"),
    ["failed", "pending"],
    "no tick, no retry, and what waits goes on waiting",
  );
  assert.equal(await isDrained(t), true);
  t.engine.drain();
  await t.stop();

  t.processes.behave("t", { exits: 0 });
  await t.start();
  await t.clock.advance(30 * second);
  assert.deepEqual(t.outcomes("t").slice(0, 2), ["failed", "success"], "the next daemon takes it up");
});

Deno.test("Engine.stop() cuts the wait of a drain short", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.run("t", { trigger: "api" });
  t.engine.drain();
  await t.stop();
  assert.deepEqual(t.outcomes("t"), ["daemon_stopped"]);
});
