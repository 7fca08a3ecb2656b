import assert from "node:assert/strict";
import type { Run } from "../../ui/data/runs.ts";
import type { Unit } from "../../ui/data/units.ts";
import { Axis, sentenceOf, Track } from "../../ui/views/timeline/chart.tsx";
import { Legend } from "../../ui/views/timeline/legend.tsx";
import { barAt, barsByUnit, boxOf, pathsOf, rowsOf } from "../../ui/views/timeline/lanes.ts";
import { RunsOfSpan } from "../../ui/views/timeline/runs_of_span.ts";
import { axisOf, moved, presetOf, spanOf, zoomed } from "../../ui/views/timeline/span.ts";
import { fieldOf, instantOf, timeOfField, wallOf } from "../../ui/views/timeline/wall_clock.ts";
import { textOf } from "./text.ts";

const [minute, hour] = [60_000, 3_600_000];
const noon = Date.parse("2027-01-15T12:00:00Z");
const berlin = "Europe/Berlin";
const at = (text: string): number => Date.parse(text);

/** A run of `unit` from `from` to `to`, minutes after noon; without `to` it runs. */
function run(unit: string, from: number, to?: number, rest: Partial<Run> = {}): Run {
  const time = (n: number): string => new Date(noon + n * minute).toISOString();
  return {
    id: `01K${unit}${from}`,
    task_name: unit,
    status: to === undefined ? "running" : "ended",
    exit_code: 0,
    triggered_by: "cron",
    created_at: time(from),
    start_at: time(from),
    retry_attempt: 0,
    instance_index: 0,
    ...(to === undefined ? {} : { end_at: time(to), end_reason: "success" as const }),
    ...rest,
  };
}

Deno.test("instantOf() knows the hour that is skipped, and takes the first of one that comes twice", () => {
  assert.equal(instantOf(at("2027-06-01T12:00Z"), berlin), at("2027-06-01T10:00Z"));
  assert.equal(wallOf(instantOf(at("2027-03-28T02:30Z"), berlin), berlin), at("2027-03-28T03:30Z"));
  assert.equal(instantOf(at("2027-10-31T02:30Z"), berlin), at("2027-10-31T00:30Z"));
  assert.equal(instantOf(at("2027-03-28T23:30Z"), berlin), at("2027-03-28T21:30Z"));
});

Deno.test("timeOfField() and fieldOf() turn a field into a time and back", () => {
  assert.equal(timeOfField("2027-06-01T12:00", berlin), "2027-06-01T10:00:00.000Z");
  assert.equal(fieldOf("2027-06-01T10:00:00.000Z", berlin), "2027-06-01T12:00");
  assert.equal(timeOfField("", berlin), undefined);
  assert.equal(fieldOf(null, berlin), "");
});

Deno.test("spanOf() goes along with the clock, or stands where the address says", () => {
  const clock = { now: noon, width: 1000 };
  const usual = spanOf(new URLSearchParams(), clock);
  assert.equal(usual.to - usual.from, 6.5 * hour);
  const fixed = new URLSearchParams("from=2027-01-15T10:00:00Z&to=2027-01-15T11:00:00Z");
  assert.deepEqual(spanOf(fixed, clock), { from: noon - 2 * hour, to: noon - hour });
  assert.equal(presetOf(fixed), undefined);
  assert.equal(presetOf(new URLSearchParams("span=24h")), "24h");
  assert.equal(presetOf(new URLSearchParams("from=2027-01-15T10:00:00Z&to=nonsense")), "6h");
});

Deno.test("zoomed() keeps the time under the pointer where it is, and has an end", () => {
  const span = { from: 0, to: 100_000 };
  assert.deepEqual(zoomed(span, 0.5, 25_000), { from: 12_500, to: 62_500 });
  const least = zoomed(span, 0, 25_000);
  assert.equal(least.to - least.from, 2000);
  assert.deepEqual(moved(span, 0.25), { from: 25_000, to: 125_000 });
});

Deno.test("axisOf() marks round times of the zone's wall clock", () => {
  const span = { from: noon, to: noon + 3 * hour };
  assert.deepEqual(axisOf(span, { zone: "Asia/Kolkata", width: 300 }).map(({ label }) => label), [
    "18:00",
    "19:00",
    "20:00",
  ]);
  const days = { from: at("2027-01-14T20:00Z"), to: at("2027-01-16T20:00Z") };
  assert.deepEqual(axisOf(days, { zone: berlin, width: 400 }).map(({ label }) => label), [
    "Fri 15 Jan",
    "12:00",
    "Sat 16 Jan",
    "12:00",
  ]);
});

Deno.test("axisOf() leaves out the hour that does not exist, and shows one that comes twice", () => {
  const spring = { from: at("2027-03-27T23:30Z"), to: at("2027-03-28T02:30Z") };
  assert.deepEqual(axisOf(spring, { zone: berlin, width: 300 }).map(({ label }) => label), [
    "01:00",
    "03:00",
    "04:00",
  ]);
  const autumn = { from: at("2027-10-30T22:30Z"), to: at("2027-10-31T02:30Z") };
  assert.deepEqual(axisOf(autumn, { zone: berlin, width: 400 }).map(({ label }) => label), [
    "01:00",
    "02:00",
    "02:00",
    "03:00",
  ]);
  const week = { from: at("2027-03-26T00:00Z"), to: at("2027-03-30T00:00Z") };
  const ticks = axisOf(week, { zone: berlin, width: 400 });
  assert.deepEqual(ticks.map(({ at }) => new Date(at).toISOString().slice(5, 16)), [
    "03-26T23:00",
    "03-27T23:00",
    "03-28T22:00",
    "03-29T22:00",
  ]);
});

Deno.test("barsByUnit() stacks what overlaps", () => {
  const { bars } = barsByUnit([run("a", 0, 10), run("a", 5, 20), run("a", 12, 14), run("a", 15)]).get("a")!;
  assert.deepEqual(bars.map(({ lane }) => lane), [0, 1, 0, 0]);
  assert.equal(bars.at(-1)?.to, undefined);
});

Deno.test("rowsOf() shows units that ran or will run in the window, by group and name", () => {
  const unit = (name: string, rest: Partial<Unit>) => [name, { name, group: "", ...rest } as Unit] as const;
  const units = new Map([
    unit("unit-10", { group: "b" }),
    unit("unit-9", { group: "b" }),
    unit("later", { group: "a", next_run_at: new Date(noon + 10 * minute).toISOString() }),
    unit("paused", {
      next_run_at: new Date(noon + 10 * minute).toISOString(),
      paused_at: new Date(noon).toISOString(),
    }),
  ]);
  const bars = barsByUnit([
    run("unit-10", -10, -5),
    run("unit-9", -90, -80),
    run("unit-9", -10),
    run("gone", -200, -190),
  ]);
  const input = { bars, units, span: { from: noon - hour, to: noon + hour }, now: noon, ahead: new Map() };
  const rows = rowsOf({ ...input, filter: "" });
  assert.deepEqual(rows.map(({ name }) => name), ["later", "unit-9", "unit-10"]);
  assert.deepEqual(rows.map(({ bars, ahead }) => [bars.length, ahead.length]), [[0, 1], [1, 0], [1, 0]]);
  assert.deepEqual(rowsOf({ ...input, filter: "B" }).map(({ name }) => name), ["unit-9", "unit-10"]);
});

Deno.test("rowsOf() says where more is to come than is known", () => {
  const span = { from: noon - hour, to: noon + 3 * hour };
  const goesOn = (count: number) =>
    rowsOf({
      bars: barsByUnit([run("often", -10, -5)]),
      units: new Map(),
      span,
      now: noon,
      filter: "",
      ahead: new Map([["often", Array.from({ length: count }, (_, n) => noon + (n + 1) * minute)]]),
    })[0]?.goesOn;
  assert.equal(goesOn(99), false);
  assert.equal(goesOn(100), true);
});

const drawing = { span: { from: noon, to: noon + hour }, now: noon + 30 * minute, width: 600, lanes: 1 };
const barOf = (...args: Parameters<typeof run>) => [...barsByUnit([run(...args)]).values()][0]!.bars[0]!;

Deno.test("boxOf() gives a short run a width, and cuts one that begins before the window", () => {
  assert.deepEqual(boxOf(barOf("a", 0, 0), drawing), { x: 0, y: 8, width: 3, height: 14 });
  assert.deepEqual(boxOf(barOf("a", -60, 6), drawing), { x: -5, y: 8, width: 65, height: 14 });
  assert.deepEqual(boxOf(barOf("a", 0), drawing), { x: 0, y: 8, width: 300, height: 14 });
});

Deno.test("pathsOf() draws a path for each role, and leaves out what is drawn over", () => {
  const bars = barsByUnit([
    run("a", 0, 6),
    run("a", 10, 12, { end_reason: "failed", exit_code: 1 }),
    run("a", 20),
  ]).get("a")!.bars;
  assert.deepEqual([...pathsOf(bars, drawing)], [
    ["good", "M0 8h60v14H0z"],
    ["bad", "M100 8h20v14H100z"],
    ["accent", "M200 8h100l5 7l-5 7H200z"],
  ]);
  const many = Array.from({ length: 5000 }, (_, n) => run("a", n * 0.012, n * 0.012));
  const path = pathsOf(barsByUnit(many).get("a")!.bars, drawing).get("good")!;
  assert.ok(path.split("z").length < 1300, String(path.split("z").length));
});

Deno.test("barAt() finds the bar under the pointer, or one that is very near", () => {
  const { bars } = barsByUnit([run("a", 0, 6), run("a", 10, 12)]).get("a")!;
  assert.equal(barAt(bars, { x: 30, y: 15 }, drawing), bars[0]);
  assert.equal(barAt(bars, { x: 98, y: 15 }, drawing), bars[1]);
  assert.equal(barAt(bars, { x: 80, y: 15 }, drawing), undefined);
});

Deno.test("sentenceOf() says what a bar is", () => {
  const say = (...args: Parameters<typeof run>) =>
    sentenceOf(barOf(...args), { now: noon + hour, zone: "UTC" });
  assert.equal(say("a", 0, 2), "ok, from 12:00:00, took 2 m 00 s");
  assert.equal(say("a", 10), "running, since 12:10:00, for 50 m 00 s");
});

Deno.test("Track lists the runs of its row for the keyboard once it is open", () => {
  const [row] = rowsOf({
    bars: barsByUnit([run("backup", 0, 2), run("backup", 10)]),
    units: new Map(),
    span: drawing.span,
    now: drawing.now,
    filter: "",
    ahead: new Map([["backup", [noon + 40 * minute]]]),
  });
  const track = (isOpen: boolean) => (
    <Track
      row={row!}
      {...drawing}
      isOpen={isOpen}
      zone="UTC"
      onFocus={() => {}}
      onBar={() => {}}
    />
  );
  assert.equal(textOf(track(false)), "[backup]");
  assert.equal(
    textOf(track(true)),
    "[backup]\n[ok, from 12:00:00, took 2 m 00 s]\n[running, since 12:10:00, for 20 m 00 s]",
  );
});

Deno.test("Axis and Legend read as words", () => {
  const ticks = axisOf(drawing.span, { zone: "UTC", width: 600 });
  const axis = <Axis ticks={ticks} span={drawing.span} width={600} now={drawing.now} />;
  assert.equal(textOf(axis), "12:00 12:15 12:30 12:45 ▾");
  assert.equal(textOf(<Legend />), "ok\nfailed\nmissed\nstopped, skipped\nrunning\nwill run");
});

Deno.test("RunsOfSpan reads at most 5,000 runs, says how many there are, and asks for them once", async () => {
  const asked: unknown[] = [];
  const units: unknown[] = [];
  const runs = new RunsOfSpan((query) => {
    asked.push(query.offset);
    units.push(query.task_name);
    const offset = Number(query.offset);
    return Promise.resolve({
      runs: Array.from({ length: 1000 }, (_, n) => run("a", -(offset + n) / 1000, -(offset + n) / 1000)),
      total: 8000,
    });
  });
  const span = { from: noon - hour, to: noon };
  runs.want(span, { now: noon });
  while (runs.isLoading || !runs.isKnown) await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(asked, [0, 0, 1000, 2000, 3000, 4000]);
  assert.equal(runs.totalOf(span), 8000);
  assert.equal(runs.totalOf({ from: noon - minute, to: noon }), undefined);
  runs.want(span, { now: noon });
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(asked.length, 6);
  runs.want(span, { now: noon, unit: "a" });
  while (asked.length < 7) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(units.at(-1), "a");
  runs.want(span, { now: noon });
  while (asked.length < 18) await new Promise((resolve) => setTimeout(resolve));
  while (runs.isLoading) await new Promise((resolve) => setTimeout(resolve));
  runs.take([{ run: run("b", -1) }, { run: run("c", 300) }]);
  assert.deepEqual([...runs.bars.keys()], ["a", "b"]);
  runs.close();
});
