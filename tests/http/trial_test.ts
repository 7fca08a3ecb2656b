import assert from "node:assert/strict";
import { heldDoor, type Shut } from "../../src/daemon/doors.ts";
import { Fault } from "../../src/fault.ts";
import type { Peer } from "../../src/http/router.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { minute } from "../support/units.ts";

const tcp: Peer = { kind: "tcp", address: "127.0.0.1", port: 5000 };
const post = { method: "POST" };

Deno.test("POST /api/daemon/handover?trial=true asks for a trial first, and over the socket only", async () => {
  await using t = await makeEngine({ units: [] });
  let asked = 0;
  const askForTrial = (): Promise<void> => {
    if (++asked > 1) return Promise.resolve();
    return Promise.reject(new Fault("internal", "cannot copy the database: no space; nothing was changed"));
  };
  const app = makeApp(t, { askForTrial, serviceManaged: true });
  const path = "/api/daemon/handover?trial=true";
  assert.equal((await app(path, { ...post, peer: tcp })).status, 403);
  const { status, body } = await app(path, post);
  assert.deepEqual([status, body.detail], [500, "cannot copy the database: no space; nothing was changed"]);
  assert.ok(t.engine.isScheduling, "it was not handed over");
  assert.equal((await app(path, post)).status, 202);
  assert.equal(t.engine.isScheduling, false);
});

Deno.test("POST /api/daemon/confirm ends a trial, again and again, and over the socket only", async () => {
  await using t = await makeEngine({ units: [] });
  await t.stop();
  await t.start({ trial: { ms: minute, confirmed: () => {} } });
  const app = makeApp(t);
  assert.deepEqual((await app("/api/daemon")).body.trial, { left_behind: 0 });
  assert.equal((await app("/api/daemon/confirm", { ...post, peer: tcp })).status, 403);
  assert.equal((await app("/api/daemon/handover?trial=true", post)).status, 409);
  for (let n = 0; n < 2; n++) assert.equal((await app("/api/daemon/confirm", post)).status, 204);
  const { body } = await app("/api/daemon");
  assert.deepEqual([body.trial, body.scheduling_active], [undefined, true]);
});

Deno.test("heldDoor() lets through on trial what only looks and what ends the trial, and nobody who leaves", async () => {
  let why: Shut | undefined = "on_trial";
  const door = heldDoor({ fetch: () => new Response("in") }, () => why);
  const ask = async (method: string, path: string): Promise<number> => {
    const response = await door.fetch(new Request(`http://svc${path}`, { method }), {
      peer: { kind: "socket" },
    });
    const answer = await response.text();
    if (response.status === 200) assert.equal(answer, "in");
    else assert.equal(response.headers.get("retry-after"), "1");
    return response.status;
  };
  assert.equal(await ask("GET", "/api/tasks"), 200);
  assert.equal(await ask("POST", "/api/daemon/confirm"), 200);
  assert.equal(await ask("POST", "/api/daemon/handover?trial=true"), 200);
  assert.equal(await ask("POST", "/api/tasks/t/run"), 503);
  assert.equal(await ask("DELETE", "/api/runs/R1"), 503);
  assert.equal(await ask("POST", "/api/daemon/drain"), 503);
  why = "leaving";
  assert.equal(await ask("GET", "/api/tasks"), 503);
  why = undefined;
  assert.equal(await ask("POST", "/api/tasks/t/run"), 200);
});
