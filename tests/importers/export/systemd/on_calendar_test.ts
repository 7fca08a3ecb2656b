import assert from "node:assert/strict";
import fc from "fast-check";
import { nextTick, ticksBetween } from "../../../../src/core/cron/next.ts";
import { CronError, parseCron } from "../../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../../src/core/cron/zone.ts";
import { clockChanges, isHourly } from "../../../../src/importers/export/clock_changes.ts";
import { systemdTimes } from "../../../../src/importers/export/systemd/on_calendar.ts";
import { hour } from "../../../support/units.ts";
import { askSystemd } from "./ask_systemd.ts";
import { firesOf } from "./calendar_reader.ts";
import { needs } from "../../../support/needs.ts";

const utc = zoneOf("UTC");
const corpus = Deno.readTextFileSync(new URL("../../../corpus/cron/schedules.txt", import.meta.url)).trim()
  .split("\n");

function linesOf(cron: string): string[] {
  const times = systemdTimes(parseCron(cron));
  if (times.kind !== "calendar") throw new RangeError(`"${cron}" is no calendar event`);
  return times.lines;
}

/** Ticks in UTC seconds over some years. */
function ticksOf(cron: string, { from, to }: { from: number; to: number }): number[] {
  const ticks = ticksBetween(parseCron(cron), utc, { from: from * 1000 - 1, to: to * 1000 - 1 });
  return Array.from(ticks, ({ at }) => at / 1000);
}

const yearOf = (year: number) => ({
  from: Date.UTC(year, 0, 1) / 1000,
  to: Date.UTC(year + 1, 0, 1) / 1000,
});

function assertSame(cron: string, span: { from: number; to: number }): void {
  const [fires, ticks] = [firesOf(linesOf(cron), span), ticksOf(cron, span)];
  const odd = fires.findIndex((at, index) => at !== ticks[index]);
  assert.ok(
    fires.length === ticks.length && odd < 0,
    `"${cron}" as ${linesOf(cron).join(" | ")}: ${fires.length} fires, ${ticks.length} ticks`,
  );
}

Deno.test("systemdTimes() fires at the same seconds of a year as each schedule that people have", () => {
  assert.equal(corpus.length, 312);
  for (const cron of corpus) assertSame(cron, yearOf(2028));
});

Deno.test("systemdTimes() says any days of any months, over leap years and common ones", () => {
  const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
  const date = fc.oneof(
    fc.constantFrom("*", "*", "L", "L-1", "LW", "1W", "31W", "30W", "29W", "*/2", "1-7", "L-30", "22-28"),
    number(1, 31),
    number(1, 31).map((value) => `${value}W`),
    number(0, 30).map((value) => `L-${value}`),
  );
  const weekday = fc.oneof(
    fc.constantFrom("*", "*", "?", "*/2", "1-5", "0-7", "fri-mon", "5L", "0L"),
    number(0, 7),
    fc.tuple(number(0, 7), number(1, 5)).map(([day, week]) => `${day}#${week}`),
  );
  const list = (item: fc.Arbitrary<string>) =>
    fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join());
  const month = fc.oneof(fc.constantFrom("*", "2", "2,3", "*/3", "4-6"), number(1, 12));
  fc.assert(
    fc.property(list(date), month, list(weekday), (dates, months, weekdays) => {
      const cron = `7 3 ${dates} ${months} ${weekdays}`;
      try {
        parseCron(cron);
      } catch (error) {
        if (error instanceof CronError) return;
        throw error;
      }
      assertSame(cron, { from: yearOf(2027).from, to: yearOf(2032).to });
    }),
    { numRuns: 300 },
  );
});

Deno.test("systemdTimes() writes what a person would", () => {
  const expected: Record<string, string[]> = {
    "*/5 * * * *": ["*-*-* *:00/5:00"],
    "30 2 * * 1-5": ["Mon..Fri *-*-* 02:30:00"],
    "0 0 1,15 * 5": ["*-*-01,15 00:00:00", "Fri *-*-* 00:00:00"],
    "0 0 L * *": ["*-*~01 00:00:00"],
    "0 12 15W * *": ["Mon..Fri *-*-15 12:00:00", "Fri *-*-14 12:00:00", "Mon *-*-16 12:00:00"],
    "0 9 * * 5L": ["Fri *-*~07/1 09:00:00"],
    "0 */5 * * *": ["*-*-* 00,05,10,15,20:00:00"],
    "10 6-22/8 * * *": ["*-*-* 06,14,22:10:00"],
    "2-59/15 * * * *": ["*-*-* *:02,17,32,47:00"],
    "0 9 * * MON#2": ["Mon *-*-08..14 09:00:00"],
    "*/30 * * * * *": ["*-*-* *:*:00,30"],
    "@every 90m": ["*-*-* 00,03,06,09,12,15,18,21:00:00 UTC", "*-*-* 01,04,07,10,13,16,19,22:30:00 UTC"],
  };
  for (const [cron, lines] of Object.entries(expected)) assert.deepEqual(linesOf(cron), lines, cron);
  assert.deepEqual(systemdTimes(parseCron("0 4 * * 0"), "Europe/Berlin"), {
    kind: "calendar",
    lines: ["Sun *-*-* 04:00:00 Europe/Berlin"],
  });
  assert.deepEqual(systemdTimes(parseCron("@every 7h")), { kind: "every", everyMs: 25_200_000 });
});

Deno.test({
  name: "systemdTimes() is understood by systemd as it is meant",
  ignore: !needs.systemd.isThere,
  fn: () => {
    const after = Date.UTC(2027, 11, 31, 23, 59, 59) / 1000;
    const hard = [
      "0 0 30W 2,4 *",
      "5 5 */2 * MON#2,5L",
      "0 0 22-28 2 */2,0L",
      "0 6 L-2,3 * 1-5",
      "1 1 LW * *",
      "0 0 L-27 * *",
      "0 0 L-28 * *",
      "0 0 L-29,5 2,3 *",
      "0 0 L-30 * 1",
    ];
    for (const cron of [...corpus, ...hard]) {
      const schedule = parseCron(cron);
      const ticks: number[] = [];
      for (let at = after; ticks.length < 5; ticks.push(at)) {
        at = nextTick(schedule, utc, { after: at * 1000 })!.at / 1000;
      }
      const fires = linesOf(cron).flatMap((line) => askSystemd(line, { after, count: 5 }));
      const first = [...new Set(fires)].sort((a, b) => a - b).slice(0, 5);
      assert.deepEqual(first, ticks, `${cron}: ${linesOf(cron)}`);
    }
  },
});

Deno.test({
  name: "systemdTimes() differs from svc only around clock changes, and only where that is told",
  ignore: !needs.systemd.isThere,
  fn: () => {
    const zone = "Europe/Berlin";
    let told = 0;
    for (const cron of corpus) {
      const schedule = parseCron(cron);
      const times = systemdTimes(schedule, isHourly(schedule, zone) ? "UTC" : zone);
      if (times.kind !== "calendar" || schedule.kind !== "fields") continue;
      const { gap, repeat } = clockChanges(schedule, zone);
      if (!isHourly(schedule, zone) && (gap || (repeat && schedule.elapsed))) {
        told++;
        continue;
      }
      for (const from of [Date.UTC(2027, 2, 27, 20), Date.UTC(2027, 9, 30, 20)]) {
        const to = from + 12 * hour;
        const ticks: number[] = Array.from(ticksBetween(schedule, zoneOf(zone), { from, to })).filter((
          { note },
        ) => note !== "repeat").map(({ at }) => at / 1000);
        const count = ticks.length + 1;
        const fires: number[] = times.lines.flatMap((line) =>
          askSystemd(line, { after: from / 1000, count })
        );
        const until: number[] = [...new Set(fires)].filter((at) => at <= to / 1000).sort((a, b) => a - b);
        assert.deepEqual(until, ticks, `${cron}: ${times.lines}`);
      }
    }
    assert.equal(told, 36);
  },
});
