import assert from "node:assert/strict";
import { authOf, bearer, logIn } from "../support/auth.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { noon, param, second, service, task } from "../support/units.ts";

Deno.test("GET /api/local/debug shows the insides of the daemon over the control socket, and nothing secret", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "a",
        run: "send --key hunter1",
        secrets: { KEY: "hunter2" },
        env: { LEVEL: "hunter3" },
        params: [param({ kind: "env", key: "TO" })],
      }),
      task({ name: "b", cron: "1 12 * * *", jitter: 30 * second }),
      service({ name: "web" }),
    ],
    before: (test) => test.processes.behave("a", { ignores: ["SIGTERM"] }),
  });
  const { id } = t.engine.run("a", { trigger: "api", params: { TO: "hunter4" } });
  await t.clock.advance(60 * second);
  t.engine.stopRun(id);
  const { status, body } = await makeApp(t)("/api/local/debug");
  assert.equal(status, 200);
  assert.deepEqual([body.versions, body.pid, body.uptime_ms], [
    { svc: "1.2.3", deno: "2.0.0", v8: "13.0" },
    4711,
    60 * second,
  ]);
  assert.deepEqual(body.streams, { events: 0, logs: 0 });
  assert.deepEqual(body.connections, [{ listener: "the control socket", open: 1 }]);
  assert.deepEqual(body.runs.find((run: { run_id: string }) => run.run_id === id), {
    run_id: id,
    task_name: "a",
    triggered_by: "api",
    created_at: new Date(noon).toISOString(),
    phase: "executing",
    phase_ms: 60 * second,
    marks: ["stopped"],
    machine: {
      phase: "stopping",
      want: "stopped",
      stuck: false,
      pid: t.processes.only("a").pid,
      timers: [{ name: "grace", left_ms: 5 * second }],
    },
  });
  assert.equal(body.line.gate_holder, t.runs("b")[0]!.id);
  assert.equal(body.instances[0].run_id, t.runs("web")[0]!.id);
  assert.ok(!/hunter\d|send --key/.test(JSON.stringify(body)));
});

Deno.test("GET /api/local/debug is told to nobody by TCP: with a session, with a hook token, with no login at all", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  const app = makeApp(t, { auth: authOf(t) });
  const session = await logIn(app);
  const asked: Record<string, string>[] = [
    {},
    bearer(session.token),
    { cookie: session.cookie },
    bearer("0123456789abcdef0123456789abcdef"),
    { "x-forwarded-for": "127.0.0.1" },
  ];
  const open = makeApp(t, { auth: authOf(t, { mode: "off" }) });
  for (const one of [app, open]) {
    for (const headers of asked) {
      for (const address of ["127.0.0.1", "::1", "192.0.2.1"]) {
        const answer = await one("/api/local/debug", { peer: { kind: "tcp", address }, headers });
        assert.equal(answer.status, 403);
        assert.equal(answer.body.runs, undefined);
      }
    }
  }
});
