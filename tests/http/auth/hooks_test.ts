import assert from "node:assert/strict";
import { alice, authOf, bearer, bob, logIn } from "../../support/auth.ts";
import { settle } from "../../support/fake_clock.ts";
import { type Answer, type Ask, makeApp } from "../../support/make_app.ts";
import { makeEngine, type TestEngine } from "../../support/make_engine.ts";
import { minute, param, second, service, task } from "../../support/units.ts";

const all = "all-".repeat(8);
const stopOnly = "stop-".repeat(8);
const web = "web-".repeat(8);

const units = [
  task({
    name: "deploy",
    apiTrigger: false,
    params: [param({ kind: "env", key: "TAG", default: "latest" })],
    hookTokens: [
      { token: stopOnly, allow: ["stop"] },
      { token: all, allow: ["run", "start", "stop", "restart"] },
    ],
  }),
  task({ name: "bare" }),
  service({
    name: "web",
    apiTrigger: false,
    hookTokens: [{ token: web, allow: ["start", "stop", "restart"] }],
  }),
];

type Hook = (path: string, ask?: Ask) => Promise<Answer>;

async function hooks(
  mode: "on" | "off" = "on",
): Promise<{ t: TestEngine; app: Hook; hook: (path: string, token?: string, ask?: Ask) => Promise<Answer> }> {
  const t = await makeEngine({ units });
  const app = makeApp(t, { auth: authOf(t, { mode }) });
  const hook = (path: string, token?: string, ask: Ask = {}): Promise<Answer> =>
    app(`/api/hooks/tasks/${path}`, {
      method: "POST",
      peer: alice,
      ...ask,
      headers: { ...(token === undefined ? {} : bearer(token)), ...ask.headers },
    });
  return { t, app, hook };
}

Deno.test("Hook routes do what the session routes do, with trigger hook, whatever api_trigger says", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  const ran = await hook("deploy/run", all, { json: { params: { TAG: "v2" } } });
  assert.equal(ran.status, 201);
  assert.deepEqual(
    [ran.body.taskName, ran.body.triggeredBy, ran.body.params],
    ["deploy", "hook", { TAG: "v2" }],
  );
  assert.equal((await hook("deploy/stop", all)).status, 204);
  await settle();
  assert.equal((await hook("deploy/start", all)).status, 204);
  assert.equal((await hook("deploy/restart", all)).status, 204);
  assert.ok(t.runs("deploy").every(({ trigger }) => trigger === "hook"));
  assert.equal(t.runs("deploy").length, 3);
  for (const action of ["stop", "start", "restart"]) {
    assert.equal((await hook(`web/${action}`, web)).status, 204);
  }
});

Deno.test("Hook routes take waits: a run that ends, 400 on a service, 409 for a stop that outlasts its wait", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  const waiting = hook("deploy/restart?wait=true", all);
  await settle();
  t.processes.launched.at(-1)!.exit(0);
  await settle();
  const { status, body } = await waiting;
  assert.deepEqual([status, body.endReason, body.triggeredBy], [200, "succeeded", "hook"]);
  for (const action of ["start", "restart"]) {
    assert.equal((await hook(`web/${action}?wait=true`, web)).status, 400);
  }
  t.processes.behave("deploy", { ignores: ["SIGTERM"] });
  await hook("deploy/run", all);
  await settle();
  const stop = hook("deploy/stop?wait=true&waitTimeout=1", all);
  await settle();
  await t.clock.advance(second);
  assert.equal((await stop).status, 409);
});

Deno.test("Hook routes answer 422 where the session routes answer 400, 409 or 415 to the request", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  const json = { "content-type": "application/json" };
  const cases: [string, string, Ask][] = [
    ["deploy/run", all, { text: "{", headers: json }],
    ["deploy/run", all, { text: "TAG=v2", headers: { "content-type": "text/plain" } }],
    ["deploy/run", all, { json: { params: { NONE: "x" } } }],
    ["deploy/run", all, { json: { more: 1 } }],
    ["deploy/run?wait=true&waitTimeout=0", all, {}],
    ["deploy/stop?wait=maybe", all, {}],
  ];
  for (const [path, token, ask] of cases) {
    const { status, body, headers } = await hook(path, token, ask);
    assert.equal(status, 422, `${path} ${JSON.stringify(ask)}`);
    assert.deepEqual([body.status, body.title], [422, "Unprocessable Content"]);
    assert.equal(headers.get("content-type"), "application/problem+json");
  }
  assert.equal(t.runs("deploy").length, 0);
});

Deno.test("A hook can't run a service, even with a token that was given the action", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", hookTokens: [{ token: web, allow: ["run"] }] })],
  });
  const { status } = await makeApp(t, { auth: authOf(t) })("/api/hooks/tasks/s/run", {
    method: "POST",
    peer: alice,
    headers: bearer(web),
  });
  assert.equal(status, 422);
});

for (const mode of ["on", "off"] as const) {
  Deno.test(`Missing and wrong tokens, units without and unknown ones get the same 401, with authentication ${mode}`, async () => {
    const { t, app, hook } = await hooks(mode);
    await using _ = t;
    const session = mode === "on" ? (await logIn(app)).token : "none";
    const texts = new Set<string>();
    for (
      const [path, token] of [
        ["deploy/run"],
        ["deploy/run", "wrong"],
        ["deploy/run", `${all}x`],
        ["deploy/run", all.slice(1)],
        ["deploy/run", web],
        ["bare/run"],
        ["bare/run", all],
        ["none/run", all],
        ["none/stop"],
        ["deploy/run", ""],
        ["a%20b/run", all],
        [`${"x".repeat(300)}/run`, all],
        ["deploy/restart", session],
        ["%00/run", all],
      ] as [string, string?][]
    ) {
      const { status, body, headers } = await hook(path, token, { peer: { kind: "socket" } });
      assert.equal(status, 401, `${path} ${token}`);
      assert.equal(headers.get("www-authenticate"), "Bearer");
      texts.add(JSON.stringify(body));
    }
    assert.equal(texts.size, 1, "nothing tells them apart");
    assert.equal(t.runs().filter(({ trigger }) => trigger === "hook").length, 0);
  });
}

Deno.test("A token whose allow list omits the action gets 403, before the rest of the request is looked at", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  assert.equal((await hook("deploy/run", stopOnly)).status, 403);
  assert.equal((await hook("deploy/stop", stopOnly)).status, 204);
  const odd: Ask = { text: "{", headers: { "content-type": "text/plain" } };
  assert.equal((await hook("deploy/run?wait=maybe", stopOnly, odd)).status, 403);
  assert.equal((await hook("deploy/run?wait=maybe", "wrong", odd)).status, 401);
  const large: Ask = { text: "x".repeat(1024 * 1024 + 1), headers: { "content-type": "application/json" } };
  assert.equal((await hook("deploy/run", "wrong", large)).status, 401);
  assert.equal((await hook("deploy/run", all, large)).status, 413);
  assert.equal((await hook("deploy/pause", all)).status, 404);
  assert.equal((await hook("deploy/run", all, { method: "GET" })).status, 405);
});

Deno.test("A hook token in the query works unless there is an Authorization header", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  assert.equal((await hook(`deploy/run?token=${all}`)).status, 201);
  assert.equal((await hook(`deploy/run?token=wrong`, all)).status, 201);
  assert.equal((await hook(`deploy/run?token=${all}`, "wrong")).status, 401);
  assert.equal(
    (await hook(`deploy/run?token=${all}`, undefined, { headers: { authorization: "Basic eDp5" } })).status,
    401,
  );
});

Deno.test("Hook routes need no Origin, and take what another site sends if it has the token", async () => {
  const { t, app, hook } = await hooks();
  await using _ = t;
  const { cookie } = await logIn(app);
  const headers = { cookie, origin: "http://evil.example", "sec-fetch-site": "cross-site" };
  assert.equal((await hook("deploy/run", all, { headers })).status, 201);
  assert.equal((await hook("deploy/run", undefined, { headers })).status, 401);
});

Deno.test("After twenty rejected tokens in a minute even a valid one gets 429, until the window moves on", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  let n = 0;
  const forged = (): Ask => ({
    headers: { "x-forwarded-for": `203.0.113.${++n}`, "user-agent": `agent ${n}` },
  });
  for (let i = 0; i < 30; i++) {
    assert.equal((await hook("deploy/stop", all)).status, 204, "successful calls never count");
  }
  for (let i = 0; i < 30; i++) {
    assert.equal((await hook("deploy/run", stopOnly)).status, 403, "nor do known tokens");
  }
  for (let i = 0; i < 20; i++) {
    assert.equal((await hook("deploy/run", i % 2 ? "wrong" : undefined, forged())).status, 401);
    await t.clock.advance(second);
  }
  const locked = await hook("deploy/stop", all, forged());
  assert.equal(locked.status, 429);
  assert.equal(locked.headers.get("retry-after"), "40");
  assert.equal((await hook("deploy/stop", all, { peer: bob })).status, 204, "others are not locked out");
  assert.equal((await hook("deploy/stop", all, { peer: { kind: "socket" } })).status, 204);
  await t.clock.advance(40 * second - 1);
  assert.equal((await hook("deploy/stop", all)).status, 429);
  await t.clock.advance(1);
  assert.equal((await hook("deploy/stop", all)).status, 204, "the oldest rejection is a minute ago");
  assert.equal((await hook("deploy/stop", "wrong")).status, 401);
  assert.equal((await hook("deploy/stop", all)).status, 429);
  await t.clock.advance(minute);
  assert.equal((await hook("deploy/stop", all)).status, 204);
});

Deno.test("A rotated hook token takes effect with the reload", async () => {
  const { t, hook } = await hooks();
  await using _ = t;
  assert.equal((await hook("deploy/stop", all)).status, 204);
  const fresh = "fresh-".repeat(7);
  await t.reload(
    units.map((unit) =>
      unit.name === "deploy" ? { ...unit, hookTokens: [{ token: fresh, allow: ["stop" as const] }] } : unit
    ),
  );
  assert.equal((await hook("deploy/stop", all)).status, 401);
  assert.equal((await hook("deploy/stop", fresh)).status, 204);
});

Deno.test("With authentication off a hook call with a foreign host is refused, after its token", async () => {
  const { t, hook } = await hooks("off");
  await using _ = t;
  const headers = { host: "evil.example" };
  assert.equal((await hook("deploy/stop", all, { headers })).status, 403);
  assert.equal((await hook("deploy/stop", "wrong", { headers })).status, 401);
});

Deno.test("No answer and no line of the daemon's log holds a token or a password", async () => {
  const { t, app, hook } = await hooks();
  await using _ = t;
  const { token, cookie } = await logIn(app);
  const answers: Answer[] = [];
  for (
    const path of ["/api/daemon", "/api/tasks", "/api/tasks/deploy", "/api/runs", "/nowhere", "/api/none"]
  ) {
    answers.push(await app(`${path}?token=${all}`, { peer: alice, headers: bearer(token) }));
    answers.push(await app(`${path}?ticket=${all}`, { peer: alice, headers: { cookie } }));
  }
  for (const path of ["deploy/run", "deploy/none", "none/run"]) {
    answers.push(
      await hook(`${path}?token=${all}&wait=x`),
      await hook(path, `${all}!`),
      await hook(path, all, { text: "{" }),
    );
  }
  answers.push(await app(`/api/auth/launch-ticket?ticket=${all}`, { peer: bob }));
  const told = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]])).join() +
    t.said.join();
  for (const secret of [all, stopOnly, web, token, "correct horse"]) {
    assert.ok(!told.includes(secret), secret);
  }
});
