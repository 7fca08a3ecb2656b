import assert from "node:assert/strict";
import fc from "fast-check";
import { bitsOf } from "../../../src/core/cron/bits.ts";
import { daysOfMonth } from "../../../src/core/cron/days.ts";
import type { Field } from "../../../src/core/cron/field.ts";
import { CronError, type FieldSchedule, parseCron } from "../../../src/core/cron/parse.ts";
import invalid from "../../vectors/cron-invalid.json" with { type: "json" };

function fields(text: string): FieldSchedule {
  const schedule = parseCron(text);
  assert.equal(schedule.kind, "fields");
  return schedule as FieldSchedule;
}

function values({ low, high }: Field): number[] {
  return [...bitsOf(low), ...bitsOf(high).map((bit) => bit + 32)];
}

function message(text: string): string {
  try {
    parseCron(text);
  } catch (thrown) {
    assert.ok(thrown instanceof CronError, `${text}: ${thrown}`);
    return thrown.message;
  }
  assert.fail(`${text} was accepted`);
}

Deno.test("parseCron() refuses every invalid vector", { permissions: "none" }, () => {
  assert.ok(invalid.length >= 20);
  for (const { cron } of invalid) assert.doesNotMatch(message(cron), /\.$/);
});

Deno.test("parseCron() says which field is wrong, and how", { permissions: "none" }, () => {
  const expected: ReadonlyArray<readonly [string, string]> = [
    ["60 * * * *", 'minute "60" is over 59'],
    ["* 24 * * *", 'hour "24" is over 23'],
    ["* * 0 * *", 'day of month "0" is under 1'],
    ["* * * 13 *", 'month "13" is over 12'],
    ["* * * * 8", 'day of week "8" is over 7'],
    ["70 * * * * *", 'second "70" is over 59'],
    ["a * * * *", 'minute "a" is not a whole number from 0 to 59'],
    ["* * * janu *", 'month "janu" is not a whole number from 1 to 12 or a name such as "feb"'],
    ["* * * * fry", 'day of week "fry" is not a whole number from 0 to 7 or a name such as "mon"'],
    ["1.5 * * * *", 'minute "1.5" is not a whole number from 0 to 59'],
    ["? * * * *", 'minute "?" is not a whole number from 0 to 59'],
    ["*/0 * * * *", 'minute "*/0" has the step "0": use a whole number from 1'],
    ["*/x * * * *", 'minute "*/x" has the step "x": use a whole number from 1'],
    ["*/ * * * *", 'minute "*/" has the step "": use a whole number from 1'],
    ["*/2/3 * * * *", 'minute "*/2/3" has more than one step'],
    ["5-1-3 * * * *", 'minute "5-1-3" is neither a value nor a range nor a step'],
    ["-5 * * * *", 'minute "-5" is neither a value nor a range nor a step'],
    ["/5 * * * *", 'minute "/5" is neither a value nor a range nor a step'],
    ["1,,2 * * * *", 'minute "1,,2" has an empty list item'],
    ["0 0 L-31 * *", 'day of month "L-31" counts back more than 30 days'],
    ["0 0 32W * *", 'day of month "32" is over 31'],
    ["0 0 1-5W * *", 'day of month "5W" is not a whole number from 1 to 31'],
    ["0 0 * * L", 'day of week "L" needs a day in front, such as "5L" for the last Friday'],
    ["0 0 * * mon#6", 'day of week "mon#6" needs a week from 1 to 5 after the "#"'],
    ["0 0 * * mon#", 'day of week "mon#" needs a week from 1 to 5 after the "#"'],
    ["0 0 * * 9L", 'day of week "9" is over 7'],
    ["* * * *", '"* * * *" has 4 fields: a schedule has 5, or 6 with leading seconds'],
    ["daily", '"daily" has 1 field: a schedule has 5, or 6 with leading seconds'],
    ["  ", 'the schedule "" is empty: write for example "0 2 * * *"'],
    ["0 0 30 feb *", '"0 0 30 feb *" can never fire: no month of "feb" has such a day'],
    [
      "@often",
      'nickname "@often" is unknown: use @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or @every',
    ],
    ["@reboot", '"@reboot" is not a time: leave the schedule out and use run_on_start'],
    ["@daily 5", 'nickname "@daily" stands alone: remove "5" behind it'],
    ["@every", '@every needs a duration: write for example "@every 15m"'],
    ["@every soon", '@every "soon" is not a duration: write for example "90s" or "1h30m"'],
    ["@every 100000w", '@every "100000w" is too long: 292 years are the most'],
    ["@every 999ms", '@every "999ms" is under 1s'],
    ["@every 1.0005s", '@every "1.0005s" is finer than a millisecond'],
  ];
  for (const [text, wording] of expected) assert.equal(message(text), wording);
});

Deno.test("parseCron() keeps the offending text of a message short", { permissions: "none" }, () => {
  assert.ok(message(`${"9".repeat(500)} * * * *`).length < 100);
});

Deno.test(
  "parseCron() reads lists, ranges, steps, names and ranges that wrap",
  { permissions: "none" },
  () => {
    const hours: ReadonlyArray<readonly [string, number[]]> = [
      ["7", [7]],
      ["07", [7]],
      ["9-12", [9, 10, 11, 12]],
      ["22-2", [0, 1, 2, 22, 23]],
      ["22-3/2", [0, 2, 22]],
      ["23-0", [0, 23]],
      ["*/7", [0, 7, 14, 21]],
      ["5/7", [5, 12, 19]],
      ["19-23/24", [19]],
      ["*/99999999999999999999999", [0]],
      ["1,3-5,20/2", [1, 3, 4, 5, 20, 22]],
    ];
    for (const [text, expected] of hours) {
      assert.deepEqual(
        values(fields(`0 ${text} * * *`).hour),
        expected,
        text,
      );
    }
    const months: ReadonlyArray<readonly [string, number[]]> = [
      ["jan,JUL", [1, 7]],
      ["nov-feb", [1, 2, 11, 12]],
      ["Nov-3/2", [1, 3, 11]],
      ["2/5", [2, 7, 12]],
      ["*/4", [1, 5, 9]],
    ];
    for (const [text, expected] of months) {
      assert.deepEqual(
        values(fields(`0 0 1 ${text} *`).month),
        expected,
        text,
      );
    }
    const weekdays: ReadonlyArray<readonly [string, number[]]> = [
      ["7", [0]],
      ["5-7", [0, 5, 6]],
      ["0-7", [0, 1, 2, 3, 4, 5, 6]],
      ["sun-tue", [0, 1, 2]],
      ["fri-mon", [0, 1, 5, 6]],
      ["fri-sun", [0, 5, 6]],
      ["7-2", [0, 1, 2]],
      ["6-0", [0, 6]],
      ["sat-2/2", [1, 6]],
      ["1/2", [0, 1, 3, 5]],
      ["*/2", [0, 2, 4, 6]],
      ["7/2", [0]],
    ];
    for (const [text, expected] of weekdays) {
      assert.deepEqual(bitsOf(fields(`0 0 * * ${text}`).days.weekday.weekdays), expected, text);
    }
    assert.deepEqual(values(fields("31-33,59 0 * * * *").second), [31, 32, 33, 59]);
    assert.deepEqual(bitsOf(fields("0 0 29-3/2 * *").days.date.dates), [2, 29, 31]);
  },
);

Deno.test(
  "parseCron() combines day fields by OR unless one begins with a star",
  { permissions: "none" },
  () => {
    // May 2026: 31 days from a Friday.
    const may = (text: string): number[] => bitsOf(daysOfMonth(fields(text).days, { length: 31, first: 5 }));
    assert.deepEqual(may("0 0 13 * fri"), [1, 8, 13, 15, 22, 29]);
    assert.deepEqual(may("0 0 */2 * fri"), [1, 15, 29]);
    assert.deepEqual(may("0 0 1-31/2 * fri"), [
      1,
      3,
      5,
      7,
      8,
      9,
      11,
      13,
      15,
      17,
      19,
      21,
      22,
      23,
      25,
      27,
      29,
      31,
    ]);
    assert.deepEqual(may("0 0 ? * fri"), [1, 8, 15, 22, 29]);
    assert.deepEqual(may("0 0 13 * ?"), [13]);
    assert.deepEqual(may("0 0 15 * */5"), [15]);
    assert.deepEqual(may("0 0 *,5 * sat"), [2, 9, 16, 23, 30]);
    assert.deepEqual(may("0 0 L * fri#2"), [8, 31]);
  },
);

Deno.test("parseCron() counts special days from the end, the weekdays and the weeks of a month", {
  permissions: "none",
}, () => {
  const days = (text: string, length: number, first: number): number[] =>
    bitsOf(daysOfMonth(fields(text).days, { length, first }));
  assert.deepEqual(days("0 0 L * *", 29, 2), [29]);
  assert.deepEqual(days("0 0 l-3,1 * *", 30, 2), [1, 27]);
  assert.deepEqual(days("0 0 L-30 * *", 31, 0), [1]);
  assert.deepEqual(days("0 0 L-30 * *", 30, 0), []);
  // The first is a Saturday, so its nearest weekday in the month is the third.
  assert.deepEqual(days("0 0 1W * *", 30, 6), [3]);
  assert.deepEqual(days("0 0 1w * *", 30, 0), [2]);
  assert.deepEqual(days("0 0 8W * *", 30, 6), [7]);
  // 31 days from a Friday end on a Sunday.
  assert.deepEqual(days("0 0 31W * *", 31, 5), [29]);
  assert.deepEqual(days("0 0 LW * *", 31, 5), [29]);
  assert.deepEqual(days("0 0 31W * *", 30, 5), []);
  assert.deepEqual(days("0 0 * * 5#5", 31, 5), [29]);
  assert.deepEqual(days("0 0 * * 5#5", 28, 5), []);
  assert.deepEqual(days("0 0 * * 7#1,SunL", 31, 5), [3, 31]);
  assert.deepEqual(days("0 0 * * 7L", 28, 0), [22]);
});

Deno.test("parseCron() follows elapsed time where second, minute or hour begins with a star", {
  permissions: "none",
}, () => {
  for (const text of ["* * * * *", "0 * * * *", "*/5 2 * * *", "@hourly", "* 0 2 * * *", "*/2,7 3 * * *"]) {
    assert.equal(fields(text).elapsed, true, text);
  }
  for (
    const text of ["0 2 * * *", "0 0 2 * * *", "0-59 0-23 * * *", "7,*/2 3 * * *", "@daily", "0 2 */2 * *"]
  ) {
    assert.equal(fields(text).elapsed, false, text);
  }
});

Deno.test(
  "parseCron() takes nicknames and names in any case, and any white space",
  { permissions: "none" },
  () => {
    const pairs: ReadonlyArray<readonly [string, string]> = [
      ["@YEARLY", "0 0 1 1 *"],
      ["@annually", "0 0 1 1 *"],
      ["@Monthly", "0 0 1 * *"],
      ["@weekly", "0 0 * * 0"],
      ["@daily", "0 0 * * *"],
      ["@midnight", "0 0 * * *"],
      ["@hourly", "0 * * * *"],
      ["  0\t0   * *  0 ", "0 0 * * 0"],
    ];
    for (const [text, same] of pairs) {
      assert.deepEqual({ ...fields(text), source: "" }, { ...fields(same), source: "" }, text);
      assert.equal(fields(text).source, text.trim());
    }
    assert.deepEqual(parseCron("@EVERY  1h30m"), {
      kind: "every",
      source: "@EVERY  1h30m",
      everyMs: 5_400_000,
    });
    assert.deepEqual(parseCron("@every 1.5s"), { kind: "every", source: "@every 1.5s", everyMs: 1500 });
  },
);

Deno.test(
  "parseCron() accepts what fires rarely and refuses what never fires",
  { permissions: "none" },
  () => {
    for (
      const text of [
        "0 0 29 2 *",
        "0 0 29 2 */7",
        "0 0 31 1-12 *",
        "0 0 29W 2 *",
        "0 0 L-28 2 *",
        "0 0 30 2 1",
      ]
    ) {
      assert.equal(parseCron(text).kind, "fields", text);
    }
    for (
      const text of [
        "0 0 30 2 *",
        "0 0 31 4,6,9,11 *",
        "0 0 30W 2 *",
        "0 0 L-29 2 *",
        "0 0 30 2 ?",
        "0 0 30,31 feb */2",
      ]
    ) {
      assert.match(message(text), /can never fire/, text);
    }
  },
);

Deno.test("parseCron() shares the sets of equal fields", { permissions: "none" }, () => {
  const [one, two] = [fields("*/7 3 1-5 * 2"), fields("*/7 4 1-5 * 2")];
  assert.equal(one.minute, two.minute);
  assert.equal(one.days, two.days);
});

Deno.test("parseCron() throws nothing but CronError, whatever it is given", { permissions: "none" }, () => {
  const token = fc.constantFrom(
    "*",
    "?",
    "/",
    "-",
    ",",
    "L",
    "W",
    "#",
    "mon",
    "jan",
    "0",
    "7",
    "59",
    "60",
    " ",
    "@every ",
    "1h",
    "x",
  );
  const text = fc.oneof(fc.string(), fc.array(token, { maxLength: 14 }).map((tokens) => tokens.join("")));
  const padded = fc.tuple(text, fc.nat(4)).map(([one, at]) =>
    ["0", "0", "*", "*", "*"].with(at, one).join(" ")
  );
  fc.assert(
    fc.property(fc.oneof(text, padded), (cron) => {
      try {
        parseCron(cron);
      } catch (thrown) {
        assert.ok(thrown instanceof CronError, `${JSON.stringify(cron)}: ${thrown}`);
        assert.ok(thrown.message.length < 200 && !thrown.message.includes("\n"));
      }
    }),
    { seed: 3, numRuns: 5000 },
  );
});
