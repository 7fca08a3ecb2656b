import assert from "node:assert/strict";
import { RefusingBanner } from "../../ui/app/banners.tsx";
import { now } from "../../ui/data/clock.ts";
import {
  firstFailures,
  stillMeant,
  takeChanges,
  troublesOf,
  withDismissed,
} from "../../ui/views/overview/attention.ts";
import { AttentionList } from "../../ui/views/overview/attention_list.tsx";
import { rateWords } from "../../ui/views/overview/day.tsx";
import { FirstStart } from "../../ui/views/overview/first_start.tsx";
import { lastWords } from "../../ui/views/overview/last_line.tsx";
import { addSamples, Machine } from "../../ui/views/overview/machine.tsx";
import { FirstLine } from "../../ui/views/overview/overview.tsx";
import { inOrder, UsualBar } from "../../ui/views/overview/running_list.tsx";
import { nextUnits, sentenceOf, untilWords } from "../../ui/views/overview/sentence.ts";
import { textOf } from "./text.ts";
import { aRun, aService, at, aTask, noon } from "./unit_samples.ts";

const failed = { end_reason: "failed", exit_code: 3 } as const;

Deno.test("sentenceOf() says in one line that all is well, and what comes next", () => {
  const units = [
    aTask("a", { next_run_at: at(720) }),
    aTask("b", { next_run_at: at(9000) }),
    aService("web"),
  ];
  const sentence = sentenceOf(units, { attention: 0, running: 3, now: noon });
  assert.equal(
    textOf(<FirstLine {...sentence} />),
    "✓ All well. 2 tasks, 1 service up, 3 running, next: a in 12 m.",
  );
});

Deno.test("the page says why nothing goes on where the database refuses, and not that all is well", () => {
  const sentence = sentenceOf([aTask("a")], { attention: 0, running: 0, now: noon, isRefused: true });
  assert.equal(textOf(<FirstLine {...sentence} />), "✕ Nothing goes on. 1 task.");
  const banner = <RefusingBanner since={at(-660)} why="database or disk is full" now={noon} />;
  assert.equal(
    textOf(banner),
    "The database has refused for 11 m: database or disk is full; nothing starts or ends until there is room. " +
      "Make room on the disk of the data folder: what waits goes on by itself.",
  );
});

Deno.test("sentenceOf() counts what needs attention, and services that are down", () => {
  const units = [aTask("a"), aService("web"), aService("db", { service_state: "fatal" })];
  assert.deepEqual(sentenceOf(units, { attention: 2, running: 0, now: noon }), {
    isWell: false,
    head: "2 need attention.",
    rest: "1 task, 1 of 2 services up.",
  });
  assert.equal(sentenceOf([], { attention: 1, running: 0, now: noon }).head, "1 needs attention.");
});

Deno.test("untilWords() counts the last minute in seconds", () => {
  assert.deepEqual([0, 8400, 59_999, 60_000, 7_300_000].map(untilWords), [
    "now",
    "in 8 s",
    "in 59 s",
    "in 1 m",
    "in 2 h",
  ]);
});

Deno.test("nextUnits() leaves out what is not scheduled, and keeps to the count", () => {
  const units = [aTask("c", { next_run_at: at(30) }), aTask("never"), aTask("a", { next_run_at: at(10) })];
  assert.deepEqual(nextUnits(units, 1).map(({ name }) => name), ["a"]);
});

Deno.test("takeChanges() keeps a failure until a newer success, and forgets one that was deleted", () => {
  const bad = aRun("2", failed);
  const known = takeChanges(new Map(), [{ run: bad }]);
  assert.deepEqual([...known.keys()], ["backup"]);
  assert.equal(takeChanges(known, [{ run: aRun("1") }]).size, 1, "an older success changes nothing");
  assert.equal(takeChanges(known, [{ run: aRun("3", { end_reason: "skipped" }) }]).size, 1);
  assert.equal(takeChanges(known, [{ run: aRun("3") }]).size, 0);
  assert.equal(takeChanges(known, [{ deleted: "2", unit: "backup" }]).size, 0);
});

Deno.test("firstFailures() trusts the newest run of a unit, and names those where a success may lie between", () => {
  const wrong = ["a", "b", "c", "web"].map((name, i) => aRun(`${i}`, { ...failed, task_name: name }));
  const units = new Map([
    aTask("a", { last_run: wrong[0]! }),
    aTask("b", { last_run: aRun("9", { task_name: "b" }) }),
    aTask("c", { last_run: aRun("9", { task_name: "c", end_reason: "skipped" }) }),
    aService("web"),
  ].map((unit) => [unit.name, unit]));
  const { failures, open } = firstFailures([...wrong, aRun("0", { ...failed, task_name: "gone" })], units);
  assert.deepEqual([...failures.keys()], ["a", "c"]);
  assert.deepEqual(open, ["c"]);
});

Deno.test("troublesOf() lists services and tasks, worst first, but no task that is paused or being retried", () => {
  const units = [
    aTask("a"),
    aTask("retried"),
    aTask("paused", { paused_at: at(-9) }),
    aService("slow", { service_state: "degraded", healthy_instances: 0 }),
    aService("fine"),
  ];
  const failures = new Map(
    ["a", "retried", "paused"].map((name) => [name, aRun("1", { ...failed, task_name: name })]),
  );
  const active = [aRun("2", { task_name: "retried", status: "pending", retry_of_run_id: "1" })];
  const troubles = troublesOf(units, { failures, active });
  assert.deepEqual(troubles.map(({ unit, key }) => [unit.name, key]), [["a", "a 1"], [
    "slow",
    "slow degraded",
  ]]);
});

Deno.test("stillMeant() ends a dismissal when the service is well again or the unit is gone", () => {
  const units = new Map([aTask("a"), aService("web"), aService("db", { service_state: "fatal" })]
    .map((unit) => [unit.name, unit]));
  assert.deepEqual(stillMeant(new Set(["a 1", "web fatal", "db fatal", "gone 1"]), units), [
    "a 1",
    "db fatal",
  ]);
});

Deno.test("withDismissed() keeps one dismissal for each unit", () => {
  const [trouble] = troublesOf([aTask("a")], {
    failures: new Map([["a", aRun("2", { ...failed, task_name: "a" })]]),
    active: [],
  });
  assert.deepEqual(withDismissed(new Set(["a 1", "b 1"]), trouble!), ["b 1", "a 2"]);
});

Deno.test("AttentionList shows what is wrong, since when, what was said last, and what can be done", () => {
  now.value = noon;
  const units = [aTask("certs"), aService("db", { service_state: "fatal", last_run: aRun("7", failed) })];
  const troubles = troublesOf(units, {
    failures: new Map([["certs", aRun("1", { ...failed, task_name: "certs" })]]),
    active: [],
  });
  assert.equal(
    textOf(
      <AttentionList
        troubles={troubles}
        onDismiss={() => {}}
        lineOf={({ unit }) => `said by ${unit.name}`}
      />,
    ),
    `Needs attention
✕ failed (3)
[certs] 58 s ago
said by certs
[Log of certs][Rerun certs ][Dismiss certs ]
✕ fatal
[db] 58 s ago
said by db
[Log of db][Restart db ][Dismiss db ]`,
  );
});

Deno.test("AttentionList tells of many by their number", () => {
  const units = Array.from({ length: 15 }, (_, i) => aTask(`t${i}`));
  const failures = new Map(units.map(({ name }) => [name, aRun("1", { ...failed, task_name: name })]));
  const troubles = troublesOf(units, { failures, active: [] });
  assert.match(
    textOf(<AttentionList troubles={troubles} onDismiss={() => {}} lineOf={() => null} />),
    /\[and 3 more\]$/,
  );
});

Deno.test("lastWords() takes the last thing that the run itself said, without what steers a terminal", () => {
  const lines = [
    { stream: "stdout", text: "\x1b[31mrefused\x1b[0m by acme" },
    { stream: "stderr", text: "\x1b[0m" },
    { stream: "system", text: "ended with 3" },
  ];
  assert.equal(lastWords(lines), "refused by acme");
  assert.equal(lastWords([]), "");
});

Deno.test("inOrder() puts the longest run first, and what waits last", () => {
  const runs = [
    aRun("1", { status: "pending" }),
    aRun("3", { status: "running" }),
    aRun("2", { status: "running" }),
  ];
  assert.deepEqual(inOrder(runs).map(({ id }) => id), ["2", "3", "1"]);
});

Deno.test("UsualBar marks a run that takes much longer than usual", () => {
  const classOf = (elapsed: number) => UsualBar({ elapsed, usual: 10_000 }).props.class;
  assert.deepEqual([0, 14_000, 16_000].map(classOf), ["usual", "usual", "usual late"]);
});

Deno.test("rateWords() has no rate where nothing was judged, and never rounds failures to none", () => {
  assert.deepEqual(rateWords({ total: 1203, ok: 1200, failed: 3 }), { runs: "1,203", rate: "0.2 %" });
  assert.equal(rateWords({ total: 5, ok: 5, failed: 0 }).rate, "0 %");
  assert.equal(rateWords({ total: 1e5, ok: 99_999, failed: 1 }).rate, "< 0.1 %");
  assert.equal(rateWords({ total: 0, ok: 0, failed: 0 }).rate, "–");
});

Deno.test("addSamples() takes each moment once and keeps an hour", () => {
  const sample = (ts: number) => ({ ts, cpu: ts % 100, mem: 50, mem_total: 8e9, mem_used: 4e9 });
  const known = Array.from({ length: 720 }, (_, i) => sample(i));
  const next = addSamples(known, [sample(719), sample(720)]);
  assert.equal(next.length, 720);
  assert.equal(next.at(-1)?.ts, 720);
  assert.equal(
    textOf(<Machine samples={[sample(10), sample(30)]} />),
    "CPU (CPU: 30 % now, 10 to 30 % in the last hour) 30 %\n" +
      "Memory (Memory: 4 GB of 8 GB now, 50 to 50 % in the last hour) 4 GB of 8 GB",
  );
});

Deno.test("FirstStart explains what a unit is, with the least that makes one", () => {
  const text = textOf(<FirstStart />);
  assert.match(text, /^Nothing to run yet\nsvc runs tasks , by schedule or by request/);
  assert.match(text, /\[tasks\.backup\]/);
});
