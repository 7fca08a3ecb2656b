/** Two well-known libraries as judges, in the syntax that all three share and away from clock changes. */

import assert from "node:assert/strict";
import { CronExpressionParser } from "cron-parser";
import { Cron } from "croner";
import { nextTick } from "../../../src/core/cron/next.ts";
import { CronError, parseCron } from "../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../src/core/cron/zone.ts";

const DAY = 86_400_000;
const ROUNDS = 5000;
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
];

/** Whole numbers below a bound, the same sequence at every run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

const random = makeRandom(7);

function pick<T>(list: readonly [T, ...T[]]): T {
  return list[random(list.length)] ?? list[0];
}

function field(min: number, max: number, names?: readonly string[]): string {
  const size = max - min + 1;
  const name = (value: number): string =>
    names !== undefined && random(3) === 0 ? names[value - min] ?? String(value) : String(value);
  const item = (): string => {
    const low = min + random(size);
    const high = low + random(max - low + 1);
    const step = 1 + random(Math.min(size - 1, 20));
    if (random(2) === 0) return name(low);
    return high > low ? pick([`${name(low)}-${name(high)}`, `${low}-${high}/${step}`]) : name(low);
  };
  return random(3) === 0 ? [item(), item(), item()].slice(0, 2 + random(2)).join(",") : item();
}

const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

function expression(): string {
  const time = [
    random(4) === 0 ? pick(["*", "*/5", "*/7", "*/15"]) : field(0, 59),
    random(3) === 0 ? pick(["*", "*/2", "*/5"]) : field(0, 23),
  ];
  if (random(3) === 0) time.unshift(random(3) === 0 ? pick(["*", "*/20", "*/7"]) : field(0, 59));
  const date = random(2) === 0 ? "*" : pick([field(1, 31), field(1, 31), "L", "*/3", "*/2"]);
  const starred = date.startsWith("*");
  const weekday = date.includes("/") && starred ? "*" : random(2) === 0 ? "*" : pick([
    field(0, 6, weekdayNames),
    field(0, 6, weekdayNames),
    `${random(7)}#${1 + random(5)}`,
    "7",
    "5-7",
  ]);
  const month = random(3) === 0 ? field(1, 12, monthNames) : "*";
  return [...time, date, month, weekday].join(" ");
}

/** A random instant (Unix ms) two days or more from the zone's last change, and its next change. */
function quietMoment(zone: string): { after: number; until: number } {
  for (;;) {
    const after = Date.UTC(1995, 0) + random(2 ** 30) * 1117;
    const there = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone);
    const former = there.getTimeZoneTransition("previous")?.epochMilliseconds ?? -Infinity;
    if (after - former > 2 * DAY) {
      return { after, until: (there.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity) - 2 * DAY };
    }
  }
}

function isUsable(cron: string): boolean {
  try {
    parseCron(cron);
    return true;
  } catch (thrown) {
    if (thrown instanceof CronError && thrown.message.includes("can never fire")) return false;
    throw thrown;
  }
}

/** Undefined for a list that names a value twice, which cron-parser refuses. */
function cronParser(
  cron: string,
  { zone, after }: { zone: string; after: number },
): ReturnType<typeof CronExpressionParser.parse> | undefined {
  try {
    return CronExpressionParser.parse(cron, { tz: zone, currentDate: new Date(after) });
  } catch (thrown) {
    if (/duplicate values/.test(String(thrown))) return undefined;
    throw thrown;
  }
}

Deno.test(
  "nextTick() agrees with croner and cron-parser on random expressions",
  { permissions: "none" },
  () => {
    const compared = { croner: 0, "cron-parser": 0 };
    for (let round = 0; round < ROUNDS;) {
      const cron = expression();
      if (!isUsable(cron)) continue;
      round++;
      const zone = pick(zones as [string, ...string[]]);
      const { after, until } = quietMoment(zone);
      const schedule = parseCron(cron);
      const croner = new Cron(cron, { timezone: zone, paused: true });
      const parser = cronParser(cron, { zone, after });
      const nexts = {
        croner: (at: number): number => croner.nextRun(new Date(at))?.getTime() ?? Infinity,
        "cron-parser": (): number => parser?.next().getTime() ?? NaN,
      };
      for (const judge of ["croner", "cron-parser"] as const) {
        if (judge === "cron-parser" && parser === undefined) continue;
        let at = after;
        for (let i = 0; i < 3; i++) {
          const ours = nextTick(schedule, zoneOf(zone), { after: at })?.at ?? Infinity;
          let theirs: number;
          try {
            theirs = nexts[judge](at);
          } catch {
            // cron-parser gives up on days that are years away, and at times beyond a clock change.
            assert.ok(ours > until || ours - at > 300 * DAY, `${judge} found no tick for ${cron}`);
            break;
          }
          if (Math.min(ours, theirs) > until) break;
          const where = `${cron} in ${zone} after ${new Date(at).toISOString()} by ${judge}`;
          assert.equal(new Date(ours).toISOString(), new Date(theirs).toISOString(), where);
          compared[judge]++;
          at = ours;
        }
      }
    }
    assert.ok(compared.croner > ROUNDS && compared["cron-parser"] > ROUNDS, JSON.stringify(compared));
  },
);
