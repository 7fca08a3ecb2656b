import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, noon, second, task } from "../support/units.ts";

const hourly = "0 * * * *";

/** Names of what executes, in order of its start. */
function executing(t: TestEngine): string[] {
  return t.processes.alive().map(({ spec }) => spec.name);
}

Deno.test("StartLine lets tasks with jitter pass one at a time, by deadline, then name", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a", cron: hourly, jitter: 30 * minute }),
      task({ name: "b", cron: hourly, jitter: 20 * minute }),
      task({ name: "c", cron: hourly, jitter: 20 * minute }),
      task({ name: "free", cron: hourly }),
    ],
  });
  await t.clock.advance(60 * minute);
  assert.deepEqual(executing(t).sort(), ["b", "free"]);
  assert.deepEqual(t.runs().map(({ createdAt }) => createdAt), Array(4).fill(noon + 60 * minute));
  t.processes.only("free").exit(0);
  await settle();
  assert.deepEqual(executing(t), ["b"], "only its own end gives the gate free");
  t.processes.only("b").exit(0);
  await settle();
  assert.deepEqual(executing(t), ["c"]);
  t.processes.only("c").exit(0);
  await settle();
  assert.deepEqual(executing(t), ["a"]);
});

Deno.test("StartLine starts who waits at the gate at its deadline, beside another", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a", cron: hourly, jitter: 10 * second }),
      task({ name: "b", cron: hourly, jitter: 20 * second }),
      task({ name: "c", cron: hourly, jitter: 10 * minute }),
    ],
  });
  await t.clock.advance(60 * minute + 20 * second - 1);
  assert.deepEqual(executing(t), ["a"]);
  await t.clock.advance(1);
  assert.deepEqual(executing(t), ["a", "b"]);
  t.processes.only("a").exit(0);
  await settle();
  assert.deepEqual(executing(t), ["b"], "b holds the gate as well");
  t.processes.only("b").exit(0);
  await settle();
  assert.deepEqual(executing(t), ["c"]);
  assert.equal(t.runs("c")[0]!.startedAt, noon + 60 * minute + 20 * second);
});

Deno.test("StartLine lets runs by request, retries and catch-up past the gate", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a", cron: hourly, jitter: 30 * minute }),
      task({ name: "b", cron: hourly, jitter: 30 * minute, retryAttempts: 1, retryDelay: second }),
      task({ name: "c", jitter: 30 * minute }),
    ],
  });
  await t.clock.advance(60 * minute);
  t.processes.only("a").exit(0);
  await settle();
  t.processes.only("b").exit(1);
  await settle();
  t.engine.run("a", { trigger: "api" });
  t.engine.run("c", { trigger: "api" });
  await t.clock.advance(second);
  assert.deepEqual(executing(t), ["a", "c", "b"]);
  for (const process of t.processes.alive()) process.exit(0);
  await settle();
  t.clock.jump(2 * 60 * minute);
  await t.clock.advance(30 * second);
  assert.deepEqual(executing(t), ["a", "b"]);
});

Deno.test("Engine.stopRun() ends a run that waits at the gate, and a reload keeps it there", async () => {
  const units = [
    task({ name: "a", cron: hourly, jitter: 30 * minute }),
    task({ name: "b", cron: hourly, jitter: 30 * minute }),
  ];
  await using t = await makeEngine({ units });
  await t.clock.advance(60 * minute);
  await t.reload(units.map((unit) => ({ ...unit, description: "changed" })));
  assert.deepEqual(executing(t), ["a"]);
  t.engine.stopRun(t.runs("b")[0]!.id);
  t.processes.only("a").exit(0);
  await settle();
  assert.deepEqual(t.outcomes(), ["success", "stopped"]);
  assert.deepEqual(executing(t), []);
});

Deno.test("StartLine starts what waited at the gate of an earlier daemon at once, four at a time", async () => {
  const units = Array.from(
    { length: 6 },
    (_, n) => task({ name: `t${n}`, cron: hourly, jitter: 30 * minute }),
  );
  await using t = await makeEngine({ units });
  await t.clock.advance(60 * minute);
  assert.deepEqual(executing(t), ["t0"]);
  await t.crash(second);
  await t.start();
  assert.deepEqual(executing(t), ["t1", "t2", "t3", "t4"]);
});

Deno.test("Bulk.stop() starts none of the runs that it stops", async () => {
  const cron = "* * * * *";
  const units = [
    task({ name: "a", cron, jitter: minute / 2 }),
    task({ name: "b", cron, jitter: minute / 2 }),
  ];
  await using t = await makeEngine({ units });
  await t.clock.advance(minute);
  t.engine.run("b", { trigger: "api" });
  const ids = t.runs("b").map(({ id }) => id);
  assert.equal(ids.length, 2);
  const asked = t.engine.bulk.stop({ ids });
  await t.clock.advance(0);
  assert.equal((await asked).affected, 2);
  assert.equal(t.processes.count("b"), 0);
  assert.deepEqual(t.outcomes("b"), ["stopped", "stopped"]);
});
