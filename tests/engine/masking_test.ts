import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { check, failures, second, service, task } from "../support/units.ts";

const secrets = { TOKEN: "hunter2hunter2", KEY: "first line\nsecond line\nx", SHORT: "abc" };

Deno.test("Runner stores output without the values of secrets, wherever a chunk ends", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", secrets })] });
  const run = t.engine.run("t", { trigger: "api" });
  const process = t.processes.only("t");
  assert.equal(process.spec.env.TOKEN, "hunter2hunter2", "the process has it all the same");
  process.print("a hunter2");
  process.print("err\n", "stderr");
  process.print("hunter2 b\nsecond line, abc\n");
  process.print("ends with hunter2hunt");
  process.exit(0);
  await settle();
  const { lines } = t.logs.page("t", run.id, { from: 0, limit: 10, finalized: true });
  assert.deepEqual(lines.filter(({ stream }) => stream === "stdout").map(({ text }) => text), [
    "a [redacted] b",
    "[redacted], abc",
    "ends with hunter2hunt",
  ]);
  assert.deepEqual(lines.filter(({ stream }) => stream === "stderr").map(({ text }) => text), ["err"]);
});

Deno.test("Runner judges output by what is stored", async () => {
  const unit = task({ name: "t", secrets, failures: failures("failed", "output:redacted") });
  await using t = await makeEngine({ units: [unit] });
  t.engine.run("t", { trigger: "api" });
  t.processes.only("t").print("hunter2hunter2");
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(t.outcomes(), ["failed"]);
});

Deno.test("Notifications and health checks tell no secret", async () => {
  const unit = service({
    name: "s",
    secrets,
    healthCheck: check({ kind: "run", run: "probe" }, { interval: second, retries: 0 }),
  });
  await using t = await makeEngine({ units: [unit, task({ name: "t", secrets })] });
  t.config.notify.globalNotifiers = ["inapp"];
  t.engine.run("t", { trigger: "api" });
  t.processes.only("t").print("no entry for hunter2hunter2\n");
  t.processes.only("t").exit(1);
  for (let i = 0; i < 40; i++) {
    const probe = t.processes.alive().find(({ spec }) => spec.script === "probe");
    probe?.print("wrong token hunter2hunter2\n");
    probe?.exit(1);
    await t.clock.advance(second / 10);
  }
  const told = JSON.stringify(t.engine.bell.list({ limit: 100 }).notices) + t.said.join("\n");
  assert.match(told, /wrong token \[redacted\]/);
  assert.match(told, /no entry for \[redacted\]/);
  assert.doesNotMatch(told, /hunter2hunter2/);
});
