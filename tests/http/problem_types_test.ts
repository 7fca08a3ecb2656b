import assert from "node:assert/strict";
import { problemTypeOf } from "../../src/core/problem_type.ts";
import type { FaultCode } from "../../src/fault.ts";
import { refusalAnswer, refusalText } from "../../src/http/listen/refusals.ts";
import { statusOf } from "../../src/http/problem_json.ts";
import { authOf, password } from "../support/auth.ts";
import { type Ask, makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { service, task } from "../support/units.ts";

const post = { method: "POST" };
const stranger = { kind: "tcp", address: "192.0.2.1" } as const;

Deno.test("Problem documents name what went wrong in their type, each with the status of its code", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "closed", apiTrigger: false }), service({ name: "web" })],
  });
  const app = makeApp(t);
  const run = t.engine.run("a", { trigger: "api" });
  const json = { "content-type": "application/json" };
  const cases: [FaultCode, string, Ask?][] = [
    ["no_route", "/api/none"],
    ["wrong_method", "/api/daemon", { method: "DELETE" }],
    ["unknown_method", "/api/daemon", { method: "BREW" }],
    ["not_found", "/api/tasks/none"],
    ["not_found", "/api/runs/none"],
    ["forbidden", "/api/tasks/closed/run", post],
    ["conflict", "/api/tasks/web/run", post],
    ["conflict", "/api/tasks/a/pause", post],
    ["bad_request", "/api/tasks/web/restart?wait=true", post],
    ["bad_request", "/api/tasks/a/run", { ...post, text: "{", headers: json }],
    ["wrong_media", "/api/tasks/a/run", { ...post, text: "a", headers: { "content-type": "text/plain" } }],
    ["too_large", "/api/tasks/a/run", { ...post, text: " ".repeat(2 ** 20 + 1), headers: json }],
    ["invalid", "/api/runs?limit=0"],
    ["still_active", `/api/runs/${run.id}`, { method: "DELETE" }],
    ["hook_refused", "/api/hooks/tasks/a/run", post],
    ["auth_off", "/api/auth/challenge"],
    ["auth_off", "/api/local/credentials"],
  ];
  for (const [code, path, ask] of cases) {
    const { status, body } = await app(path, ask);
    assert.deepEqual(
      [body.type, status, body.status],
      [problemTypeOf(code), statusOf[code], statusOf[code]],
      path,
    );
  }
  t.processes.only("a").exit(0);
  await t.clock.advance(1000);
  assert.equal((await app(`/api/runs/${run.id}/stop`, post)).body.type, problemTypeOf("has_ended"));
  t.engine.drain();
  assert.equal((await app("/api/tasks/a/run", post)).body.type, problemTypeOf("stopping"));
});

Deno.test("Problem documents tell a session that is needed, a login that is refused and one too many apart", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { password: { text: password, isGenerated: false } }) });
  const typeOf = async (path: string, ask: Ask = {}): Promise<string> =>
    (await app(path, { peer: stranger, ...ask })).body.type;
  assert.equal(await typeOf("/api/daemon"), problemTypeOf("session_needed"));
  const wrong = { ...post, json: { nonce: "a", response: "b" } };
  assert.equal(await typeOf("/api/auth/login", wrong), problemTypeOf("login_refused"));
  for (let i = 0; i < 5; i++) await typeOf("/api/auth/login", wrong);
  assert.equal(await typeOf("/api/auth/login", wrong), problemTypeOf("rate_limited"));
});

Deno.test("A problem of the program's own is called a bug, one of the database that it refuses", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  const app = makeApp(t, { report: () => {} });
  const typeAfter = async (error: Error): Promise<string> => {
    t.engine.unit = () => {
      throw error;
    };
    return (await app("/api/tasks/a/start?wait=true", post)).body.type;
  };
  assert.equal(await typeAfter(new TypeError("of nothing")), problemTypeOf("bug"));
  const locked = Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR" });
  assert.equal(await typeAfter(locked), problemTypeOf("database_refuses"));
});

Deno.test("Refusals of the listeners have types, too, in the status line and in the body", async () => {
  const texts: [FaultCode, string][] = [
    ["request_timeout", "ERR_HTTP_REQUEST_TIMEOUT"],
    ["unknown_method", "CONNECT"],
    ["header_too_large", "HPE_HEADER_OVERFLOW"],
    ["bad_request", "HPE_INVALID_METHOD"],
  ];
  for (const [code, name] of texts) {
    const [head = "", body = ""] = refusalText(name)!.split("\r\n\r\n");
    const { type, status, title } = JSON.parse(body);
    assert.equal(type, problemTypeOf(code));
    assert.equal(head.split("\r\n")[0], `HTTP/1.1 ${statusOf[code]} ${title}`);
    assert.equal(status, statusOf[code]);
  }
  for (
    const [code, name] of [["bad_request", "HOST"], ["bad_request", "TARGET"], [
      "bad_expectation",
      "EXPECT",
    ]] as const
  ) {
    const answer = refusalAnswer(name);
    assert.equal(answer.status, statusOf[code]);
    assert.equal((await answer.json()).type, problemTypeOf(code));
  }
});
