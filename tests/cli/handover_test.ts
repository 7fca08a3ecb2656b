import assert from "node:assert/strict";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { noon, service, task } from "../support/units.ts";
import { matchGolden } from "./golden.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";

const units = [task({ name: "long" }), service({ name: "web" })];

/** A daemon that is gone once it has handed over; `next` answers from then on, if there is one. */
function handingOver(test: TestEngine, next?: typeof fetch, managed = next !== undefined): typeof fetch {
  const old = fetchFrom(test, { facts: { serviceManaged: managed } });
  let isGone = false;
  void test.engine.handedOver.then(() => isGone = true);
  return (input, init) => {
    if (!isGone) return old(input, init);
    return next?.(input, init) ?? Promise.reject(new TypeError("refused"));
  };
}

Deno.test("svc handover says how it went, and who starts the next daemon", async () => {
  await using test = await makeEngine({ units });
  const terminal = memoryTerminal();
  const { code, stdout } = await call(["handover"], { terminal, fetch: handingOver(test) });
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(terminal.stderr, /^the daemon has ended, .* nothing starts the next .* "svc up" does\n$/);
  assert.equal(test.engine.isScheduling, false);
});

Deno.test("svc handover waits for the daemon that a service manager starts", async () => {
  await using test = await makeEngine({ units });
  await using next = await makeEngine({ units });
  const fetch = handingOver(test, fetchFrom(next, { facts: { pid: 4712, serviceManaged: true } }));
  const { code, stdout } = await call(["handover", "--json"], { fetch, now: () => noon });
  assert.equal(code, 0);
  matchGolden("handover.json", stdout);
});

Deno.test("svc handover says after a while that no other daemon has come", async () => {
  await using test = await makeEngine({ units });
  let now = noon;
  const { code, stderr } = await call(["handover"], {
    fetch: handingOver(test, undefined, true),
    now: () => now += 10_000,
  });
  assert.equal(code, 1);
  assert.match(stderr, /no other answers after 30 s: what ran goes on/);
});
