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

Deno.test("Runner stores no secret that only drawing puts together, nor shows it live or in frames", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", secrets: { TOKEN: "s3cr3t-Value" } })] });
  const run = t.engine.run("t", { trigger: "api" });
  const process = t.processes.only("t");
  const shown: string[] = [];
  const look = (): void => {
    const { lines } = t.logs.page("t", run.id, { from: 0, limit: 100, finalized: false });
    shown.push(JSON.stringify([lines, t.engine.logs.regions(run)]));
  };
  process.print("s3cr3t-V\bValue once\n");
  look();
  process.print("s3cr3t-\x1b[32mValue in colour\n\rs3cr\x1b[31m3t-V\x1b[0malue drawn");
  look();
  await t.clock.advance(second);
  process.print("\rxx");
  look();
  process.exit(0);
  await settle();
  look();
  const { lines } = t.logs.page("t", run.id, { from: 0, limit: 100, finalized: true });
  const frames = lines.flatMap(({ n, frameCount }) =>
    frameCount ? t.logs.frames({ unit: "t", id: run.id }, n) : []
  );
  assert.equal(lines[0]?.text, "[redacted] once");
  assert.ok(frames.length > 0);
  const plain = JSON.stringify([shown, frames, lines].flat()).replace(/\\+u001b\[[\d;]*m/g, "");
  assert.match(plain, /redacted/);
  assert.doesNotMatch(plain, /s3cr3t-Value/);
});

Deno.test("The reason why a run can't start holds no secret, wherever it is told", async () => {
  const unit = task({ name: "t", secrets: { TOKEN: "s3cr3t-Value" } });
  await using t = await makeEngine({ units: [unit] });
  t.config.notify.globalNotifiers = ["inapp"];
  t.processes.behave("t", { refuses: 'no such folder "/x/s3cr3t-Value"' });
  const run = t.engine.run("t", { trigger: "api" });
  await settle();
  await t.clock.advance(second);
  const { lines } = t.logs.page("t", run.id, { from: 0, limit: 10, finalized: true });
  const told = JSON.stringify([lines, t.store.runs.get(run.id), t.engine.bell.list({ limit: 10 }), t.said]);
  assert.match(told, /no such folder .*\[redacted\]/);
  assert.doesNotMatch(told, /s3cr3t-Value/);
});

Deno.test("Engine hides variables in secret places before anything starts, and masks their values in what any unit says", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", secrets }), task({ name: "plain", runOnStart: true }), service({ name: "s" })],
    before: ({ config, processes }) => {
      config.secretVariables = ["NOTI_URL", "PIN"];
      Object.assign(processes.variables, {
        NOTI_URL: "https://chat.example/T0KEN",
        PIN: "1234",
        LATE: "later-secret",
      });
    },
  });
  assert.deepEqual(t.processes.story.slice(0, 2), ["hide NOTI_URL", "hide PIN"]);
  assert.ok(t.processes.story.some((what) => what.startsWith("launch")));
  const said = async (name: string): Promise<string[]> => {
    const run = t.engine.run(name, { trigger: "api" });
    const process = t.processes.alive(name).at(-1)!;
    process.print("https://chat.example/T0KEN 1234 hunter2hunter2 later-secret\n");
    process.exit(0);
    await settle();
    return t.logs.page(name, run.id, { from: 0, limit: 10, finalized: true }).lines.map(({ text }) => text);
  };
  t.processes.alive("plain")[0]?.exit(0);
  await settle();
  assert.deepEqual(await said("plain"), ["[redacted] 1234 hunter2hunter2 later-secret"]);
  assert.deepEqual(await said("t"), ["[redacted] 1234 [redacted] later-secret"]);
  t.config = { ...t.config, secretVariables: ["LATE"] };
  await t.engine.reload({ dryRun: true });
  assert.deepEqual(t.processes.hidden, ["NOTI_URL", "PIN"], "a dry run changes nothing");
  await t.engine.reload({ dryRun: false });
  assert.deepEqual(t.processes.hidden, ["LATE"]);
  assert.deepEqual(await said("plain"), ["https://chat.example/T0KEN 1234 hunter2hunter2 [redacted]"]);
  assert.deepEqual(await said("t"), ["https://chat.example/T0KEN 1234 [redacted] [redacted]"]);
});
