import assert from "node:assert/strict";
import { now } from "../../ui/data/clock.ts";
import { merge } from "../../ui/views/units/recent_runs.ts";
import { learnWords } from "../../ui/data/schedules.ts";
import { scheduleWords } from "../../ui/views/units/schedule_words.ts";
import { buttonsOf } from "../../ui/views/units/unit_buttons.tsx";
import {
  chooseUnits,
  groupUnits,
  inPieces,
  readQuery,
  type SortKey,
  toggled,
} from "../../ui/views/units/unit_query.ts";
import { UnitFilter } from "../../ui/views/units/units.tsx";
import { UnitsTable } from "../../ui/views/units/units_table.tsx";
import { textOf } from "./text.ts";
import { aRun, aService, at, aTask, noon } from "./unit_samples.ts";

const names = (units: readonly { name: string }[]) => units.map(({ name }) => name);

Deno.test.beforeAll(() => learnWords("0 2 * * *", "daily at 02:00"));

Deno.test("readQuery() takes from the address what it knows, and nothing else", () => {
  assert.deepEqual(readQuery(new URLSearchParams("q=web&is=failing,nope,toString&sort=-next")), {
    text: "web",
    is: ["failing"],
    sort: "next",
    isDown: true,
  });
  assert.deepEqual(readQuery(new URLSearchParams("sort=size")), {
    text: "",
    is: [],
    sort: "name",
    isDown: false,
  });
});

Deno.test("toggled() lets tasks and services shut each other out", () => {
  assert.deepEqual(toggled(["failing", "tasks"], "services"), ["failing", "services"]);
  assert.deepEqual(toggled(["failing"], "failing"), []);
});

Deno.test("chooseUnits() wants every word and every chip", () => {
  const all = [
    aTask("backup-db", { group: "night", paused_at: at(0) }),
    aTask("certs", {
      description: "Renews the night's certificates",
      last_run: aRun("1", { end_reason: "failed" }),
    }),
    aService("web", { active_runs: 1 }),
  ];
  assert.deepEqual(names(chooseUnits(all, { text: "NIGHT ", is: [] })), ["backup-db", "certs"]);
  assert.deepEqual(names(chooseUnits(all, { text: "", is: ["failing"] })), ["certs"]);
  assert.deepEqual(names(chooseUnits(all, { text: "", is: ["running"] })), ["web"]);
  assert.deepEqual(names(chooseUnits(all, { text: "night", is: ["paused", "tasks"] })), ["backup-db"]);
});

Deno.test("groupUnits() sorts groups by name, the nameless one last, and units within each", () => {
  const all = [
    aTask("c", { next_run_at: at(5) }),
    aTask("b", { group: "x", next_run_at: at(9), usage: { cpu_percent: 1, memory_bytes: 9 } }),
    aTask("a", {
      group: "x",
      usage: { cpu_percent: 5, memory_bytes: 1 },
      last_run: aRun("1", { end_reason: "failed" }),
    }),
  ];
  const order = (sort: SortKey, isDown = false) =>
    groupUnits(all, { sort, isDown }).map(({ units }) => names(units));
  assert.deepEqual(groupUnits(all, { sort: "name", isDown: false }).map(({ name }) => name), ["x", ""]);
  assert.deepEqual(order("name"), [["a", "b"], ["c"]]);
  assert.deepEqual(order("name", true), [["b", "a"], ["c"]]);
  assert.deepEqual(order("next"), [["b", "a"], ["c"]]);
  assert.deepEqual(order("memory"), [["b", "a"], ["c"]]);
  assert.deepEqual(order("cpu"), [["a", "b"], ["c"]]);
  assert.deepEqual(order("last"), [["a", "b"], ["c"]]);
  assert.deepEqual(order("state"), [["a", "b"], ["c"]]);
});

Deno.test("scheduleWords() names the zone only where it is not the daemon's", () => {
  const task = aTask("a", { cron: "30 2 * * *", timezone: "Europe/Berlin" });
  learnWords("30 2 * * *", "daily at 02:30");
  assert.equal(scheduleWords(task, "Europe/Berlin"), "daily at 02:30");
  assert.equal(scheduleWords(task, "UTC"), "daily at 02:30 Europe/Berlin");
  assert.equal(scheduleWords(aService("web", { instances: 3 }), "UTC"), "service, 3 instances");
  assert.equal(scheduleWords(aTask("a"), "UTC"), "by request");
});

Deno.test("buttonsOf() offers what can be done now", () => {
  const labels = (unit: Parameters<typeof buttonsOf>[0]) => buttonsOf(unit).map(({ label }) => label);
  assert.deepEqual(labels(aTask("a", { cron: "* * * * *" })), ["Run", "Pause"]);
  assert.deepEqual(labels(aTask("a", { api_trigger: false, active_runs: 1 })), ["Stop"]);
  assert.deepEqual(labels(aTask("a", { parameters: [{ kind: "arg", key: "x" }] })), ["Run…"]);
  assert.deepEqual(labels(aService("web")), ["Restart", "Stop"]);
});

Deno.test("merge() keeps each run once, as it is now, the newest first and not too many", () => {
  const merged = merge([aRun("2"), aRun("1")], [aRun("3"), aRun("2", { exit_code: 7 })], 2);
  assert.deepEqual(merged.map(({ id, exit_code }) => [id, exit_code]), [["3", 0], ["2", 7]]);
});

Deno.test("inPieces() leaves nothing out", () => {
  assert.deepEqual(inPieces([1, 2, 3], 2), [[1, 2], [3]]);
  assert.deepEqual(inPieces([], 2), []);
});

Deno.test("UnitsTable shows groups with their units, and a folded one by its number", () => {
  now.value = noon;
  const all = [
    aTask("backup", {
      group: "night",
      description: "Packs it all",
      cron: "0 2 * * *",
      last_run: aRun("1"),
      next_run_at: at(7200),
    }),
    aService("web", { group: "shop", usage: { cpu_percent: 3.4, memory_bytes: 23e6 } }),
    aTask("once", { group: "zzz" }),
  ];
  const query = { sort: "name", isDown: false } as const;
  const view = (
    <UnitsTable
      groups={groupUnits(all, query)}
      query={query}
      closed={new Set(["zzz"])}
      onSort={() => {}}
      onFold={() => {}}
    />
  );
  assert.equal(
    textOf(view),
    `Units
[State ] | [Name ↑ ] | Schedule | Last results | [Last run ] | [Next run ] | [CPU ] | [Memory ] |
[ ▾ night 1 ]
✓ ok |
[backup] Packs it all
| daily at 02:00 | | 58 s ago | in 2 h | | [ Run backup ][ Pause backup ][ Log of the last run of backup ] | [Actions for backup]
[ ▾ shop 1 ]
● up 1/1 |
[web]
| service | | – | – | 3 % | 23 MB [ Restart web ][ Stop web ] | [Actions for web]
[ ▸ zzz 1 ]`,
  );
});

Deno.test("UnitFilter says how many units each chip would show", () => {
  const all = [aTask("a", { last_run: aRun("1", { end_reason: "failed" }) }), aService("web")];
  assert.equal(
    textOf(<UnitFilter all={all} text="we" is={["tasks"]} />),
    "[we______]\n[failing 1 ][running 1 ][paused 0 ][tasks 1 ][services 1 ]",
  );
});
