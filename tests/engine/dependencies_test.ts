import assert from "node:assert/strict";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { second, service } from "../support/units.ts";

function state(t: TestEngine, name: string): string {
  return t.engine.view(name).service!.state;
}

Deno.test("Services tells once of a long wait for dependencies, and what is waited for", async () => {
  await using t = await makeEngine({
    units: [
      service({ name: "db", startRetries: 0 }),
      service({ name: "mq", autostart: false }),
      service({ name: "app", instances: 2, dependsOn: ["db", "mq"] }),
    ],
  });
  const blocked = (): string[] => t.said.filter((line) => line.includes("is blocked"));
  t.processes.only("db").exit(1);
  await t.clock.advance(29_999);
  assert.deepEqual(blocked(), []);
  await t.clock.advance(1);
  assert.deepEqual(blocked(), ['warn service "app" is blocked: it waits for "db" (fatal), "mq" (stopped)']);
  await t.clock.advance(600 * second);
  assert.equal(blocked().length, 1);
  void t.engine.stopUnit("app");
  await t.clock.advance(600 * second);
  assert.equal(blocked().length, 1, "who is stopped waits for nothing");
});

Deno.test("Services says nothing of a wait that was short", async () => {
  await using t = await makeEngine({
    units: [service({ name: "db", healthyAfter: 29_000 }), service({ name: "app", dependsOn: ["db"] })],
  });
  await t.clock.advance(600 * second);
  assert.ok(!t.said.some((line) => line.includes("is blocked")));
  assert.equal(state(t, "app"), "running");
});

Deno.test("Services tells of a second wait as of the first", async () => {
  const units = [service({ name: "db", autostart: false }), service({ name: "app", dependsOn: ["db"] })];
  await using t = await makeEngine({
    units,
    before: (it) => it.processes.behave("app", { ignores: ["SIGTERM"] }),
  });
  const blocked = (): number => t.said.filter((line) => line.includes("is blocked")).length;
  await t.clock.advance(60 * second);
  assert.equal(blocked(), 1);
  t.engine.startUnit("app", { trigger: "api" });
  await t.reload([units[0]!]);
  await t.reload(units);
  await t.clock.advance(20 * second);
  assert.equal(state(t, "app"), "waiting");
  assert.equal(blocked(), 1);
  await t.clock.advance(60 * second);
  assert.equal(blocked(), 2);
});
