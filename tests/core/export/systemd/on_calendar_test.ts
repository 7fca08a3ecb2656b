import assert from "node:assert/strict";
import fc from "fast-check";
import { nextTick, ticksBetween } from "../../../../src/core/cron/next.ts";
import { CronError, parseCron } from "../../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../../src/core/cron/zone.ts";
import { systemdTimes } from "../../../../src/core/export/systemd/on_calendar.ts";
import { firesOf } from "./calendar_reader.ts";

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
    "0 9 * * MON#2": ["Mon *-*-08..14 09:00:00"],
    "*/30 * * * * *": ["*-*-* *:*:00,30"],
    "@every 90m": ["*-*-* 00/3:00:00 UTC", "*-*-* 01/3:30:00 UTC"],
  };
  for (const [cron, lines] of Object.entries(expected)) assert.deepEqual(linesOf(cron), lines, cron);
  assert.deepEqual(systemdTimes(parseCron("0 4 * * 0"), "Europe/Berlin"), {
    kind: "calendar",
    lines: ["Sun *-*-* 04:00:00 Europe/Berlin"],
  });
  assert.deepEqual(systemdTimes(parseCron("@every 7h")), { kind: "every", everyMs: 25_200_000 });
});

/** What systemd itself says comes next, as UTC seconds; undefined where the machine has none of it. */
function askSystemd(line: string, { after, count }: { after: number; count: number }): number[] | undefined {
  try {
    const { stdout, success, stderr } = new Deno.Command("systemd-analyze", {
      args: [
        "calendar",
        `--iterations=${count}`,
        `--base-time=@${after}`,
        line.endsWith(" UTC") ? line : `${line} UTC`,
      ],
      env: { TZ: "UTC", SYSTEMD_COLORS: "0" },
    }).outputSync();
    assert.ok(success, new TextDecoder().decode(stderr));
    return [...new TextDecoder().decode(stdout).matchAll(/(?:elapse|#\d+): \w+ (\S+) (\S+) UTC/g)].map((
      [, date, time],
    ) => Date.parse(`${date}T${time}Z`) / 1000);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("systemdTimes() is understood by systemd as it is meant, where there is one", () => {
  const after = Date.UTC(2027, 11, 31, 23, 59, 59) / 1000;
  const hard = ["0 0 30W 2,4 *", "5 5 */2 * MON#2,5L", "0 0 22-28 2 */2,0L", "0 6 L-2,3 * 1-5", "1 1 LW * *"];
  for (const cron of [...corpus, ...hard]) {
    const schedule = parseCron(cron);
    const ticks: number[] = [];
    for (let at = after; ticks.length < 5; ticks.push(at)) {
      at = nextTick(schedule, utc, { after: at * 1000 })!.at / 1000;
    }
    const fires = new Set<number>();
    for (const line of linesOf(cron)) {
      const told = askSystemd(line, { after, count: 5 });
      if (told === undefined) return;
      for (const at of told) fires.add(at);
    }
    assert.deepEqual([...fires].sort((a, b) => a - b).slice(0, 5), ticks, `${cron}: ${linesOf(cron)}`);
  }
});
