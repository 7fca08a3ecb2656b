import assert from "node:assert/strict";
import type { Post } from "../../src/core/notify/outgoing.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, second, task } from "../support/units.ts";

const pingUrl = "https://hc.example.com/ping/1?x=1";

async function run(t: TestEngine, code: number): Promise<void> {
  t.engine.run("a", { trigger: "api" });
  await settle();
  await t.clock.advance(second);
  t.processes.only("a").exit(code);
  await t.clock.advance(second);
}

const called = (t: TestEngine) =>
  t.net.delivered.map((one) => new URL((one as Post).url)).map(({ pathname }) => pathname);

Deno.test("Pings tell of start, success and failure, in order", async () => {
  await using t = await makeEngine({ units: [task({ name: "a", pingUrl })] });
  await run(t, 0);
  await run(t, 3);
  assert.deepEqual(called(t), ["/ping/1/start", "/ping/1", "/ping/1/start", "/ping/1/fail"]);
  assert.match((t.net.delivered[3] as Post).body, /^Task "a" failed\nexit code 3 after /);
});

Deno.test("Pings tell of a failure once it is not tried again", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a", pingUrl, retryAttempts: 1, retryDelay: second / 2 })],
  });
  await run(t, 1);
  assert.deepEqual(called(t), ["/ping/1/start", "/ping/1/start"]);
  t.processes.only("a").exit(1);
  await t.clock.advance(second);
  assert.deepEqual(called(t).slice(2), ["/ping/1/fail"]);
});

Deno.test("Pings are tried again, each by itself, and given up with a notice", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a", pingUrl })],
    before: (t) => t.config = { ...t.config, notify: { ...t.config.notify, globalNotifiers: ["inapp"] } },
  });
  t.net.verdict = () => ({ is: "again", why: "status 503" });
  await run(t, 0);
  await t.clock.advance(20 * minute);
  const [notice] = t.engine.bell.list({ limit: 10 }).notices;
  assert.equal(notice?.title, "The dead man's switch of a could not be told");
  assert.equal(notice?.count, 2);
});

Deno.test("Pings keep their order where the first of them has to be tried again", async () => {
  await using t = await makeEngine({ units: [task({ name: "a", pingUrl })] });
  t.net.verdict = () => t.net.delivered.length === 1 ? { is: "again", why: "status 503" } : { is: "sent" };
  t.engine.run("a", { trigger: "api" });
  await t.clock.advance(second / 2);
  t.processes.only("a").exit(0);
  await t.clock.advance(5 * second);
  assert.deepEqual(called(t), ["/ping/1/start", "/ping/1/start", "/ping/1"]);
});

Deno.test("Pings keep their order over the death of the daemon", async () => {
  await using t = await makeEngine({ units: [task({ name: "a", pingUrl })] });
  t.net.verdict = () => ({ is: "again", why: "status 503" });
  t.engine.run("a", { trigger: "api" });
  await t.clock.advance(40 * second);
  t.processes.only("a").exit(0);
  await settle();
  await t.crash();
  await t.start();
  await t.clock.advance(2 * minute);
  assert.deepEqual(called(t), ["/ping/1/start", "/ping/1"]);
});
