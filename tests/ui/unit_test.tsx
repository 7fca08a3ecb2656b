import assert from "node:assert/strict";
import { learnWords } from "../../ui/data/schedules.ts";
import { now } from "../../ui/data/clock.ts";
import { daemon } from "../../ui/data/daemon.ts";
import { definitionOf } from "../../ui/views/unit/definition.ts";
import { Definition, hookCommand } from "../../ui/views/unit/definition_tab.tsx";
import { LengthTable, Numbers } from "../../ui/views/unit/durations_tab.tsx";
import { instancesOf } from "../../ui/views/unit/instances.ts";
import { Instances } from "../../ui/views/unit/instances_tab.tsx";
import { Missing, nearNames } from "../../ui/views/unit/missing.tsx";
import { scheduleFacts } from "../../ui/views/unit/schedule_facts.ts";
import { Facts, TickTable } from "../../ui/views/unit/schedule_tab.tsx";
import { withinBounds } from "../../ui/views/unit/split.tsx";
import { tabOf } from "../../ui/views/unit/tabs.ts";
import { tickNote, tickTime } from "../../ui/views/unit/tick_words.ts";
import type { UnitConfig } from "../../ui/views/unit/unit_config.ts";
import { UnitHeader } from "../../ui/views/unit/unit_header.tsx";
import { textOf } from "./text.ts";
import { aRun, aService, at, aTask, noon } from "./unit_samples.ts";

Deno.test.beforeAll(() => {
  now.value = noon;
  daemon.value = { resolved_timezone: "UTC" } as never;
  learnWords("30 2 * * *", "daily at 02:30");
  learnWords("0 2 * * *", "daily at 02:00");
});

const berlin = { cron: "30 2 * * *", timezone: "Europe/Berlin" };

/** A tick of a day at a time in Berlin. */
function tick(local: string, note: "" | "gap" | "repeat" = "") {
  return { at: new Date(local).toISOString(), local, note };
}

Deno.test("tickNote() tells what the clocks do to a tick", () => {
  const gap = tick("2027-03-28T03:00:00+02:00", "gap");
  const days = [tick("2027-03-27T02:30:00+01:00"), gap, tick("2027-03-29T02:30:00+02:00")];
  assert.equal(tickNote(gap, days), "02:30 does not exist that day: runs at 03:00");
  // Of several times a day nobody can tell which one it is.
  const moved = "moved out of the hour that does not exist that day";
  assert.equal(tickNote(gap, [...days, tick("2027-03-29T02:45:00+02:00")]), moved);
  assert.equal(tickNote(gap, [gap]), moved);
  const repeat = tick("2027-10-31T02:30:00+01:00", "repeat");
  assert.equal(tickNote(repeat, [repeat]), "the second 02:30 is left out");
  assert.equal(tickNote(days[0]!, days), "");
});

Deno.test("tickTime() shows the wall clock, with seconds where there are some", () => {
  assert.equal(tickTime({ local: "2027-03-28T03:00:00+02:00" }), "Sun 2027-03-28 03:00");
  assert.equal(tickTime({ local: "2027-03-29T03:00:15+02:00" }), "Mon 2027-03-29 03:00:15");
});

Deno.test("TickTable lists ticks with their notes", () => {
  const ticks = [
    { at: at(3600), local: "2026-11-28T02:30:00+01:00", note: "" },
    { at: "2027-03-28T01:00:00.000Z", local: "2027-03-28T03:00:00+02:00", note: "gap" },
  ] as const;
  assert.equal(
    textOf(<TickTable ticks={ticks} />),
    "Next runs\nSat 2026-11-28 02:30 | in 1 h\n" +
      "Sun 2027-03-28 03:00 02:30 does not exist that day: runs at 03:00 | in 3 months",
  );
});

Deno.test("Facts puts a schedule into words", () => {
  const unit = aTask("backup", {
    ...berlin,
    jitter: 300e9,
    catch_up: "all",
    on_overlap: "skip",
    paused_at: at(0),
  });
  assert.equal(
    textOf(<Facts unit={unit} {...berlin} expectEvery={86400e9} />),
    `Daily at 02:30
30 2 * * * in Europe/Berlin · paused: its ticks pass by
Jitter
starts up to 5m later
Missed ticks
are all made up for, 100 at most
Overlap
one run at a time; one more is skipped
Expected
a success every 1d, or a notice`,
  );
});

Deno.test("scheduleFacts() says how many may wait", () => {
  const overlap = (rest: Parameters<typeof aTask>[1]) =>
    new Map(scheduleFacts(aTask("a", rest), 0)).get("Overlap");
  assert.equal(overlap({ max_concurrent: 4, queue_max: 0 }), "up to 4 runs at a time; none may wait");
  assert.equal(overlap({ on_overlap: "terminate" }), "one run at a time; one more ends the oldest");
});

Deno.test("withinBounds() keeps both sides of a split usable", () => {
  assert.deepEqual([withinBounds(5), withinBounds(50.4), withinBounds(99), withinBounds(NaN)], [
    20,
    50,
    70,
    38,
  ]);
});

Deno.test("tabOf() falls back to the first tab", () => {
  assert.equal(tabOf(aTask("a"), "durations").title, "Durations");
  assert.equal(tabOf(aTask("a"), "instances").title, "Runs");
  assert.equal(tabOf(aService("a"), null).title, "Runs");
});

Deno.test("UnitHeader says what a unit is, does and can be told to do", () => {
  const unit = aTask("backup", {
    group: "night",
    description: "Packs it all",
    cron: "0 2 * * *",
    next_run_at: at(7200),
    active_runs: 1,
    usage: { cpu_percent: 99.6, memory_bytes: 5e6 },
  });
  assert.equal(
    textOf(<UnitHeader unit={unit} onRun={() => {}} />),
    `backup
◐ running
[Run][Stop][Pause]
Packs it all
night daily at 02:00 next in 2 h 100 % of a core, 5 MB`,
  );
});

Deno.test("instancesOf() gives each instance its life, and one that is down too", () => {
  const active = [aRun("9", { status: "running", instance_index: 1, start_at: at(-90) })];
  const ended = [aRun("8", { end_reason: "crashed", exit_code: 139 }), aRun("7")];
  const instances = instancesOf(2, { active, ended });
  assert.deepEqual(instances.map(({ run, restarts, before }) => [run?.id, restarts, before?.id]), [
    [undefined, 2, "8"],
    ["9", 0, undefined],
  ]);
  const unit = aService("web", { instances: 2, service_state: "degraded" });
  assert.equal(
    textOf(<Instances unit={unit} instances={instances} />),
    `◑ degraded 1/2 1 of 2 healthy
Instances
Instance | State | Up for | Ended before | Last end |
0 | down | – | 2 times | ✕ crashed (SEGV) [ 58 s ago ] |
1 | ◐ running | 1 m 30 s | never | – | [Log of 1 ][Stop instance 1 ]`,
  );
});

Deno.test("Numbers and LengthTable tell how long runs take", () => {
  const stats = { count: 4, p50: 2000, p95: 100_000, max: 100_000, success: 0.75 };
  assert.equal(
    textOf(<Numbers stats={stats} />),
    "p50\n2.0 s\np95\n1 m 40 s\nlongest\n1 m 40 s\nwent well\n75.0 %\nruns\n4",
  );
  assert.equal(
    textOf(<LengthTable runs={[aRun("1")]} zone="UTC" />),
    "Started | Took | Ended\n2026-11-28 11:59 | 2.0 s | ok",
  );
});

Deno.test("nearNames() finds the unit that was meant", () => {
  const known = ["backup", "backup-db", "certs", "web"];
  assert.deepEqual(nearNames("bakup", known), ["backup"]);
  assert.deepEqual(nearNames("backup-", known), ["backup", "backup-db"]);
  assert.deepEqual(nearNames("x", known), []);
  assert.equal(
    textOf(<Missing name="bakup" known={known} />),
    'bakup\nThere is no unit called "bakup"\nDid you mean [backup]?\n[All units][Runs of bakup]',
  );
});

const config: UnitConfig = {
  ...aTask("backup", {
    run: "tar -c /home\n",
    cron: "0 2 * * *",
    timezone: "UTC",
    keep_runs: 50,
    retry_attempts: 0,
  }),
  failures: [
    "failed",
    "timeout",
    "crashed",
    "log_overflow",
    "start_failed",
    "unhealthy",
    "missed",
    "queue_full",
    "daemon_stopped",
  ],
  stop_signal: "SIGTERM",
  kill_strays: true,
  survive: true,
  pipefail: false,
  env_base: "inherit",
  env: { TARGET: "", LEVEL: "9" },
  notify: [],
  limits: { memory: 5e8 },
  expect_every: 86400e9,
  place: { file: "/etc/svc.toml", line: 4, column: 1 },
  parameters: [{
    kind: "option",
    key: "--to",
    type: "number",
    choices: ["1", "2"],
    allow_custom: true,
    description: "Where to",
  }],
};

Deno.test("definitionOf() marks what is as svc has it by itself", () => {
  const chosen = definitionOf(config).flatMap(({ rows }) => rows).filter(({ isDefault }) => !isDefault);
  assert.deepEqual(chosen.map(({ key, text }) => `${key} ${text}`), [
    "working_dir /srv",
    "cron 0 2 * * *",
    "timezone UTC",
    "expect_every 1d",
    "memory 500 MB",
    "keep_runs 50",
  ]);
});

Deno.test("definitionOf() tells of services what only they have", () => {
  const { cron: _cron, ...rest } = config;
  const service: UnitConfig = {
    ...rest,
    kind: "service",
    start_retries: -1,
    health_check: { http: "http://127.0.0.1/", interval: 10e9, timeout: 2e9, retries: 2, start_period: 0 },
  };
  const groups = new Map(definitionOf(service).map(({ title, rows }) => [title, rows]));
  assert.equal(groups.has("Schedule"), false);
  assert.deepEqual(
    groups.get("Health check")?.filter(({ isDefault }) => !isDefault).map(({ key, text }) => [key, text]),
    [
      ["http", "http://127.0.0.1/"],
      ["timeout", "2s"],
    ],
  );
  assert.equal(groups.get("Service")?.find(({ key }) => key === "start_retries")?.text, "without end");
});

Deno.test("Definition shows the command, the values, the parameters and the hook", () => {
  const text = textOf(<Definition unit={config} base="https://svc.example/" />);
  for (
    const part of [
      "Command\ntar -c /home\n[ Copy Command ]\nDefined in /etc/svc.toml:4 .",
      "memory\n500 MB\ncpu\nnone default",
      "Environment\nTARGET\nempty\nLEVEL\n9",
      "--to | option, number | left out | 1, 2 or any | Where to",
      `curl -X POST -H "Authorization: Bearer $TOKEN" https://svc.example/api/hooks/tasks/backup/run`,
    ]
  ) assert.ok(text.includes(part), `${part}\nis not in\n${text}`);
  assert.match(hookCommand({ name: "we b", kind: "service" }, "http://x"), /tasks\/we%20b\/restart$/);
});
