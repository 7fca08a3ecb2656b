import assert from "node:assert/strict";
import { watchRefusal } from "../../src/cli/refusal_watch.ts";
import type { DaemonInfoJson } from "../../src/http/schemas/daemon.ts";
import { makeEngine } from "../support/make_engine.ts";
import { minute, noon, second, task } from "../support/units.ts";
import { call, fetchFrom } from "./memory.ts";

const full = new Error("database or disk is full");
const words =
  "The database has refused for 10 m: database or disk is full; nothing starts or ends until there is room.";

/** A daemon that has been refused for ten minutes. */
async function makeRefused() {
  const t = await makeEngine({ units: [task({ name: "t" }), task({ name: "u" })] });
  t.refusals.note("cannot store what is due", { error: full });
  for (let i = 0; i < 601; i++) {
    await t.clock.advance(second);
    t.refusals.note("cannot store what is due", { error: full });
  }
  const svc = (...args: string[]) => call(args, { fetch: fetchFrom(t), now: () => t.clock.now() });
  return { t, svc };
}

Deno.test("svc status and svc list begin with a database that refuses, and don't say that all is well", async () => {
  const { t, svc } = await makeRefused();
  await using _ = t;
  const status = await svc("status");
  assert.equal(status.code, 0);
  assert.ok(status.stdout.startsWith(`✕ ${words}\n2 tasks, 0 services up, 0 running.\n`), status.stdout);
  assert.ok(!status.stdout.includes("All well"));
  const list = await svc("list");
  assert.ok(list.stdout.startsWith(`✕ ${words}\n\n  UNIT`), list.stdout);
  const refusing = { since: new Date(noon).toISOString(), why: full.message };
  assert.deepEqual(JSON.parse((await svc("status", "--json")).stdout).daemon.refusing, refusing);
  assert.deepEqual(JSON.parse((await svc("list", "--json")).stdout).refusing, refusing);
  await t.clock.advance(minute);
  assert.match((await svc("status")).stdout, /^All well\. /);
  assert.match((await svc("list")).stdout, /^ {2}UNIT/);
});

Deno.test("watchRefusal() says once of each time why nothing goes on, after five seconds", async () => {
  const answers: (DaemonInfoJson["refusing"] | Error)[] = [
    undefined,
    { since: new Date(noon).toISOString(), why: full.message },
    { since: new Date(noon).toISOString(), why: full.message },
    new Error("away"),
    { since: new Date(noon + minute).toISOString(), why: "database is locked" },
  ];
  const over = new AbortController();
  const told: string[] = [];
  const waits: number[] = [];
  await watchRefusal(
    () => {
      const refusing = answers.shift();
      if (refusing instanceof Error) return Promise.reject(refusing);
      return Promise.resolve({ ...(refusing === undefined ? {} : { refusing }) } as DaemonInfoJson);
    },
    {
      signal: over.signal,
      now: () => noon + 10 * minute,
      tell: (text) => void told.push(text),
      wait: (ms) => {
        waits.push(ms);
        if (answers.length === 0) over.abort();
        return Promise.resolve();
      },
    },
  );
  assert.deepEqual(waits, [5000, 30_000, 30_000, 30_000, 30_000, 30_000]);
  assert.deepEqual(told, [
    words,
    "The database has refused for 9 m: database is locked; nothing starts or ends until another program lets go of it.",
  ]);
});
