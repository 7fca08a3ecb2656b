import assert from "node:assert/strict";
import type { Peer } from "../../src/http/router.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { task } from "../support/units.ts";

const path = "/api/daemon/handover";
const tcp: Peer = { kind: "tcp", address: "127.0.0.1", port: 5000 };

Deno.test("POST /api/daemon/handover answers 202, and what would start something then 503", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  await app("/api/tasks/t/run", { method: "POST" });
  const { status, body } = await app(path, { method: "POST" });
  assert.deepEqual([status, body], [202, ""]);
  const refused = await app("/api/tasks/t/run", { method: "POST" });
  assert.equal(refused.status, 503);
  assert.match(refused.body.detail, /handing over/);
  assert.ok(refused.headers.has("retry-after"));
  assert.equal((await app(path, { method: "POST" })).status, 202);
});

Deno.test("POST /api/daemon/handover is refused over TCP where nothing starts the next daemon, and by process 1", async () => {
  await using t = await makeEngine({ units: [] });
  const post = { method: "POST", peer: tcp };
  for (
    const [facts, ask, status] of [
      [{}, path, 409],
      [{}, `${path}?force=true`, 202],
      [{ serviceManaged: true }, path, 202],
      [{ pid: 1 }, `${path}?force=true`, 409],
      [{}, `${path}?force=perhaps`, 422],
    ] as const
  ) {
    const { status: answered, body } = await makeApp(t, facts)(ask, post);
    assert.equal(answered, status, `${JSON.stringify(facts)} ${ask}: ${JSON.stringify(body)}`);
  }
});
