import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { noon, task } from "../support/units.ts";

const post = { method: "POST" } as const;

Deno.test("POST /api/daemon/drain answers 202, and what would start something then 503", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  await app("/api/tasks/t/run", post);
  const { status, body } = await app("/api/daemon/drain", post);
  assert.deepEqual([status, body], [202, ""]);
  assert.equal((await app("/api/daemon")).body.scheduling_active, false);
  for (const path of ["/api/tasks/t/run", "/api/tasks/t/restart", "/api/daemon/reload"]) {
    const refused = await app(path, post);
    assert.equal(refused.status, 503, path);
    assert.match(refused.body.detail, /draining/);
    assert.ok(refused.headers.has("retry-after"));
  }
  assert.equal((await app("/api/daemon/drain", post)).status, 202);
  assert.equal((await app("/api/runs")).body.runs[0].status, "running");
});

Deno.test("POST /api/daemon/backup answers with a SQLite file", async () => {
  await using t = await makeEngine({ units: [], now: noon });
  const { status, body, headers } = await makeApp(t, { dataDir: t.folder })("/api/daemon/backup", post);
  assert.equal(status, 200);
  assert.match(body, /^SQLite format 3\0/);
  assert.equal(headers.get("content-type"), "application/vnd.sqlite3");
  assert.equal(headers.get("content-disposition"), 'attachment; filename="svc-20270115-120000.db"');
  assert.ok(Number(headers.get("content-length")) > 4096);
  assert.ok([...Deno.readDirSync(t.folder)].every(({ name }) => !name.startsWith("backup-")));
});

Deno.test("POST /api/daemon/backup says what failed", async () => {
  await using t = await makeEngine({ units: [] });
  const { status, body } = await makeApp(t, { dataDir: "/proc/nowhere" })("/api/daemon/backup", post);
  assert.equal(status, 500);
  assert.match(body.detail, /cannot back up/);
});
