/** Random cron expressions and moments around clock changes for the property tests. */

import fc from "fast-check";
import { CronError, parseCron } from "../../../src/core/cron/parse.ts";

const monthNames = ["jan", "feb", "Mar", "APR", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "Mon", "TUE", "wed", "thu", "fri", "sat"];

function value(min: number, max: number, names?: readonly string[]): fc.Arbitrary<string> {
  const digits = fc.integer({ min, max }).map(String);
  return names === undefined ? digits : fc.oneof(digits, fc.constantFrom(...names));
}

function item(min: number, max: number, names?: readonly string[]): fc.Arbitrary<string> {
  const one = value(min, max, names);
  const step = fc.integer({ min: 1, max: Math.max(2, max) });
  return fc.oneof(
    { weight: 5, arbitrary: one },
    { weight: 3, arbitrary: fc.tuple(one, one).map(([a, b]) => `${a}-${b}`) },
    { weight: 2, arbitrary: fc.tuple(one, one, step).map(([a, b, n]) => `${a}-${b}/${n}`) },
    { weight: 1, arbitrary: fc.tuple(one, step).map(([a, n]) => `${a}/${n}`) },
    { weight: 2, arbitrary: step.map((n) => `*/${n}`) },
  );
}

function field(items: fc.Arbitrary<string>, star: number): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: star, arbitrary: fc.constant("*") },
    { weight: 4, arbitrary: items },
    { weight: 2, arbitrary: fc.array(items, { minLength: 2, maxLength: 4 }).map((list) => list.join(",")) },
  );
}

const dateItem = fc.oneof(
  { weight: 4, arbitrary: item(1, 31) },
  { weight: 1, arbitrary: fc.constantFrom("L", "LW", "l", "lw") },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }).map((n) => `L-${n}`) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 31 }).map((n) => `${n}W`) },
);

const weekdayItem = fc.oneof(
  { weight: 4, arbitrary: item(0, 7, weekdayNames) },
  {
    weight: 1,
    arbitrary: fc.tuple(value(0, 7, weekdayNames), fc.integer({ min: 1, max: 5 })).map(([d, n]) =>
      `${d}#${n}`
    ),
  },
  { weight: 1, arbitrary: value(0, 7, weekdayNames).map((d) => `${d}L`) },
);

function isValid(expression: string): boolean {
  try {
    parseCron(expression);
    return true;
  } catch (thrown) {
    // Random day fields may name a day that no month has; whatever else is thrown is a finding.
    if (thrown instanceof CronError && /can never fire/.test(thrown.message)) return false;
    throw thrown;
  }
}

const date = fc.oneof({ weight: 2, arbitrary: field(dateItem, 4) }, {
  weight: 1,
  arbitrary: fc.constant("?"),
});
const weekday = fc.oneof({ weight: 2, arbitrary: field(weekdayItem, 4) }, {
  weight: 1,
  arbitrary: fc.constant("?"),
});

/** Any valid expression of 5 fields. */
export const minuteExpression: fc.Arbitrary<string> = fc.tuple(
  field(item(0, 59), 2),
  field(item(0, 23), 3),
  date,
  field(item(1, 12, monthNames), 8),
  weekday,
).map((fields) => fields.join(" ")).filter(isValid);

/** Any valid expression of 6 fields. */
export const secondExpression: fc.Arbitrary<string> = fc.tuple(field(item(0, 59), 1), minuteExpression)
  .map(([second, rest]) => `${second} ${rest}`);

/** Frequent expressions without day rules, which a clock change is most likely to meet. */
export const dailyExpression: fc.Arbitrary<string> = fc.tuple(
  field(item(0, 59), 1),
  field(item(0, 23), 2),
).map(([minute, hour]) => `${minute} ${hour} * * *`);

/** Changes of clocks that have been hard: half hours, midnights, lost and doubled days, odd seconds, new standard time. */
export const hardChanges: ReadonlyArray<readonly [zone: string, around: string]> = [
  ["Europe/Berlin", "2027-03-28T01:00:00Z"],
  ["Europe/Berlin", "2027-10-31T01:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["Australia/Lord_Howe", "2027-04-03T15:00:00Z"],
  ["America/Havana", "2026-03-08T05:00:00Z"],
  ["America/Havana", "2026-11-01T05:00:00Z"],
  ["Asia/Beirut", "2022-03-26T22:00:00Z"],
  ["Asia/Beirut", "2022-10-29T21:00:00Z"],
  ["America/Asuncion", "2023-10-01T04:00:00Z"],
  ["America/Asuncion", "2024-03-24T03:00:00Z"],
  ["America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["Pacific/Kwajalein", "1993-08-21T12:00:00Z"],
  ["Africa/Casablanca", "2024-03-10T02:00:00Z"],
  ["Africa/Casablanca", "2024-04-14T02:00:00Z"],
  ["Antarctica/Troll", "2027-03-28T01:00:00Z"],
  ["Antarctica/Troll", "2026-10-25T01:00:00Z"],
  ["Asia/Pyongyang", "2015-08-14T15:00:00Z"],
  ["Asia/Pyongyang", "2018-05-04T15:00:00Z"],
  ["Africa/Monrovia", "1972-01-07T00:44:30Z"],
  ["Asia/Kathmandu", "1985-12-31T18:30:00Z"],
  ["America/Juneau", "1867-10-19T00:00:00Z"],
  ["America/St_Johns", "2006-10-29T02:31:00Z"],
  ["Asia/Almaty", "2024-02-29T18:00:00Z"],
  ["America/Caracas", "2016-05-01T07:00:00Z"],
];

/** A zone and an instant (Unix ms) at or next to one of its clock changes, in any zone and any year from 1850 to 2060. */
export const clockChange: fc.Arbitrary<{ zone: string; around: number }> = fc.oneof(
  fc.constantFrom(...hardChanges).map(([zone, around]) => ({ zone, around: Date.parse(around) })),
  fc.tuple(
    fc.constantFrom(...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "Factory")),
    fc.integer({ min: Date.UTC(1850, 0) / 1000, max: Date.UTC(2060, 0) / 1000 }),
  ).map(([zone, second]) => {
    const start = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
    return { zone, around: (start.getTimeZoneTransition("next") ?? start).epochMilliseconds };
  }),
);
