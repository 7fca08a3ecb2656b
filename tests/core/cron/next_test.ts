import assert from "node:assert/strict";
import fc from "fast-check";
import { nextTick, type Tick, ticksBetween } from "../../../src/core/cron/next.ts";
import { parseCron } from "../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../src/core/cron/zone.ts";
import vectors from "../../vectors/cron.json" with { type: "json" };
import {
  clockChange,
  dailyExpression,
  hardChanges,
  minuteExpression,
  secondExpression,
} from "./arbitrary.ts";
import { isElapsed, localFits, slowTicks } from "./model.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function take(cron: string, zone: string, options: { after: string; count: number }): string[] {
  const schedule = parseCron(cron);
  const list: string[] = [];
  let after = Date.parse(options.after);
  for (let i = 0; i < options.count; i++) {
    const tick = nextTick(schedule, zoneOf(zone), { after });
    if (tick === undefined) break;
    list.push(`${new Date(tick.at).toISOString().replace(".000Z", "Z")} ${tick.note}`.trim());
    after = tick.at;
  }
  return list;
}

Deno.test("nextTick() answers every vector", { permissions: "none" }, () => {
  assert.ok(vectors.length >= 60);
  for (const { cron, timezone, after, ticks } of vectors) {
    const expected = ticks.map(({ at, note }) => `${at} ${note}`.trim());
    assert.deepEqual(
      take(cron, timezone, { after, count: ticks.length }),
      expected,
      `${cron} in ${timezone}`,
    );
  }
});

Deno.test(
  "nextTick() is strictly after the given instant, to the millisecond",
  { permissions: "none" },
  () => {
    const schedule = parseCron("0 2 * * *");
    const zone = zoneOf("UTC");
    const two = Date.UTC(2027, 0, 1, 2);
    assert.equal(nextTick(schedule, zone, { after: two - 1 })?.at, two);
    assert.equal(nextTick(schedule, zone, { after: two })?.at, two + DAY);
    assert.equal(nextTick(schedule, zone, { after: two + 1 })?.at, two + DAY);
    assert.equal(nextTick(schedule, zone, { after: -1 })?.at, 2 * HOUR);
    assert.equal(nextTick(parseCron("* * * * * *"), zone, { after: -1500 })?.at, -1000);
  },
);

Deno.test("nextTick() makes one run of many ticks in a gap", { permissions: "none" }, () => {
  assert.deepEqual(take("5,10,20,59 2 * * *", "Europe/Berlin", { after: "2027-03-27T12:00:00Z", count: 2 }), [
    "2027-03-28T01:00:00Z gap",
    "2027-03-29T00:05:00Z",
  ]);
  assert.deepEqual(take("0 0,6,12,18 * * *", "Pacific/Apia", { after: "2011-12-30T05:00:00Z", count: 2 }), [
    "2011-12-30T10:00:00Z",
    "2011-12-30T16:00:00Z",
  ]);
});

Deno.test("nextTick() finds a gap's run from the instant just before it, and not from it", {
  permissions: "none",
}, () => {
  const after = Date.parse("2027-03-28T01:00:00Z");
  const zone = zoneOf("Europe/Berlin");
  assert.deepEqual(nextTick(parseCron("30 2 * * *"), zone, { after: after - 1 }), { at: after, note: "gap" });
  assert.equal(nextTick(parseCron("30 2 * * *"), zone, { after })?.note, "");
});

Deno.test("nextTick() runs a date that the zone lost, once", { permissions: "none" }, () => {
  assert.deepEqual(take("0 9 30 12 *", "Pacific/Apia", { after: "2011-01-15T00:00:00Z", count: 2 }), [
    "2011-12-30T10:00:00Z gap",
    "2012-12-29T19:00:00Z",
  ]);
  assert.deepEqual(take("*/5 9 30 12 *", "Pacific/Apia", { after: "2011-01-15T00:00:00Z", count: 1 }), [
    "2012-12-29T19:00:00Z",
  ]);
});

Deno.test("nextTick() marks all repeats of a doubled midnight", { permissions: "none" }, () => {
  assert.deepEqual(take("0,30 0 * * *", "America/Havana", { after: "2026-10-31T12:00:00Z", count: 5 }), [
    "2026-11-01T04:00:00Z",
    "2026-11-01T04:30:00Z",
    "2026-11-01T05:00:00Z repeat",
    "2026-11-01T05:30:00Z repeat",
    "2026-11-02T05:00:00Z",
  ]);
});

Deno.test("nextTick() looks as far ahead as the rarest day", { permissions: "none" }, () => {
  assert.deepEqual(take("0 0 29 2 */7", "Europe/Paris", { after: "2097-01-01T00:00:00Z", count: 2 }), [
    "2128-02-28T23:00:00Z",
    "2156-02-28T23:00:00Z",
  ]);
});

Deno.test("nextTick() has no tick after the year 9999", { permissions: "none" }, () => {
  const after = Date.parse("9999-12-31T23:59:59Z");
  for (const cron of ["0 0 1 1 *", "* * * * * *", "@every 1s"]) {
    for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati"]) {
      const tick = nextTick(parseCron(cron), zoneOf(zone), { after: after + DAY });
      assert.equal(tick, undefined, `${cron} in ${zone}`);
    }
    assert.equal(nextTick(parseCron(cron), zoneOf("Europe/Berlin"), { after: 1e300 }), undefined);
  }
});

Deno.test("nextTick() refuses times that are none", { permissions: "none" }, () => {
  for (const after of [NaN, Infinity, -Infinity]) {
    assert.throws(() => nextTick(parseCron("* * * * *"), zoneOf("UTC"), { after }), RangeError);
  }
  assert.throws(() => nextTick(parseCron("@every 1m"), zoneOf("UTC"), { after: 0, anchor: NaN }), RangeError);
});

Deno.test("nextTick() counts @every from its anchor, whatever the clock of the zone does", {
  permissions: "none",
}, () => {
  const anchor = Date.parse("2027-03-27T22:17:03.250Z");
  const every = parseCron("@every 1h30m");
  const ticks = [...ticksBetween(every, zoneOf("Europe/Berlin"), { from: anchor, to: anchor + DAY, anchor })];
  assert.deepEqual(
    ticks.map(({ at }) => at - anchor),
    Array.from({ length: 16 }, (_, k) => (k + 1) * 1.5 * HOUR),
  );
  assert.ok(ticks.every(({ note }) => note === ""));
  assert.equal(nextTick(every, zoneOf("UTC"), { after: 0 })?.at, 1.5 * HOUR);
  assert.equal(nextTick(every, zoneOf("UTC"), { after: anchor - 1, anchor })?.at, anchor);
});

Deno.test("ticksBetween() leaves out its start and includes its end", { permissions: "none" }, () => {
  const at = (hour: number): number => Date.UTC(2027, 0, 1, hour);
  const between = (from: number, to: number): number[] =>
    [...ticksBetween(parseCron("0 * * * *"), zoneOf("UTC"), { from, to })].map((tick) => tick.at);
  assert.deepEqual(between(at(1), at(3)), [at(2), at(3)]);
  assert.deepEqual(between(at(1), at(1)), []);
  assert.deepEqual(between(at(2), at(1)), []);
});

function compare(expression: string, zone: string, span: { from: number; to: number }): void {
  const fast = [...ticksBetween(parseCron(expression), zoneOf(zone), span)];
  const slow = slowTicks(expression, zone, span);
  assert.deepEqual(fast.map(readable), slow.map(readable), `${expression} in ${zone}`);
}

function readable({ at, note }: Tick): string {
  return `${new Date(at).toISOString()} ${note}`;
}

Deno.test("ticksBetween() equals brute force around hard clock changes", { permissions: "none" }, () => {
  const expressions = [
    "30 * * * *",
    "*/20 * * * *",
    "0,30 0-3 * * *",
    "*/15 1-2 * * *",
    "59 23 * * *",
    "0 0 * * 1-5",
  ];
  for (const [zone, around] of hardChanges) {
    const middle = Date.parse(around);
    for (const expression of expressions) {
      compare(expression, zone, { from: middle - 1.5 * DAY, to: middle + 1.5 * DAY });
    }
  }
});

Deno.test(
  "ticksBetween() equals brute force around clock changes of any zone",
  { permissions: "none" },
  () => {
    const expression = fc.oneof(dailyExpression, minuteExpression);
    fc.assert(
      fc.property(expression, clockChange, (cron, { zone, around }) => {
        compare(cron, zone, { from: around - 26 * HOUR, to: around + 26 * HOUR });
      }),
      { seed: 20_270_328, numRuns: 400 },
    );
  },
);

Deno.test("ticksBetween() equals brute force to the second", { permissions: "none" }, () => {
  let compared = 0;
  fc.assert(
    fc.property(secondExpression, clockChange, (cron, { zone, around }) => {
      // Brute force tries every time of day that fits; where that is most of a day it takes too long.
      if (timesOfDay(cron) > 4000) return;
      compare(cron, zone, { from: around - 2 * HOUR, to: around + 2 * HOUR });
      compared++;
    }),
    { seed: 60, numRuns: 300 },
  );
  assert.ok(compared > 200, `only ${compared} were compared`);
});

function timesOfDay(cron: string): number {
  const schedule = parseCron(cron);
  if (schedule.kind !== "fields") return 0;
  return [schedule.second, schedule.minute, schedule.hour].reduce(
    (product, { low, high }) => product * (ones(low) + ones(high)),
    1,
  );
}

function ones(bits: number): number {
  return (bits >>> 0).toString(2).replaceAll("0", "").length;
}

Deno.test("nextTick() gives rising ticks whose local time fits the fields", { permissions: "none" }, () => {
  const instant = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2090, 0) });
  const zones = fc.constantFrom("UTC", ...hardChanges.map(([zone]) => zone));
  fc.assert(
    fc.property(fc.oneof(minuteExpression, secondExpression), zones, instant, (cron, zone, start) => {
      const schedule = parseCron(cron);
      let after = start;
      for (let i = 0; i < 5; i++) {
        const tick = nextTick(schedule, zoneOf(zone), { after });
        assert.ok(tick !== undefined && tick.at > after);
        const local = Temporal.Instant.fromEpochMilliseconds(tick.at).toZonedDateTimeISO(zone)
          .toPlainDateTime();
        if (tick.note !== "gap") assert.ok(localFits(cron, local), `${cron} in ${zone}: ${local}`);
        else assert.ok(!localFits(cron, local));
        if (tick.note !== "") assert.ok(!isElapsed(cron));
        // Anything between the last tick and this one leads to the same tick.
        for (const earlier of [tick.at - 1, Math.floor((after + tick.at) / 2)]) {
          if (earlier >= after) assert.deepEqual(nextTick(schedule, zoneOf(zone), { after: earlier }), tick);
        }
        after = tick.at;
      }
    }),
    { seed: 11, numRuns: 1500 },
  );
});
