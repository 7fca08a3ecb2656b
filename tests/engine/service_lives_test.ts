import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { second, service } from "../support/units.ts";

const api = { trigger: "api" } as const;

function state(t: TestEngine): string {
  return t.engine.view("s").service!.state;
}

/** Makes the database refuse what a method of its runs would store, until the result is called. */
function refuse(t: TestEngine, method: "insert" | "update"): () => void {
  const { runs } = t.store;
  const real = runs[method];
  runs[method] = () => {
    throw new Error("disk I/O error");
  };
  return () => void (runs[method] = real);
}

for (const method of ["insert", "update"] as const) {
  Deno.test(`Services tries a start again that the database refuses (${method}), with one row and one process`, async () => {
    await using t = await makeEngine({ units: [service({ name: "s", restartDelay: 500 })] });
    t.processes.only("s").exit(1);
    await settle();
    const allow = refuse(t, method);
    await t.clock.advance(5 * second);
    assert.equal(t.processes.count("s"), 1);
    assert.equal(state(t), "backing_off");
    assert.ok(t.said.some((line) => line.includes("cannot store that a service starts")));
    allow();
    await t.clock.advance(second);
    assert.equal(t.processes.alive("s").length, 1);
    assert.deepEqual(t.outcomes("s"), ["failed", "running"]);
    const [, next] = t.runs("s");
    assert.deepEqual(t.eventsOf(next!.id), ["run.created", "run.started"]);
  });

  Deno.test(`Engine.startUnit() of a service succeeds later where the database refuses (${method})`, async () => {
    await using t = await makeEngine({ units: [service({ name: "s", autostart: false })] });
    const allow = refuse(t, method);
    t.engine.startUnit("s", api);
    t.engine.restartUnit("s", api);
    await t.clock.advance(5 * second);
    assert.equal(t.processes.count("s"), 0);
    allow();
    await t.clock.advance(second);
    assert.deepEqual(t.outcomes("s"), ["running"]);
    assert.equal(t.processes.count("s"), 1);
  });
}

Deno.test("Engine.stopUnit() ends the row of a start that the database refused, once it takes it", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", autostart: false })] });
  const allow = refuse(t, "update");
  t.engine.startUnit("s", api);
  await t.clock.advance(second);
  await t.engine.stopUnit("s");
  assert.deepEqual(t.outcomes("s"), ["pending"]);
  await t.clock.advance(5 * second);
  allow();
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes("s"), ["stopped"]);
  const [run] = t.runs("s");
  assert.deepEqual(t.eventsOf(run!.id), ["run.created", "run.completed"]);
  await t.clock.advance(600 * second);
  assert.equal(t.processes.count("s"), 0);
});

Deno.test("Services lets wishes wait while the end of a life can't be stored: never two copies, and the last wish wins", async () => {
  for (const wish of ["start", "restart", "stop"] as const) {
    await using t = await makeEngine({ units: [service({ name: "s", healthyAfter: 0 })] });
    await t.clock.advance(second);
    const allow = refuse(t, "update");
    t.processes.only("s").exit(1);
    await settle();
    if (wish === "stop") void t.engine.stopUnit("s");
    else if (wish === "start") t.engine.startUnit("s", api);
    else t.engine.restartUnit("s", api);
    await t.clock.advance(10 * second);
    assert.equal(t.processes.count("s"), 1, wish);
    allow();
    await t.clock.advance(10 * second);
    assert.equal(t.processes.count("s"), wish === "stop" ? 1 : 2, wish);
    assert.equal(state(t), wish === "stop" ? "stopped" : "running");
    if (wish === "stop") continue;
    await t.engine.stopUnit("s");
    assert.equal(t.processes.alive("s").length, 0, wish);
  }
});

Deno.test("Services starts nothing that is stopped before the end of its last life is stored", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", healthyAfter: 0 })] });
  await t.clock.advance(second);
  const allow = refuse(t, "update");
  t.engine.restartUnit("s", api);
  await settle();
  void t.engine.stopUnit("s");
  allow();
  await t.clock.advance(10 * second);
  assert.equal(t.processes.count("s"), 1);
  assert.equal(state(t), "stopped");
});

Deno.test("Services starts one life where several restarts are asked for before the end of the last is stored", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", healthyAfter: 0 })] });
  await t.clock.advance(second);
  const allow = refuse(t, "update");
  t.engine.restartUnit("s", api);
  await settle();
  t.engine.restartUnit("s", api);
  allow();
  await t.clock.advance(10 * second);
  assert.equal(t.processes.count("s"), 2);
});

Deno.test("Services counts no time of a slow database as the life of a process", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", healthyAfter: 5 * second, startRetries: 0, autostart: false })],
  });
  const { runs } = t.store;
  const real = runs.update.bind(runs);
  runs.update = (run) => {
    real(run);
    if (run.status === "running") t.clock.stall(12 * second);
  };
  t.engine.startUnit("s", api);
  await t.clock.advance(800);
  t.processes.only("s").exit(1);
  await settle();
  assert.equal(state(t), "fatal");
});
