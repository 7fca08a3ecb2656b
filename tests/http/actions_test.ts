import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { noon, param, service, task } from "../support/units.ts";

const post = { method: "POST" } as const;

Deno.test("POST /api/tasks/{taskName}/run answers 201 with the fresh run in the camelCase spelling", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  const { status, body } = await app("/api/tasks/t/run", post);
  assert.equal(status, 201);
  assert.equal(body.taskName, "t");
  assert.equal(body.triggeredBy, "api");
  assert.equal(body.createdAt, new Date(noon).toISOString());
  assert.equal(body.exitCode, 0);
  assert.equal(body.isFailure, false);
  assert.equal(body.retryAttempt, 0);
  assert.equal(body.instanceIndex, 0);
  assert.ok(["pending", "running"].includes(body.status));
  const queued = (await app("/api/tasks/t/run?via=ui", post)).body;
  assert.equal(queued.status, "pending");
  assert.equal(queued.triggeredBy, "ui");
  assert.equal((await app("/api/tasks/t/run?via=cli", post)).body.triggeredBy, "cli");
  assert.equal((await app("/api/tasks/t/run?via=cron", post)).status, 422);
});

Deno.test("POST /api/tasks/{taskName}/run says that the database refuses, and when to come again", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.store.runs.insert = () => {
    throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR" });
  };
  const { status, body, headers } = await makeApp(t)("/api/tasks/t/run", post);
  assert.equal(status, 503);
  assert.match(body.detail, /database or disk is full/);
  assert.ok(headers.has("retry-after"));
});

Deno.test("POST /api/tasks/{taskName}/run with wait answers 201 with the ended run, or as it is after waitTimeout", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", maxConcurrent: 9 })] });
  const app = makeApp(t);
  const ended = app("/api/tasks/t/run?wait=true", post);
  await settle();
  t.processes.only("t").exit(3);
  const { status, body } = await ended;
  assert.equal(status, 201);
  assert.equal(body.status, "ended");
  assert.equal(body.exitCode, 3);
  assert.equal(body.endReason, "failed");
  assert.equal(body.isFailure, true);
  assert.equal(body.endedAt, new Date(noon).toISOString());
  const late = app("/api/tasks/t/run?wait=true&waitTimeout=7", post);
  let answered = false;
  void late.then(() => answered = true);
  await t.clock.advance(6999);
  assert.equal(answered, false);
  await t.clock.advance(1);
  assert.equal((await late).status, 201);
  assert.equal((await late).body.status, "running");
  assert.equal(t.processes.alive("t").length, 1, "the action goes on");
});

Deno.test("Action routes check waitTimeout", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  for (const action of ["run", "start", "stop", "restart"]) {
    for (const value of ["0", "241", "-1", "x", "1e2", ""]) {
      const { status, body } = await app(`/api/tasks/t/${action}?wait=true&waitTimeout=${value}`, post);
      assert.equal(status, 422, `${action} ${value}`);
      assert.equal(body.errors[0].location, "query.waitTimeout");
    }
    assert.equal((await app(`/api/tasks/t/${action}?wait=maybe`, post)).status, 422);
  }
  assert.deepEqual(t.runs(), []);
});

Deno.test("POST /api/tasks/{taskName}/run settles parameters: default, given, empty, omitted, dashes left off", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        maxConcurrent: 99,
        params: [
          param({ kind: "env", key: "A", default: "a" }),
          param({ kind: "option", key: "--size", default: "1", type: "number" }),
          param({ kind: "flag", key: "-v" }),
        ],
      }),
    ],
  });
  const app = makeApp(t);
  const params = async (given?: unknown): Promise<unknown> =>
    (await app("/api/tasks/t/run", { method: "POST", ...(given === undefined ? {} : { json: given }) })).body
      .params;
  assert.deepEqual(await params(), { A: "a", "--size": "1" });
  assert.deepEqual(await params({}), { A: "a", "--size": "1" });
  assert.deepEqual(await params({ params: { A: "", size: "2.5", v: "true" } }), {
    A: "",
    "--size": "2.5",
    "-v": "true",
  });
  assert.deepEqual(await params({ params: { A: null, "--size": null } }), undefined);
  assert.deepEqual(await params({ $schema: "https://example.org/x.json" }), { A: "a", "--size": "1" });
});

Deno.test("POST /api/tasks/{taskName}/run takes a parameter that is called as what every object has", async () => {
  for (const key of ["__proto__", "constructor", "toString"]) {
    await using t = await makeEngine({
      units: [task({ name: "t", params: [param({ kind: "env", key, default: "preset" })] })],
    });
    const { status, body } = await makeApp(t)("/api/tasks/t/run", {
      method: "POST",
      json: JSON.parse(`{ "params": { "${key}": "given" } }`),
    });
    assert.equal(status, 201);
    assert.deepEqual(Object.entries(body.params), [[key, "given"]]);
  }
});

Deno.test("POST /api/tasks/{taskName}/run refuses bad parameters with their places, and makes no run", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        params: [
          param({ kind: "env", key: "A", required: true }),
          param({ kind: "option", key: "--size", type: "number" }),
          param({ kind: "env", key: "C", choices: ["x", "y"] }),
        ],
      }),
    ],
  });
  const app = makeApp(t);
  const cases: [unknown, string[]][] = [
    [{}, ["body.params.A"]],
    [{ params: { A: "1", B: "2" } }, ["body.params.B"]],
    [{ params: { A: "1", size: "big" } }, ["body.params.--size"]],
    [{ params: { A: null, C: "z" } }, ["body.params.A", "body.params.C"]],
    [{ params: { A: 1 } }, ["body.params.A"]],
    [{ params: ["A"] }, ["body.params"]],
    [{ params: { A: "1" }, wait: true }, ["body.wait"]],
    [[], ["body"]],
    ["text", ["body"]],
    [null, ["body"]],
  ];
  for (const [json, locations] of cases) {
    const { status, body } = await app("/api/tasks/t/run", { method: "POST", json });
    assert.equal(status, 422, JSON.stringify(json));
    assert.deepEqual(body.errors.map(({ location }: { location: string }) => location), locations);
  }
  assert.deepEqual(t.runs(), []);
});

Deno.test("POST /api/tasks/{taskName}/run tells malformed, large and mistyped bodies apart", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", maxConcurrent: 9 })] });
  const app = makeApp(t);
  const send = (text: string, type?: string) =>
    app("/api/tasks/t/run", {
      method: "POST",
      text,
      headers: type === undefined ? {} : { "content-type": type },
    });
  assert.equal((await send("{", "application/json")).status, 400);
  assert.equal((await send('{"params": {}}', "text/plain")).status, 415);
  assert.equal((await send("a=b", "application/x-www-form-urlencoded")).status, 415);
  assert.equal((await send(`{"params":{"A":"${"x".repeat(1024 * 1024)}"}}`, "application/json")).status, 413);
  assert.equal((await send("{}", "application/json; charset=utf-8")).status, 201);
  assert.equal((await send("{}", "application/merge-patch+json")).status, 201);
  for (const answer of [await send("{", "application/json"), await send("x", "text/plain")]) {
    assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
    assert.ok(answer.body.detail.length > 0);
  }
});

Deno.test("POST /api/tasks/{taskName}/run takes an empty body for none, whatever type it is said to be", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", maxConcurrent: 9 })] });
  const app = makeApp(t);
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
    const headers = { "content-type": type };
    assert.equal((await app("/api/tasks/t/run", { method: "POST", headers })).status, 201, type);
    assert.equal((await app("/api/tasks/t/run", { method: "POST", headers, text: "" })).status, 201, type);
  }
});

Deno.test("POST /api/tasks/{taskName}/run of a service is a conflict", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  assert.equal((await makeApp(t)("/api/tasks/s/run", post)).status, 409);
});

Deno.test("api_trigger = false refuses run, start and restart of a task, but not stop; of a service stop too", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "t", apiTrigger: false, cron: "* * * * *" }),
      service({ name: "s", apiTrigger: false }),
    ],
  });
  const app = makeApp(t);
  const status = async (path: string) => (await app(`/api/tasks/${path}`, post)).status;
  for (const path of ["t/run", "t/start", "t/restart", "s/start", "s/stop", "s/restart"]) {
    assert.equal(await status(path), 403, path);
  }
  for (const path of ["t/stop", "t/pause", "t/resume"]) assert.equal(await status(path), 204, path);
  assert.deepEqual(t.runs("t"), []);
  assert.equal((await app(`/api/runs/${t.runs("s")[0]!.id}/stop`, post)).status, 403);
  assert.equal(t.processes.only("s"), t.processes.launched[0]);
});

Deno.test("POST /api/tasks/{taskName}/start answers 204, or with wait 200 and the run that is active", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  assert.equal((await app("/api/tasks/t/start", post)).status, 204);
  const id = t.runs()[0]!.id;
  const ended = app("/api/tasks/t/start?wait=true", post);
  await settle();
  t.processes.only("t").exit(0);
  const { status, body } = await ended;
  assert.equal(status, 200);
  assert.equal(body.id, id);
  assert.equal(body.endReason, "succeeded");
  assert.equal(t.runs().length, 1);
});

Deno.test("POST /api/tasks/{taskName}/restart answers 204, or with wait 200 and the fresh run once it ends", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  await app("/api/tasks/t/run", post);
  const ended = app("/api/tasks/t/restart?wait=true", post);
  await settle();
  assert.deepEqual(t.outcomes(), ["stopped", "running"]);
  t.processes.only("t").exit(0);
  const { status, body } = await ended;
  assert.equal(status, 200);
  assert.equal(body.id, t.runs()[1]!.id);
  assert.equal((await app("/api/tasks/t/restart", post)).status, 204);
});

Deno.test("POST start and restart of a service answer 204, and 400 with wait", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  const app = makeApp(t);
  for (const action of ["start", "restart"]) {
    assert.equal((await app(`/api/tasks/s/${action}`, post)).status, 204);
    assert.equal((await app(`/api/tasks/s/${action}?wait=true`, post)).status, 400);
  }
  assert.equal((await app("/api/tasks/none/start?wait=true", post)).status, 404);
  await settle();
  assert.equal(t.processes.count("s"), 2, "a refused restart does nothing");
});

Deno.test("POST /api/tasks/{taskName}/stop with wait answers 204 once all has ended, or 409 after waitTimeout", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", gracefulStop: 20_000 }), service({ name: "s", gracefulStop: 20_000 })],
    before: (it) => ["t", "s"].forEach((name) => it.processes.behave(name, { ignores: ["SIGTERM"] })),
  });
  const app = makeApp(t);
  await app("/api/tasks/t/run", post);
  for (const name of ["t", "s"]) {
    const late = app(`/api/tasks/${name}/stop?wait=true&waitTimeout=5`, post);
    await settle();
    await t.clock.advance(5000);
    assert.equal((await late).status, 409, name);
    const inTime = app(`/api/tasks/${name}/stop?wait=true`, post);
    await t.clock.advance(15_000);
    assert.equal((await inTime).status, 204, name);
    assert.equal((await app(`/api/tasks/${name}/stop?wait=true`, post)).status, 204, "nothing to stop");
    assert.equal((await app(`/api/tasks/${name}/stop`, post)).status, 204);
  }
});

Deno.test("POST pause and resume answer 409 on a service and on a task without cron", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" }), service({ name: "s" })] });
  const app = makeApp(t);
  for (const path of ["t/pause", "t/resume", "s/pause", "s/resume"]) {
    assert.equal((await app(`/api/tasks/${path}`, post)).status, 409, path);
  }
});

Deno.test("Action routes answer 503 with Retry-After while the daemon stops", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  await t.stop();
  for (const action of ["run", "start", "restart"]) {
    const { status, headers } = await app(`/api/tasks/t/${action}`, post);
    assert.equal(status, 503);
    assert.ok(Number(headers.get("retry-after")) > 0);
  }
});
