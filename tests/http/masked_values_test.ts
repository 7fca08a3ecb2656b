import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeApp } from "../support/make_app.ts";
import { makeStreams } from "../support/make_streams.ts";
import { makeEngine } from "../support/make_engine.ts";
import { second, task } from "../support/units.ts";
import type { Param } from "../../src/types.ts";

const secret = "hunter2hunter2";

const param: Param = {
  kind: "env",
  key: "KEY",
  type: "string",
  required: false,
  allowCustom: true,
  default: `k=${secret}`,
  choices: [`k=${secret}`, "other"],
};

const unit = task({
  name: "t",
  secrets: { TOKEN: secret },
  env: { URL: `https://x:${secret}@host/` },
  run: `echo ${secret}`,
  params: [param, { kind: "arg", key: "word", type: "string", required: false, allowCustom: true }],
});

Deno.test("Answers and events tell no secret that stands in a parameter, a variable or a script", async () => {
  await using t = await makeEngine({ units: [unit] });
  const app = makeApp(t);
  await using stream = await makeStreams(t).open("/api/events/stream");
  const path = "/api/tasks/t/run";
  const made = await app(path, { method: "POST", json: { params: { word: secret } } });
  assert.equal(made.status, 201);
  assert.deepEqual(made.body.params, { KEY: "k=[redacted]", word: "[redacted]" });
  t.processes.only("t").exit(0);
  await settle();
  const told: unknown[] = [made.body];
  for (const name of ["runs", `runs/${made.body.id}`, "tasks", "tasks/t", "config", "daemon"]) {
    const { status, body } = await app(`/api/${name}`);
    assert.equal(status, 200, name);
    told.push(body);
  }
  const events = await stream.take(4);
  assert.match(events[1]?.data ?? "", /"word":"\[redacted\]"/);
  const refused = await app(path, { method: "POST", json: { params: { x: "1" } } });
  assert.equal(refused.status, 422);
  const all = JSON.stringify([told, events, refused.body]);
  assert.match(all, /https:..x:\[redacted\]@host/);
  assert.match(all, /echo \[redacted\]/);
  assert.doesNotMatch(all, new RegExp(secret));
});

Deno.test("Reruns, retries and clients that give back what they were told run with the true values", async () => {
  await using t = await makeEngine({ units: [{ ...unit, retryAttempts: 1, retryDelay: second }] });
  const app = makeApp(t);
  const started = (): unknown => {
    const { spec } = t.processes.alive("t").at(-1)!;
    return [spec.env.KEY, ...spec.args];
  };
  const first = t.engine.run("t", { trigger: "api", params: { word: secret } });
  assert.deepEqual(started(), [`k=${secret}`, secret]);
  t.processes.only("t").exit(1);
  await settle();
  await t.clock.advance(2 * second);
  assert.deepEqual(started(), [`k=${secret}`, secret], "a retry");
  t.processes.alive("t").at(-1)!.exit(0);
  await settle();
  const rerun = app("/api/runs/bulk/rerun", { method: "POST", json: { ids: [first.id] } });
  await t.clock.advance(second);
  assert.equal((await rerun).status, 200);
  assert.deepEqual(started(), [`k=${secret}`, secret], "a rerun");
  t.processes.alive("t").at(-1)!.exit(0);
  await settle();
  const { parameters } = (await app("/api/tasks/t")).body;
  assert.equal(parameters[0].default, "k=[redacted]");
  const params = { KEY: parameters[0].default };
  assert.equal((await app("/api/tasks/t/run", { method: "POST", json: { params } })).status, 201);
  assert.deepEqual(started(), [`k=${secret}`], "a form that was filled with defaults");
  t.processes.alive("t").at(-1)!.exit(0);
  await settle();
});
