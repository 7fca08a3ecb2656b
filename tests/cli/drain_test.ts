import assert from "node:assert/strict";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { service, task } from "../support/units.ts";
import { call, fetchFrom, memoryTerminal, until } from "./memory.ts";

const units = [task({ name: "long" }), service({ name: "web" })];

/** A daemon that is gone once its drain has come to its end. */
function goingDown(test: TestEngine): typeof fetch {
  const fetch = fetchFrom(test);
  let isGone = false;
  void test.engine.drained.then(() => isGone = true);
  return (input, init) => isGone ? Promise.reject(new TypeError("refused")) : fetch(input, init);
}

Deno.test("svc drain tells what it waits for until the daemon has ended", async () => {
  await using test = await makeEngine({ units });
  test.engine.run("long", { trigger: "api" });
  const terminal = memoryTerminal();
  const draining = call(["drain"], { terminal, fetch: goingDown(test), now: () => test.clock.now() });
  await until(() => terminal.stderr !== "");
  assert.equal(terminal.stderr, "the daemon drains: it waits for long (run R000002)\n");
  test.processes.only("long").exit(0);
  const { code, stdout, stderr } = await draining;
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(stderr, /\nthe daemon has ended, after 0 ms\n$/);
});

Deno.test("svc drain --no-wait says what is waited for, and leaves", async () => {
  await using test = await makeEngine({ units });
  test.engine.run("long", { trigger: "api" });
  const { code, stdout } = await call(["drain", "--no-wait", "--json"], { fetch: fetchFrom(test) });
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), {
    schema_version: 1,
    ended: false,
    waits_for: [{ task_name: "long", run_id: "R000002" }],
  });
  assert.equal(test.engine.isScheduling, false);
});

Deno.test("svc drain leaves the drain to itself at Ctrl-C", async () => {
  await using test = await makeEngine({ units });
  test.engine.run("long", { trigger: "api" });
  const terminal = memoryTerminal();
  const draining = call(["drain"], { terminal, fetch: goingDown(test) });
  await until(() => terminal.stderr !== "");
  terminal.interrupt();
  assert.equal((await draining).code, 130);
  assert.match(terminal.stderr, /\nleft: the daemon drains on and ends by itself\n$/);
  assert.equal(test.engine.isScheduling, false);
  assert.equal(test.processes.alive("long").length, 1);
});

Deno.test("svc drain takes a daemon that starts things again for the next one", async () => {
  await using test = await makeEngine({ units });
  test.engine.run("long", { trigger: "api" });
  const old = fetchFrom(test);
  await using next = await makeEngine({ units });
  const fresh = fetchFrom(next);
  const terminal = memoryTerminal();
  const draining = call(["drain"], {
    terminal,
    fetch: (input, init) => terminal.stderr === "" ? old(input, init) : fresh(input, init),
  });
  assert.equal((await draining).code, 0);
  assert.match(terminal.stderr, /has ended/);
});
