import assert from "node:assert/strict";
import { Fault } from "../../src/fault.ts";
import type { NewsEvent } from "../../src/engine/news.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { check, day, failures, hour, minute, noon, second, service, task } from "../support/units.ts";
import type { NotifySettings, Unit } from "../../src/types.ts";

async function makeRinging(units: Unit[], notify: Partial<NotifySettings> = {}): Promise<TestEngine> {
  return await makeEngine({
    units,
    before: (t) => Object.assign(t.config.notify, { globalNotifiers: ["inapp"], ...notify }),
  });
}

/** Runs a task to its end. */
async function finish(t: TestEngine, name: string, code: number, output = ""): Promise<void> {
  t.engine.run(name, { trigger: "api" });
  await settle();
  const process = t.processes.only(name);
  if (output !== "") process.print(output);
  process.exit(code);
  await settle();
}

const rows = (t: TestEngine) => t.engine.bell.list({ limit: 100 }).notices;
const kinds = (t: TestEngine) => rows(t).map(({ kind, count }) => `${kind} ${count}`);

function newsOf(t: TestEngine): NewsEvent[] {
  const news: NewsEvent[] = [];
  t.engine.news.subscribe((one) => news.push(one));
  return news;
}

Deno.test("Bell makes one row of the failures of a unit inside the window, and tells of each", async () => {
  await using t = await makeRinging([task({ name: "a" }), task({ name: "b" })]);
  const news = newsOf(t);
  await finish(t, "a", 1, "first\n");
  await t.clock.advance(10 * minute);
  await finish(t, "a", 2, "second\nlast words\n\n");
  await finish(t, "b", 1);
  assert.deepEqual(kinds(t), ["run.failed 1", "run.failed 2"]);
  const [, row] = rows(t);
  assert.equal(row?.body, "exit code 2 after 0 ms\nlast lines:\n  second\n  last words");
  assert.equal(row?.runId, t.runs("a")[1]!.id);
  assert.deepEqual(row?.occurrences, [noon + 10 * minute, noon]);
  assert.deepEqual(news.map((one) => [one.type, "unreadCount" in one && one.unreadCount]), [
    ["notification.created", 1],
    ["notification.updated", 1],
    ["notification.created", 2],
  ]);
  await t.clock.advance(hour);
  await finish(t, "a", 1);
  assert.deepEqual(kinds(t)[0], "run.failed 1");
  assert.equal(rows(t).length, 3);
});

Deno.test("Bell quotes a last line that had no line end, of either stream, and no system line", async () => {
  await using t = await makeRinging([task({ name: "a" })]);
  t.engine.run("a", { trigger: "api" });
  await settle();
  t.processes.only("a").print("fine\n");
  t.processes.only("a").print("fatal: no such thing", "stderr");
  t.processes.only("a").exit(1);
  await settle();
  assert.match(rows(t)[0]!.body, /\nlast lines:\n {2}fine\n {2}fatal: no such thing$/);
});

Deno.test("Bell tells of the first success after failures, and of no other", async () => {
  await using t = await makeRinging([task({ name: "a" })]);
  for (const code of [0, 0, 1, 1, 0, 0]) await finish(t, "a", code);
  assert.deepEqual(kinds(t), ["run.recovered 1", "run.failed 2"]);
});

Deno.test("Bell knows after a restart that a task had failed before, whatever came between", async () => {
  await using t = await makeRinging([task({ name: "a" }), task({ name: "b" })]);
  await finish(t, "a", 1);
  await finish(t, "b", 1);
  await finish(t, "b", 0);
  t.engine.run("a", { trigger: "api" });
  await t.engine.stopUnit("a");
  await t.stop();
  await t.start();
  await finish(t, "a", 0);
  await finish(t, "b", 0);
  assert.deepEqual(rows(t).map(({ kind, unit }) => `${kind} ${unit}`), [
    "run.recovered a",
    "run.recovered b",
    "run.failed b",
    "run.failed a",
  ]);
});

Deno.test("Bell tells what a unit calls no failure to nobody", async () => {
  await using t = await makeRinging([task({ name: "a", failures: failures("timeout") })]);
  await finish(t, "a", 1);
  assert.deepEqual(rows(t), []);
});

Deno.test("Bell tells of runs that the daemon's death ended, and of those that could not start", async () => {
  await using t = await makeRinging([task({ name: "a" }), task({ name: "b" })]);
  t.engine.run("a", { trigger: "api" });
  await settle();
  await t.crash();
  await t.start();
  t.processes.behave("b", { refuses: "no shell" });
  t.engine.run("b", { trigger: "api" });
  assert.deepEqual(rows(t).map(({ kind, unit, body }) => [kind, unit, body]), [
    ["run.failed", "b", "no shell"],
    ["run.crashed", "a", "the daemon died while it ran"],
  ]);
});

Deno.test("Bell tells of missed ticks and of runs that took too long", async () => {
  await using t = await makeRinging([
    task({ name: "a", cron: "0 * * * *", catchUp: "skip" }),
    task({ name: "b", timeout: 1000 }),
  ]);
  t.engine.run("b", { trigger: "api" });
  await t.clock.advance(10 * second);
  await t.stop();
  t.clock.stall(3 * hour);
  await t.start();
  assert.deepEqual(rows(t).map(({ kind, severity }) => [kind, severity]), [
    ["run.missed", "warn"],
    ["run.timeout", "error"],
  ]);
});

Deno.test("Bell tells of a service that fails to start, and of one that is given up, with its last run", async () => {
  await using t = await makeRinging([service({ name: "s", startRetries: 3 })]);
  for (let life = 0; life < 4; life++) {
    t.processes.only("s").print(`life ${life}\n`);
    t.processes.only("s").exit(1);
    // Long enough for the delay before the next life, too short for that one to count as up.
    await t.clock.advance(life === 3 ? 0 : 4500);
  }
  await settle();
  const own = rows(t).filter(({ kind }) => kind.startsWith("service."));
  assert.deepEqual(own.map(({ kind }) => kind), ["service.fatal", "service.failing"]);
  const lives = t.runs("s");
  assert.deepEqual(own.map(({ runId }) => runId), [lives[3]!.id, lives[2]!.id]);
  assert.match(own[0]!.body, /4 times in a row[^]*last line: life 3$/);
});

Deno.test("Bell tells of a service that its health check ended, once and with the cause, and of one that is blocked", async () => {
  const healthCheck = check({ kind: "tcp", host: "a", port: 1 }, { interval: second, retries: 0 });
  await using t = await makeRinging([
    service({ name: "db", healthCheck, restart: "never" }),
    service({ name: "app", dependsOn: ["db"] }),
  ]);
  t.processes.only("db").print("going on\n");
  await t.clock.advance(minute);
  const [blocked, unhealthy] = rows(t);
  assert.deepEqual(kinds(t), ["service.blocked 1", "service.unhealthy 1"]);
  assert.equal(unhealthy?.runId, t.runs("db")[0]!.id);
  assert.match(unhealthy!.body, /^instance 0 is stopped: .*\nnobody is there\nlast line: going on$/);
  assert.deepEqual([blocked?.unit, blocked?.runId, blocked?.body], [
    "app",
    "",
    'it waits for "db" (unhealthy)',
  ]);
});

Deno.test("Bell tries again when the database refuses a row, until it is there", async () => {
  await using t = await makeRinging([task({ name: "a" })]);
  const { notices } = t.store;
  const put = notices.put;
  notices.put = () => {
    throw new Error("disk I/O error");
  };
  await finish(t, "a", 1);
  assert.deepEqual(rows(t), []);
  await t.clock.advance(2 * second);
  assert.ok(t.said.includes("error cannot store a notification, trying again in a second"));
  notices.put = put;
  await t.clock.advance(second);
  assert.deepEqual(kinds(t), ["run.failed 1"]);
});

Deno.test("Bell says nothing of services that end with the daemon, but of a task that is cut off", async () => {
  await using t = await makeRinging([task({ name: "a" }), service({ name: "s" })]);
  t.engine.run("a", { trigger: "api" });
  await t.stop();
  await t.start();
  assert.deepEqual(rows(t).map(({ unit, kind }) => [unit, kind]), [["a", "run.failed"]]);
});

Deno.test("Bell rings for the units and routes that name it where not all ring it", async () => {
  await using t = await makeRinging(
    [task({ name: "a" }), task({ name: "b", notify: ["inapp"] }), task({ name: "c" })],
    { globalNotifiers: [], routes: [{ kinds: [], task: "c*", notify: ["inapp"] }] },
  );
  for (const name of ["a", "b", "c"]) await finish(t, name, 1);
  assert.deepEqual(rows(t).map(({ unit }) => unit), ["c", "b"]);
});

Deno.test("Bell counts what is unread, and a row that is added to is unread again", async () => {
  await using t = await makeRinging([task({ name: "a" }), task({ name: "b" })]);
  await finish(t, "a", 1);
  await finish(t, "b", 1);
  const { bell } = t.engine;
  const [b, a] = rows(t);
  const news = newsOf(t);
  bell.mark(a!.id, { isRead: true });
  bell.mark(a!.id, { isRead: true });
  assert.equal(bell.unreadCount(), 1);
  assert.equal(rows(t)[1]?.readAt, noon);
  bell.mark(a!.id, { isRead: false });
  assert.equal(bell.unreadCount(), 2);
  bell.readAll();
  bell.readAll();
  assert.equal(bell.unreadCount(), 0);
  await finish(t, "b", 1);
  assert.deepEqual(rows(t).map(({ id, readAt }) => [id, readAt]), [[b!.id, undefined], [a!.id, noon]]);
  assert.deepEqual(news.map((one) => [one.type, "unreadCount" in one && one.unreadCount]), [
    ["notification.updated", 1],
    ["notification.unread_count", 1],
    ["notification.updated", 2],
    ["notification.unread_count", 2],
    ["notification.unread_count", 0],
    ["notification.updated", 1],
  ]);
  assert.throws(
    () => bell.mark("none", { isRead: true }),
    (error) => error instanceof Fault && error.code === "not_found",
  );
});

Deno.test("Bell keeps the newest rows, for as long as it is told", async () => {
  const units = ["a", "b", "c", "d"].map((name) => task({ name }));
  await using t = await makeRinging(units, { keep: 3, keepFor: 2 * day });
  for (const { name } of units) await finish(t, name, 1);
  assert.deepEqual(rows(t).map(({ unit }) => unit), ["d", "c", "b"]);
  await t.clock.advance(day);
  await finish(t, "a", 1);
  const news = newsOf(t);
  await t.clock.advance(day + 2 * hour);
  assert.deepEqual(rows(t).map(({ unit }) => unit), ["a"]);
  assert.deepEqual(news, [{ type: "notification.unread_count", unreadCount: 1 }]);
});

Deno.test("Bell rings once when the configuration has changed on disk, and follows routes for it", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.config.notify.routes = [{ kinds: ["config.stale"], notify: ["inapp"] }];
  t.engine.tellStale(true);
  t.engine.tellStale(true);
  const { notices } = t.engine.bell.list({ limit: 10 });
  assert.deepEqual(notices.map(({ kind, severity, unit, count }) => [kind, severity, unit, count]), [
    ["config.stale", "info", "", 1],
  ]);
});
