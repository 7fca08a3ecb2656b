import assert from "node:assert/strict";
import type { Happening } from "../../src/core/notices.ts";
import type { Mail, Post } from "../../src/core/notify/outgoing.ts";
import type { Verdict } from "../../src/core/notify/verdict.ts";
import { Fault } from "../../src/fault.ts";
import type { Notifier, NotifySettings, Unit } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, second, task } from "../support/units.ts";

const ops: Notifier = { id: "ops", type: "webhook", settings: { url: "https://ops.example.com/hook" } };
const chat: Notifier = { id: "chat", type: "slack", settings: { url: "https://chat.example.com/x" } };
const mail: Notifier = {
  id: "mail",
  type: "sendmail",
  settings: { path: "/usr/sbin/sendmail", to: ["root@localhost"] },
};

/** An engine whose failures go to "ops". */
function makeNotifying(
  units: readonly Unit[],
  notify: Partial<NotifySettings> = {},
  before: (t: TestEngine) => void = () => {},
): Promise<TestEngine> {
  return makeEngine({
    units,
    before: (t) => {
      t.config = {
        ...t.config,
        notify: { ...t.config.notify, globalNotifiers: ["inapp", "ops"], notifiers: [ops], ...notify },
      };
      before(t);
    },
  });
}

async function fail(t: TestEngine, name: string, output = ""): Promise<void> {
  t.engine.run(name, { trigger: "api" });
  await settle();
  const process = t.processes.only(name);
  if (output !== "") process.print(output);
  process.exit(1);
  await settle();
}

const said = (t: TestEngine) => t.net.delivered.map(titleOf);
const rows = (t: TestEngine) =>
  t.engine.bell.list({ limit: 100 }).notices.map(({ kind, title }) => `${kind} ${title}`);

function titleOf(outgoing: Post | Mail): string {
  return outgoing.do === "post" ? JSON.parse(outgoing.body).title ?? outgoing.body : outgoing.subject;
}

Deno.test("Courier tells of a failure at once, and of those that follow when the window closes", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  await fail(t, "a", "no space left\n");
  await t.clock.advance(second);
  assert.deepEqual(said(t), ['Task "a" failed']);
  const { body, count, run_id } = JSON.parse((t.net.delivered[0] as Post).body);
  assert.match(body, /last line: no space left$/);
  assert.deepEqual([count, run_id], [1, t.runs("a")[0]!.id]);
  for (let n = 0; n < 3; n++) await fail(t, "a");
  await t.clock.advance(hour - 10 * second);
  assert.equal(said(t).length, 1);
  await t.clock.advance(10 * second);
  assert.deepEqual(said(t).slice(1), ['Task "a" failed: 4 times within 1.0 s']);
  await t.clock.advance(3 * hour);
  assert.equal(said(t).length, 2);
});

Deno.test("Courier tries again with longer waits, honours what it is asked for, and goes on when it is heard", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  const verdicts: Verdict[] = [
    { is: "again", why: "status 500" },
    { is: "again", why: "status 500" },
    { is: "again", why: "status 429", after: 30_000 },
  ];
  const at: number[] = [];
  t.net.verdict = () => {
    at.push(t.clock.elapsed);
    return verdicts.shift() ?? { is: "sent" };
  };
  await fail(t, "a");
  await t.clock.advance(2 * minute);
  assert.deepEqual(at.map((time) => Math.round((time - at[0]!) / 1000)), [0, 1, 3, 33]);
  assert.deepEqual(rows(t), ['run.failed Task "a" failed']);
});

Deno.test("Courier gives up when the budget is spent, and says so to all others, once", async () => {
  await using t = await makeNotifying([task({ name: "a" })], {
    globalNotifiers: ["inapp", "ops", "chat"],
    notifiers: [ops, chat],
  });
  t.net.verdict = (outgoing) =>
    "url" in outgoing && outgoing.url === "https://ops.example.com/hook"
      ? { is: "again", why: "connection refused" }
      : { is: "sent" };
  await fail(t, "a");
  await t.clock.advance(4 * minute);
  assert.deepEqual(rows(t), ['run.failed Task "a" failed']);
  await t.clock.advance(5 * minute);
  assert.deepEqual(rows(t), [
    'notify.delivery_failed Notifier "ops" could not be told',
    'run.failed Task "a" failed',
  ]);
  const body = t.engine.bell.list({ limit: 1 }).notices[0]!.body;
  assert.equal(body, 'connection refused\nnot told: Task "a" failed');
  const toChat = t.net.delivered.filter((one) => "url" in one && one.url.includes("chat"));
  assert.equal(toChat.length, 2);
  const tries = t.net.delivered.length;
  await t.clock.advance(3 * hour);
  assert.equal(t.net.delivered.length, tries);
});

Deno.test("Courier does not try again what was refused, nor what would have to wait longer than the budget", async () => {
  await using t = await makeNotifying([task({ name: "a" }), task({ name: "b" })]);
  t.net.verdict = () => ({ is: "refused", why: "status 404" });
  await fail(t, "a");
  await t.clock.advance(minute);
  assert.equal(t.net.delivered.length, 1);
  t.net.verdict = () => ({ is: "again", why: "status 429", after: 24 * hour });
  await fail(t, "b");
  await t.clock.advance(hour);
  const lost = t.engine.bell.list({ limit: 10 }).notices.filter(({ kind }) =>
    kind === "notify.delivery_failed"
  );
  assert.deepEqual(lost.map(({ count }) => count), [2]);
});

Deno.test("Courier makes one message of a storm that says how many there were", async () => {
  const units = Array.from({ length: 200 }, (_, n) => task({ name: `t${n}` }));
  await using t = await makeNotifying(units);
  let answer: (verdict: Verdict) => void = () => {};
  t.net.verdict = () => new Promise((resolve) => answer = resolve);
  await fail(t, "t0");
  await t.clock.advance(second);
  for (let n = 1; n < 200; n++) await fail(t, `t${n}`);
  t.net.verdict = () => ({ is: "sent" });
  answer({ is: "sent" });
  await t.clock.advance(second);
  assert.deepEqual(said(t), ['Task "t0" failed', "199 notices from machine"]);
});

Deno.test("Courier makes two messages of ten thousand failures, and the second says how many", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  const one: Happening = {
    kind: "run.failed",
    reason: "failed",
    severity: "error",
    unit: "a",
    runId: "R",
    isFailure: true,
    title: 'Task "a" failed',
    body: "",
    at: 0,
  };
  for (let n = 0; n < 10_000; n++) {
    t.engine.happenings.publish({ type: "happening", happening: { ...one, at: t.clock.now() } });
    if (n % 100 === 0) await t.clock.advance(600);
  }
  await t.clock.advance(hour);
  assert.deepEqual(said(t), ['Task "a" failed', 'Task "a" failed: 10000 times within 1 m 00 s']);
  assert.deepEqual(t.engine.bell.list({ limit: 10 }).notices.map(({ count }) => count), [10_000]);
});

Deno.test("Courier sends what a dead daemon left, again where its end is not known, as one message", async () => {
  const units = Array.from({ length: 20 }, (_, n) => task({ name: `t${n}` }));
  await using t = await makeNotifying(units);
  t.net.verdict = () => new Promise(() => {});
  for (let n = 0; n < 20; n++) await fail(t, `t${n}`);
  await t.clock.advance(second);
  assert.equal(t.net.delivered.length, 1);
  await t.crash(hour);
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(said(t), ["20 notices from machine"]);
  await t.clock.advance(2 * hour);
  assert.equal(t.net.delivered.length, 1);
});

Deno.test("Courier tells of a failure though the daemon died between the end of the run and its notice", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  t.engine.run("a", { trigger: "api" });
  await settle();
  // The end is stored; nobody who would tell of it hears of it.
  t.engine.bell.stop();
  t.processes.only("a").exit(3);
  await settle();
  await t.crash();
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(said(t), ['Task "a" failed']);
  assert.deepEqual(rows(t), ['run.failed Task "a" failed']);
  await t.stop();
  await t.start();
  await t.clock.advance(hour);
  assert.deepEqual(t.engine.bell.list({ limit: 10 }).notices.map(({ count }) => count), [1]);
});

Deno.test("Courier hands mail to a program of the machine, also without the network", async () => {
  await using t = await makeNotifying([task({ name: "a" })], {
    globalNotifiers: ["mail"],
    notifiers: [mail],
  });
  await fail(t, "a");
  await t.clock.advance(second);
  assert.equal(t.mailed.length, 1);
  assert.match(t.mailed[0]!.text, /^Subject: .*Task "a" failed/m);
});

Deno.test("Courier drops what waits for a notifier that is gone, and asks a changed one at once", async () => {
  await using t = await makeNotifying([task({ name: "a" }), task({ name: "b" })]);
  t.net.verdict = () => ({ is: "again", why: "status 500", after: 4 * minute });
  await fail(t, "a");
  await t.clock.advance(second);
  const moved = { ...ops, settings: { url: "https://ops.example.com/new" } };
  t.config = { ...t.config, notify: { ...t.config.notify, notifiers: [moved] } };
  t.net.verdict = () => ({ is: "sent" });
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(5 * minute);
  assert.deepEqual(t.net.delivered.map((one) => "url" in one && one.url), [
    "https://ops.example.com/hook",
    "https://ops.example.com/new",
  ]);
  t.net.verdict = () => ({ is: "again", why: "status 500" });
  await fail(t, "b");
  await t.clock.advance(second);
  t.config = { ...t.config, notify: { ...t.config.notify, globalNotifiers: ["inapp"], notifiers: [] } };
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(10 * minute);
  assert.ok(t.said.some((line) => line.includes("messages are dropped")));
});

Deno.test("Courier tells a success only to a route that asks for it", async () => {
  const route = { kinds: ["run.succeeded"], task: "a*", notify: ["ops"] };
  await using t = await makeNotifying([task({ name: "a" }), task({ name: "b" })], {
    globalNotifiers: ["inapp"],
    routes: [route],
  });
  for (const name of ["a", "b"]) {
    t.engine.run(name, { trigger: "api" });
    await settle();
    t.processes.only(name).exit(0);
    await settle();
  }
  await t.clock.advance(second);
  assert.deepEqual(said(t), ['Task "a" succeeded']);
  assert.deepEqual(rows(t), []);
});

Deno.test("Courier.test() sends one message, says what came of it, and keeps nothing", async () => {
  await using t = await makeNotifying([]);
  assert.deepEqual(await t.engine.courier.test("ops"), { delivered: true, error: "" });
  t.net.verdict = () => ({ is: "again", why: "connection refused" });
  assert.deepEqual(await t.engine.courier.test("ops"), { delivered: false, error: "connection refused" });
  await t.clock.advance(hour);
  assert.equal(t.net.delivered.length, 2);
  await assert.rejects(
    () => t.engine.courier.test("opps"),
    new Fault("not_found", 'no notifier "opps": did you mean "ops"?'),
  );
});

Deno.test("Courier.stop() waits a little for what is under way, and no longer", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  t.net.verdict = () => new Promise(() => {});
  await fail(t, "a");
  await t.clock.advance(second);
  let isOver = false;
  const stopped = t.engine.stop().then(() => isOver = true);
  await t.clock.advance(2 * second);
  assert.equal(isOver, false);
  await t.clock.advance(2 * second);
  await stopped;
});

Deno.test("Courier tells things in the order in which they happened, also those that it had to try again", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  t.net.verdict = () => t.net.delivered.length === 1 ? { is: "again", why: "status 503" } : { is: "sent" };
  await fail(t, "a");
  await t.clock.advance(second / 2);
  t.engine.run("a", { trigger: "api" });
  await settle();
  t.processes.only("a").exit(0);
  await t.clock.advance(5 * second);
  assert.deepEqual(said(t), ['Task "a" failed', 'Task "a" failed', 'Task "a" works again']);
});

Deno.test("Courier serves notifiers first, however many pings hang", async () => {
  const units = Array.from(
    { length: 30 },
    (_, i) => task({ name: `t${i}`, pingUrl: "https://hc.example.com/x" }),
  );
  const notify = { globalNotifiers: ["zulip"], notifiers: [{ ...ops, id: "zulip" }] };
  await using t = await makeNotifying([...units, task({ name: "b" })], notify);
  const hang = (): Promise<Verdict> =>
    new Promise((resolve) => t.clock.after(15 * second, () => resolve({ is: "again", why: "no answer" })));
  t.net.verdict = (one) => "url" in one && one.url.includes("hc.") ? hang() : { is: "sent" };
  for (const { name } of units) t.engine.run(name, { trigger: "api" });
  await t.clock.advance(second);
  await fail(t, "b");
  await t.clock.advance(16 * second);
  const toOps = t.net.delivered.filter((one) => "url" in one && one.url.includes("ops."));
  assert.deepEqual(toOps.map(titleOf), ['Task "b" failed']);
});

Deno.test("Courier does not wait for a time that lies ahead because the clock was set back", async () => {
  await using t = await makeNotifying([task({ name: "a" })]);
  t.net.verdict = () => t.net.delivered.length === 1 ? { is: "again", why: "status 503" } : { is: "sent" };
  await fail(t, "a");
  await t.clock.advance(second / 2);
  t.clock.jump(-24 * hour);
  await t.clock.advance(10 * second);
  assert.equal(said(t).length, 2);
});

Deno.test("Courier does not send one message after the other in a storm that goes on", async () => {
  const units = Array.from({ length: 60 }, (_, i) => task({ name: `t${i}` }));
  await using t = await makeNotifying(units);
  for (const { name } of units) {
    await fail(t, name);
    await t.clock.advance(second / 2);
  }
  await t.clock.advance(minute);
  assert.equal(said(t).length, 16);
  const counts = t.net.delivered.map((one) => "body" in one ? JSON.parse(one.body).count : 0);
  assert.equal(counts.reduce((a, b) => a + b), 60);
});
