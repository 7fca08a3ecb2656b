import assert from "node:assert/strict";
import { alice, authOf } from "../support/auth.ts";
import { type Answer, makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { service, task } from "../support/units.ts";
import { statuses } from "./spec.ts";

const token = "0123456789abcdef0123456789abcdef";
const units = [
  task({ name: "a", hookTokens: [{ token, allow: ["run", "stop"] }] }),
  service({ name: "web", autostart: false }),
];
const hook = { method: "POST", peer: alice } as const;

type App = ReturnType<typeof makeApp>;

/** How each status of the specification comes about. */
const provoked: Record<number, (app: App, t: TestEngine) => Promise<Answer>> = {
  400: (app) => app("/api/tasks/web/restart?wait=true", { method: "POST" }),
  401: (app) => app("/api/hooks/tasks/a/run?token=wrong", hook),
  403: (app) => app(`/api/hooks/tasks/a/restart?token=${token}`, hook),
  409: async (app, t) => {
    t.processes.behave("a", { ignores: ["SIGTERM"] });
    t.engine.run("a", { trigger: "api" });
    const stopped = app(`/api/hooks/tasks/a/stop?token=${token}&wait=true&waitTimeout=1`, hook);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await t.clock.advance(1500);
    return await stopped;
  },
  422: (app) => app(`/api/hooks/tasks/a/run?token=${token}&waitTimeout=0`, hook),
  429: async (app) => {
    for (let n = 0; n < 5; n++) await app("/api/auth/challenge", { peer: alice });
    return await app("/api/auth/challenge", { peer: alice });
  },
  500: async (app, t) => {
    t.store.close();
    return await app(`/api/hooks/tasks/a/run?token=${token}`, hook);
  },
  503: async (app, t) => {
    void t.engine.stop();
    return await app("/api/tasks/a/run", { method: "POST" });
  },
};

Deno.test("every error status of the specification can be provoked, and is a problem document", async () => {
  assert.deepEqual(statuses(), Object.keys(provoked).map(Number));
  for (const [status, provoke] of Object.entries(provoked)) {
    const t = await makeEngine({ units });
    const app = makeApp(t, { auth: authOf(t), report: () => {} });
    const answer = await provoke(app, t);
    assert.equal(answer.status, Number(status), JSON.stringify(answer.body));
    assert.match(answer.headers.get("content-type")!, /^application\/problem\+json/, status);
    assert.equal(answer.body.status, Number(status));
    assert.equal(typeof answer.body.title, "string");
    assert.equal(typeof answer.body.detail, "string");
    if (status === "429" || status === "503") {
      assert.ok(Number(answer.headers.get("retry-after")) > 0, status);
    }
    if (status !== "500") await t.clock.advance(60_000);
    await t[Symbol.asyncDispose]();
  }
});
