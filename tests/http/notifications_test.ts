import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { makeStreams } from "../support/make_streams.ts";
import { noon, task } from "../support/units.ts";

const post = { method: "POST" } as const;
const names = ["a", "b", "c"];

/** A daemon whose tasks have failed, one after the other. */
async function makeFailed(): Promise<TestEngine> {
  const t = await makeEngine({
    units: names.map((name) => task({ name })),
    before: ({ config, processes }) => {
      config.notify.globalNotifiers = ["inapp"];
      config.notify.notifiers = [{ id: "chat", type: "slack", settings: { url: "https://x" } }];
      for (const name of names) processes.behave(name, { exits: 3 });
    },
  });
  for (const name of names) await fail(t, name);
  return t;
}

async function fail(t: TestEngine, name: string): Promise<void> {
  t.engine.run(name, { trigger: "api" });
  await settle();
}

Deno.test("GET /api/notifications tells a row as the specification spells it", async () => {
  await using t = await makeFailed();
  const { status, body } = await makeApp(t)("/api/notifications?limit=1");
  assert.equal(status, 200);
  const [{ id, fingerprint, run_id, ...row }] = body.items;
  assert.equal(run_id, t.runs("c")[0]!.id);
  assert.match(fingerprint, /^[0-9a-f]{16}$/);
  assert.equal(body.next_cursor, id);
  const at = new Date(noon).toISOString();
  assert.deepEqual(row, {
    kind: "run.failed",
    severity: "error",
    task_name: "c",
    title: 'Task "c" failed',
    body: "exit code 3 after 0 ms",
    count: 1,
    occurrences: [at],
    created_at: at,
    last_occurred_at: at,
  });
});

Deno.test("GET /api/notifications goes on where the page before ended", async () => {
  await using t = await makeFailed();
  const app = makeApp(t);
  const units = (body: { items: { task_name: string }[] }) => body.items.map(({ task_name }) => task_name);
  const first = (await app("/api/notifications?limit=2&before=")).body;
  assert.deepEqual(units(first), ["c", "b"]);
  await fail(t, "a");
  const second = (await app(`/api/notifications?limit=2&before=${first.next_cursor}`)).body;
  assert.deepEqual(units(second), ["a"]);
  assert.equal(second.next_cursor, "");
  assert.equal((await app("/api/notifications?limit=3")).body.next_cursor, "");
  for (const limit of ["0", "501", "x"]) {
    assert.equal((await app(`/api/notifications?limit=${limit}`)).status, 422, limit);
  }
});

Deno.test("POST /api/notifications/{id}/read and /unread mark one, /read all", async () => {
  await using t = await makeFailed();
  const app = makeApp(t);
  const count = async () => (await app("/api/notifications/unread-count")).body.count;
  const { id } = (await app("/api/notifications")).body.items[0];
  assert.equal(await count(), 3);
  assert.equal((await app(`/api/notifications/${id}/read`, post)).status, 204);
  assert.equal(await count(), 2);
  assert.equal((await app("/api/notifications")).body.items[0].read_at, new Date(noon).toISOString());
  assert.equal((await app(`/api/notifications/${id}/unread`, post)).status, 204);
  assert.equal(await count(), 3);
  assert.equal((await app("/api/notifications/read", post)).status, 204);
  assert.equal(await count(), 0);
  for (const path of ["/api/notifications/none/read", "/api/notifications/none/unread"]) {
    assert.equal((await app(path, post)).status, 404);
  }
});

Deno.test("GET /api/events/stream tells of notifications without ids, of other units to none who filters", async () => {
  await using t = await makeFailed();
  const app = makeStreams(t);
  await using all = await app.open("/api/events/stream");
  await using ofB = await app.open("/api/events/stream?task_name=b");
  await fail(t, "a");
  t.engine.bell.readAll();
  app.streams.close();
  const news = (await all.rest()).filter(({ name }) => name.startsWith("notification."));
  assert.deepEqual(news.map(({ name, id }) => [name, id]), [
    ["notification.updated", undefined],
    ["notification.unread_count", undefined],
  ]);
  const [updated, unread] = news.map(({ data }) => JSON.parse(data));
  assert.deepEqual([updated.notification.count, updated.unread_count], [2, 3]);
  assert.deepEqual(unread, { unread_count: 0 });
  const names = (await ofB.rest()).map(({ name }) => name);
  assert.deepEqual(names, ["ping", "notification.unread_count"]);
});

Deno.test("GET /api/events/stream tells when the database begins to refuse, and when that is over", async () => {
  await using t = await makeFailed();
  const app = makeStreams(t);
  await using stream = await app.open("/api/events/stream?task_name=b");
  t.refusals.note("cannot store what is due", { error: new Error("database is locked") });
  await t.clock.advance(3000);
  app.streams.close();
  const news = (await stream.rest()).filter(({ name }) => name === "daemon.refusing");
  assert.deepEqual(news.map(({ id, data }) => [id, JSON.parse(data)]), [
    [undefined, { refusing: { since: new Date(noon).toISOString(), why: "database is locked" } }],
    [undefined, { refusing: null }],
  ]);
});

Deno.test("POST /api/notifiers/{id}/test says why nothing was sent, and 404 for an unknown one", async () => {
  await using t = await makeFailed();
  const app = makeApp(t);
  assert.deepEqual((await app("/api/notifiers/chat/test", post)).body.delivered, true);
  t.net.verdict = () => ({ is: "refused", why: "status 404: no_team" });
  const { status, body } = await app("/api/notifiers/chat/test", post);
  assert.equal(status, 200);
  assert.deepEqual([body.delivered, body.error], [false, "status 404: no_team"]);
  assert.equal((await app("/api/notifiers/inapp/test", post)).body.delivered, false);
  assert.equal((await app("/api/notifiers/nobody/test", post)).status, 404);
});
