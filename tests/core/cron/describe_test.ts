import assert from "node:assert/strict";
import fc from "fast-check";
import { describeCron } from "../../../src/core/cron/describe.ts";
import { parseCron, type Schedule } from "../../../src/core/cron/parse.ts";
import { minuteExpression, secondExpression } from "./arbitrary.ts";

const examples: ReadonlyArray<readonly [string, string]> = [
  // Through the day
  ["* * * * *", "every minute"],
  ["*/1 * * * *", "every minute"],
  ["*/15 * * * *", "every 15 minutes"],
  ["0,20,40 * * * *", "every 20 minutes"],
  ["5/20 * * * *", "every 20 minutes from 00:05"],
  ["*/11 * * * *", "every 11 minutes from :00 to :55 of every hour"],
  ["2-30/6 * * * *", "every 6 minutes from :02 to :26 of every hour"],
  ["0 * * * *", "every hour"],
  ["@hourly", "every hour"],
  ["7 * * * *", "every hour at :07"],
  ["0,1 * * * *", "at :00 and :01 of every hour"],
  ["0,5,10,20,30,40,50 * * * *", "at :00, :05, :10, :20, :30, :40 and :50 of every hour"],
  ["0 */6 * * *", "every 6 hours"],
  ["20 */3 * * *", "every 3 hours from 00:20"],
  ["45 3,9,15,21 * * *", "every 6 hours from 03:45"],
  ["0 */5 * * *", "every 5 hours from 00:00 to 20:00"],
  ["0 */10 * * *", "daily at 00:00, 10:00 and 20:00"],
  // Once or a few times a day
  ["0 2 * * *", "daily at 02:00"],
  ["@daily", "daily at 00:00"],
  ["0 0,12 * * *", "daily at 00:00 and 12:00"],
  ["00 07,18 * * *", "daily at 07:00 and 18:00"],
  ["0 1,2,9,17,20,21,23 * * *", "daily at 01:00, 02:00, 09:00, 17:00, 20:00, 21:00 and 23:00"],
  // Windows
  ["0 9-17 * * 1-5", "every hour from 09:00 to 17:00 on weekdays"],
  ["*/15 9-17 * * 1-5", "every 15 minutes from 09:00 to 17:45 on weekdays"],
  ["* 2 * * *", "every minute from 02:00 to 02:59"],
  ["* 8-12,14-18 * * *", "every minute from 08:00 to 12:59 and from 14:00 to 18:59"],
  ["1,31 0-5 * * *", "every 30 minutes from 00:01 to 05:31"],
  ["0 22-2 * * *", "every hour from 22:00 to 02:00"],
  ["0 22-2 * * 1", "Mondays at 00:00, 01:00, 02:00, 22:00 and 23:00"],
  ["*/20 22-1 * * 1", "every 20 minutes from 00:00 to 01:40 and from 22:00 to 23:40 on Mondays"],
  ["5,41,50 0,3,9-17 * * *", "at :05, :41 and :50 of the hours 00, 03 and 09 to 17"],
  ["*/30 1,4,9,13 * * 1-4", "every 30 minutes of the hours 01, 04, 09 and 13, Monday to Thursday"],
  // Seconds
  ["* * * * * *", "every second"],
  ["*/10 * * * * *", "every 10 seconds"],
  ["5-55/10 * * * * *", "every 10 seconds from second 5 to 55 of every minute"],
  ["5,25 * * * * *", "at seconds 5 and 25 of every minute"],
  ["15,45 30 4 * * *", "daily at 04:30:15 and 04:30:45"],
  ["30 */15 * * * *", "every 15 minutes at second 30"],
  ["30 5 * * * *", "every hour at :05:30"],
  ["30 0 4 * * 1", "Mondays at 04:00:30"],
  ["0 30 2 * * *", "daily at 02:30"],
  ["*/10 * 9-17 * * 1-5", "every 10 seconds from 09:00:00 to 17:59:50 on weekdays"],
  [
    "0-10 0 9-17 * * 1-5",
    "every hour from 09:00 to 17:00 on weekdays, every second from second 0 to 10 of that minute",
  ],
  // Days of the week
  ["30 6 * * 1", "Mondays at 06:30"],
  ["@weekly", "Sundays at 00:00"],
  ["0 12 * * sat,sun", "weekends at 12:00"],
  ["0 8 * * 1-4", "Monday to Thursday at 08:00"],
  ["0 12 * * fri-mon", "Friday to Monday at 12:00"],
  ["1 7 * * 0,1,3,5", "Mondays, Wednesdays, Fridays and Sundays at 07:01"],
  ["0 */8 * * 2", "every 8 hours on Tuesdays"],
  ["0 18 * * friL", "the last Friday of the month at 18:00"],
  ["0 9 * * MON#2", "the second Monday of the month at 09:00"],
  ["0 0 * * mon#1,fri#2", "the first Monday and the second Friday of the month at 00:00"],
  ["0 0 * * mon,fri#2", "Mondays and the second Friday of the month at 00:00"],
  // Days of the month
  ["@monthly", "the 1st of the month at 00:00"],
  ["30 4 1,15 * *", "the 1st and 15th of the month at 04:30"],
  ["0 9 1-7 * *", "the 1st to 7th of the month at 09:00"],
  ["0 9 */2 * *", "odd days of the month at 09:00"],
  ["0 9 2-30/2 * *", "even days of the month at 09:00"],
  ["0 9 */3 * *", "every 3rd day from the 1st to the 31st of the month at 09:00"],
  ["0 9 2,3,11,12,13,22 * *", "the 2nd, 3rd, 11th to 13th and 22nd of the month at 09:00"],
  ["0 0 L * *", "the last day of the month at 00:00"],
  ["0 0 L-1 * *", "the day before the last day of the month at 00:00"],
  ["0 0 L-2 * *", "the day 2 days before the last day of the month at 00:00"],
  ["0 0 LW * *", "the last weekday of the month at 00:00"],
  ["0 12 15W * *", "the weekday nearest the 15th of the month at 12:00"],
  ["*/5 0-6 1,15 * *", "every 5 minutes from 00:00 to 06:55 on the 1st and 15th of the month"],
  // Both day fields
  ["0 0 13 * 5", "the 13th of the month and Fridays at 00:00"],
  ["0 0 */2 * 1", "Mondays that fall on odd days of the month at 00:00"],
  ["0 0 */2 * 5L", "the last Friday of the month that falls on odd days of the month at 00:00"],
  ["0 0 1-31 * 1", "daily at 00:00"],
  ["0 0 ? * MON", "Mondays at 00:00"],
  // Months
  ["@yearly", "the 1st of January at 00:00"],
  ["0 0 1 jan,jul *", "the 1st of January and July at 00:00"],
  ["0 0 1 nov-feb *", "the 1st of the month from November to February at 00:00"],
  ["*/5 * * 6 *", "every 5 minutes in June"],
  ["*/5 * * 6-8 *", "every 5 minutes, from June to August"],
  ["0 2 * 6-8 *", "daily from June to August at 02:00"],
  ["0 2 * 6 1", "Mondays in June at 02:00"],
  [
    "0 0 1,15 6-8 5",
    "the 1st and 15th of the month from June to August and Fridays from June to August at 00:00",
  ],
  // Elapsed time
  ["@every 5m", "every 5 minutes"],
  ["@every 1h", "every hour"],
  ["@every 90s", "every 90 seconds"],
  ["@every 36h", "every 36 hours"],
  ["@every 2d", "every 2 days"],
  ["@every 1.5s", "every 1.5 seconds"],
  ["@every 1h0m10s", "every 1 hour and 10 seconds"],
  ["@every 1d1h1m1.5s", "every 1 day, 1 hour, 1 minute and 1.5 seconds"],
];

for (const [cron, words] of examples) {
  Deno.test(`describeCron() puts ${cron} into words`, { permissions: "none" }, () => {
    assert.equal(describeCron(parseCron(cron)), words);
  });
}

/** All that decides when a schedule ticks, but for clock changes. */
function meaning(schedule: Schedule): string {
  if (schedule.kind === "every") return String(schedule.everyMs);
  const { second, minute, hour, month, days } = schedule;
  const sets = [second, minute, hour, month].flatMap(({ low, high }) => [low, high]);
  // Days are compared as they fall in the months that the schedule has.
  const lengths = [28, 29, 30, 31].filter((length) =>
    length < 30 ? month.low >>> 2 & 1 : month.low & (length === 30 ? 0b101001010000 : 0b1010110101010)
  );
  const shapes = lengths.flatMap((length) => [...days.shapes.subarray((length - 28) * 7, (length - 27) * 7)]);
  return JSON.stringify([sets, shapes]);
}

Deno.test(
  "describeCron() never gives two different schedules the same words",
  { permissions: "none" },
  () => {
    const known = new Map<string, { cron: string; means: string }>();
    const part = fc.constantFrom(
      "*",
      "0",
      "5",
      "*/2",
      "*/15",
      "0,30",
      "1-3",
      "22-1",
      "5/20",
      "0-23/8",
      "1,2,3",
      "0-23",
    );
    const dates = fc.constantFrom(
      "*",
      "?",
      "1",
      "*/2",
      "1-7",
      "L",
      "LW",
      "15W",
      "1-31",
      "*,3",
      "2-30/2",
      "L-1,1",
      "31",
    );
    const weekdays = fc.constantFrom(
      "*",
      "?",
      "1",
      "*/2",
      "1-5",
      "6-0",
      "5L",
      "1#1",
      "fri-mon",
      "0-6",
      "1,2,3",
      "1,1#2",
    );
    const months = fc.constantFrom("*", "1", "1-3", "nov-feb", "1,2,3", "*/3", "1,7");
    const clashing = fc.tuple(part, part, part.filter((text) => text !== "22-1"), dates, months, weekdays)
      .map(([hour, minute, second, date, month, weekday]) => {
        const hours = hour.replace("5/20", "5/6").replace("*/15", "*/4").replace("0,30", "0,12");
        return `${
          second.replace("0-23/8", "0").replace("*/15", "0")
        } ${minute} ${hours} ${date} ${month} ${weekday}`;
      });
    const expression = fc.oneof({ weight: 4, arbitrary: clashing }, minuteExpression, secondExpression);
    let agreeing = 0;
    fc.assert(
      fc.property(expression, (cron) => {
        let schedule;
        try {
          schedule = parseCron(cron);
        } catch {
          return;
        }
        const words = describeCron(schedule);
        assert.match(words, /^[\x20-\x7e]+$/);
        assert.doesNotMatch(words, /undefined|NaN|Infinity| {2}|[.,]$/);
        const means = meaning(schedule);
        const former = known.get(words);
        if (former === undefined) known.set(words, { cron, means });
        else {
          assert.equal(means, former.means, `${cron} and ${former.cron} are both "${words}"`);
          if (former.cron !== cron) agreeing++;
        }
      }),
      { seed: 5, numRuns: 20_000 },
    );
    assert.ok(agreeing > 200, `only ${agreeing} pairs had the same words`);
  },
);
