import assert from "node:assert/strict";
import { Refusals } from "../../src/engine/refusals.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { hour, minute, noon, second, task } from "../support/units.ts";

const full = new Error("database or disk is full");

/** Refusals over a clock, with what the log and the listener have heard. */
function makeRefusals() {
  const clock = new FakeClock(noon);
  const said: string[] = [];
  const heard: (string | undefined)[] = [];
  const say = (level: string) => (message: string, facts: Record<string, unknown> = {}): void =>
    void said.push(
      [level, message, ...Object.entries(facts).map(([key, value]) => `${key}=${value}`)].join(" "),
    );
  const log = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
  const refusals = new Refusals({ clock, log });
  refusals.listen((refusing) => void heard.push(refusing?.why));
  return { clock, said, heard, refusals };
}

Deno.test("Refusals tells of an outage when it begins, at growing steps, and when it is over", async () => {
  const { clock, said, heard, refusals } = makeRefusals();
  let left = 3 * 3600 + 60;
  const attempt = (): void => {
    if (--left <= 0) return;
    refusals.note("cannot store what is due", { error: full, facts: { unit: "t" } });
    refusals.tryAgain("cannot store the end of a run", { error: full, facts: { run: "R1" } }, attempt);
  };
  attempt();
  assert.deepEqual(refusals.refusing, { since: noon, why: "database or disk is full" });
  await clock.advance(3 * hour + 2 * minute);
  assert.deepEqual(said, [
    "error cannot store what is due, trying again in a second unit=t error=database or disk is full",
    "error cannot store the end of a run, trying again in a second run=R1 error=database or disk is full",
    "error the database still refuses for=1 m 00 s tries=121 error=database or disk is full",
    "error the database still refuses for=10 m 00 s tries=1201 error=database or disk is full",
    "error the database still refuses for=1 h 00 m tries=7201 error=database or disk is full",
    "error the database still refuses for=2 h 00 m tries=14401 error=database or disk is full",
    "error the database still refuses for=3 h 00 m tries=21601 error=database or disk is full",
    "info the database takes everything again after=3 h 00 m tries=21718",
  ]);
  assert.deepEqual(heard, ["database or disk is full", undefined]);
  assert.equal(refusals.refusing, undefined);
});

Deno.test("Refusals takes a second outage for a new one", async () => {
  const { clock, said, heard, refusals } = makeRefusals();
  for (const why of ["database is locked", "disk I/O error"]) {
    refusals.note("cannot store what is due", { error: new Error(why) });
    await clock.advance(3 * second);
  }
  assert.deepEqual(heard, ["database is locked", undefined, "disk I/O error", undefined]);
  assert.equal(said.filter((line) => line.includes("trying again")).length, 2);
});

Deno.test("Refusals.tryAgain() gives up what nobody wants any more", async () => {
  const { clock, refusals } = makeRefusals();
  let tries = 0;
  const isOver = (): boolean => clock.now() >= noon + 3 * second;
  const attempt = (): void => {
    tries++;
    refusals.tryAgain("cannot store the end of a run", { error: full, isOver }, attempt);
  };
  attempt();
  await clock.advance(minute);
  assert.equal(tries, 3);
  assert.equal(refusals.refusing, undefined);
});

Deno.test("Engine knows that its database refuses, tells it, and writes few lines of it", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * * *" }), task({ name: "fill" })],
    before: ({ processes }) => processes.behave("t", { exits: 0 }),
  });
  const told: unknown[] = [];
  t.engine.news.subscribe((news) => void (news.type === "daemon.refusing" && told.push(news)));
  t.engine.run("fill", { trigger: "api" });
  const { store } = t;
  const own = store.transaction.bind(store);
  store.transaction = () => {
    throw full;
  };
  t.processes.only("fill").exit(0);
  await t.clock.advance(11 * minute);
  const refusing = { since: noon, why: "database or disk is full" };
  assert.deepEqual(t.engine.refusing, refusing);
  const errors = t.said.filter((line) => line.startsWith("error"));
  assert.deepEqual(errors, [
    "error cannot store the end of a run, trying again in a second",
    "error cannot store what is due, trying again in a second",
    "error the database still refuses",
    "error the database still refuses",
  ]);
  store.transaction = own;
  await t.clock.advance(5 * second);
  assert.equal(t.engine.refusing, undefined);
  assert.deepEqual(t.outcomes("fill"), ["success"]);
  assert.ok(t.said.includes("info the database takes everything again"));
  assert.deepEqual(told, [{ type: "daemon.refusing", refusing }, { type: "daemon.refusing" }]);
});

Deno.test("Refusals.knows() what the log has as the reason of an outage, and nothing else", async () => {
  const { clock, refusals } = makeRefusals();
  assert.equal(refusals.knows(full), false);
  refusals.note("cannot store what is due", { error: full });
  assert.equal(refusals.knows(full), true);
  assert.equal(refusals.knows(new Error("no such table")), false);
  await clock.advance(3 * second);
  assert.equal(refusals.knows(full), false);
});
