import assert from "node:assert/strict";
import { barOf, DayStrip, mostOf, runsBetween } from "../../ui/charts/day_strip.tsx";
import { HeatMap } from "../../ui/charts/heat_map.tsx";
import { countOutcomes, outcomeWords, worstOutcome } from "../../ui/charts/outcomes.ts";
import { moved } from "../../ui/charts/roving.ts";
import {
  lengthMarks,
  nearestPoint,
  scaleOf,
  timeAt,
  timeMarks,
  xOf,
  yOf,
} from "../../ui/charts/scatter_layout.ts";
import { pointsOf, timeLabels } from "../../ui/charts/scatter_points.ts";
import { lineOf } from "../../ui/charts/sparkline.tsx";
import { lengthStats, usualLength } from "../../ui/charts/stats.ts";
import { calendarOf, monthsOf, yearStart } from "../../ui/charts/year.ts";
import { textOf } from "./text.ts";
import { aRun, at, noon } from "./unit_samples.ts";

const bucket = (start: string, counts: Record<string, number>) => ({ start, counts });

Deno.test("countOutcomes() sorts end reasons into four kinds", () => {
  const counts = countOutcomes([
    bucket(at(0), { success: 5, timeout: 1, missed: 2 }),
    bucket(at(900), { crashed: 1, skipped: 3, queue_full: 1 }),
  ]);
  assert.deepEqual(counts, { ok: 5, failed: 2, missed: 3, stopped: 3 });
  assert.equal(outcomeWords(counts), "5 ok, 2 failed, 3 missed, 3 stopped or skipped");
  assert.equal(outcomeWords(countOutcomes([])), "no runs");
  assert.equal(worstOutcome(counts), "failed");
  assert.equal(worstOutcome(countOutcomes([])), undefined);
});

Deno.test("barOf() lets what went well stand on the line and what went wrong hang from it", () => {
  const counts = { ok: 10, failed: 1, missed: 0, stopped: 0 };
  assert.deepEqual(barOf(counts, mostOf([counts])), {
    ok: { y: 0, height: 52 },
    stopped: { y: 0, height: 0 },
    failed: { y: 53, height: 20 },
    missed: { y: 73, height: 0 },
  });
  assert.equal(
    barOf({ ...counts, ok: 1 }, { up: 1000, down: 1000 }).ok.height,
    2,
    "nothing is too small to see",
  );
});

Deno.test("DayStrip has a text that says it all", () => {
  const view = <DayStrip buckets={[bucket(at(0), { success: 2, failed: 1 })]} width={900_000} />;
  assert.match(
    textOf(view),
    /^\(Runs of the last 24 hours by quarter of an hour: 2 ok, 1 failed\)\n.*now\n2 ok, 1 failed$/s,
  );
});

Deno.test("runsBetween() names the runs of a stretch of time", () => {
  assert.equal(
    runsBetween(noon, 900_000, "a b"),
    "/runs?task_name=a+b&created_after=2026-11-28T12%3A00%3A00.000Z&created_before=2026-11-28T12%3A15%3A00.000Z",
  );
});

Deno.test("moved() stays where a step of a week would leave the year, and goes to the ends on request", () => {
  assert.deepEqual([moved(3, -7, 370), moved(3, -1, 370), moved(0, -1, 370), moved(3, 370, 370)], [
    3,
    2,
    0,
    369,
  ]);
});

Deno.test("lineOf() draws long rows with few points and keeps their peaks", () => {
  assert.equal(lineOf([0, 100]), "M0 23 L100 1");
  const peak = Array.from({ length: 720 }, (_, i) => i === 400 ? 100 : 0);
  const path = lineOf(peak);
  assert.ok(path.split("L").length <= 120);
  assert.match(path, / 1 /);
});

Deno.test("calendarOf() begins with a Monday and ends with today", () => {
  assert.equal(new Date(yearStart(noon)).getUTCDay(), 1);
  const days = calendarOf([bucket("2026-11-27T00:00:00.000Z", { failed: 1, success: 9 })], noon);
  assert.equal(days.at(-1)?.date, "2026-11-28");
  assert.deepEqual([days[0]?.week, days[0]?.weekday, days.at(-1)?.week, days.at(-1)?.weekday], [0, 0, 52, 5]);
  assert.equal(days.at(-2)?.worst, "failed");
  assert.equal(monthsOf(days).length, 12);
});

Deno.test("HeatMap sums the year up in words", () => {
  const buckets = [
    bucket("2026-11-27T00:00:00.000Z", { success: 9 }),
    bucket("2026-11-28T00:00:00.000Z", { failed: 1 }),
  ];
  assert.equal(
    textOf(<HeatMap buckets={buckets} unit="backup" now={noon} />),
    "(The last year by day: 9 ok, 1 failed. It ran on 2 days, on 1 of them with failures.)\n" +
      "9 ok, 1 failed. It ran on 2 days, on 1 of them with failures.",
  );
});

Deno.test("lengthStats() judges only runs that ended by themselves", () => {
  const took = (id: string, seconds: number, rest = {}) =>
    aRun(id, { start_at: at(0), end_at: at(seconds), ...rest });
  const runs = [
    took("1", 1),
    took("2", 2),
    took("3", 3),
    took("4", 100, { end_reason: "failed" }),
    took("5", 4, { end_reason: "stopped" }),
    aRun("6", { start_at: undefined, end_reason: "skipped" } as never),
  ];
  assert.deepEqual(lengthStats(runs), { count: 5, p50: 3000, p95: 100_000, max: 100_000, success: 0.75 });
  assert.equal(usualLength(runs), 2000);
  assert.equal(usualLength([]), undefined);
});

Deno.test("pointsOf() puts runs in order of their start and tells failures apart", () => {
  const points = pointsOf([aRun("2", { start_at: at(10), end_at: at(11), end_reason: "failed" }), aRun("1")]);
  assert.deepEqual(points.runs.map(({ id }) => id), ["1", "2"]);
  assert.deepEqual(points.failed, [false, true]);
  assert.deepEqual(points.lengths, [2, 1]);
});

Deno.test("timeLabels() names the date where it changes", () => {
  const s = noon / 1000;
  assert.deepEqual(timeLabels([s, s + 3600], { step: 3600, zone: "UTC" }), ["12:00\n11-28", "13:00"]);
  assert.deepEqual(timeLabels([s, s + 86_400], { step: 86_400, zone: "UTC" }), ["11-28", "11-29"]);
  assert.deepEqual(timeLabels([s + 5], { step: 5, zone: "UTC" }), ["12:00:05\n11-28"]);
});

const field = { left: 60, top: 10, width: 600, height: 200 };
const hourOfPoints = {
  runs: [],
  times: [0, 1800, 3600].map((seconds) => noon / 1000 + seconds),
  lengths: [0.02, 4, 100],
  failed: [false, true, false],
};

Deno.test("scaleOf() shows all points and lines, and lengths from nothing on", () => {
  const scale = scaleOf(hourOfPoints, { lines: [120], isLog: false });
  assert.ok(scale.from < noon / 1000 && scale.to > noon / 1000 + 3600);
  assert.equal(scale.least, 0);
  assert.ok(scale.most > 120);
  assert.deepEqual(lengthMarks(scale).map(({ label }) => label), ["0", "30 s", "1 m", "1 m 30 s", "2 m"]);
  assert.equal(yOf(0, scale, field), 210);
  const middle = xOf(noon / 1000 + 1800, scale, field);
  assert.equal(middle, 360);
  assert.equal(timeAt(middle, scale, field), noon / 1000 + 1800);
});

Deno.test("scaleOf() has whole decades where lengths go by their logarithm", () => {
  const scale = scaleOf(hourOfPoints, { lines: [], isLog: true });
  assert.deepEqual(lengthMarks(scale).map(({ label }) => label), [
    "10 ms",
    "100 ms",
    "1 s",
    "10 s",
    "1 m",
    "10 m",
  ]);
  assert.equal(yOf(0.01, scale, field), 210);
  assert.equal(yOf(600, scale, field), 10);
});

Deno.test("scaleOf() keeps to a stretch of time, and gives a single moment some room", () => {
  const range = [noon / 1000 + 1000, noon / 1000 + 2000] as const;
  const scale = scaleOf(hourOfPoints, { lines: [], isLog: false, range });
  assert.deepEqual([scale.from, scale.to], range);
  assert.ok(scale.most < 5);
  const one = scaleOf({ runs: [], times: [5], lengths: [0], failed: [false] }, { lines: [], isLog: false });
  assert.ok(one.to > one.from && one.most > 0);
});

Deno.test("timeMarks() stands on whole steps of the clock, and is never crowded", () => {
  const scale = scaleOf(hourOfPoints, { lines: [], isLog: false });
  assert.deepEqual(timeMarks(scale, { zone: "UTC", most: 6 }).map(({ label }) => label), [
    "12:00\n11-28",
    "12:15",
    "12:30",
    "12:45",
    "13:00",
  ]);
  for (let hours = 0.01; hours < 20_000; hours *= 1.17) {
    for (const most of [3, 6]) {
      const { length } = timeMarks({ ...scale, to: scale.from + hours * 3600 }, { zone: "UTC", most });
      assert.ok(length >= 2 && length <= most, `${length} marks of at most ${most} for ${hours} hours`);
    }
  }
});

Deno.test("nearestPoint() finds what the pointer means, if anything", () => {
  assert.equal(nearestPoint([[0, 0], [10, 10]], { x: 8, y: 9 }), 1);
  assert.equal(nearestPoint([[0, 0]], { x: 30, y: 0 }), undefined);
});
