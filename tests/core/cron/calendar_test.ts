import assert from "node:assert/strict";
import { DAY, fitsLocal, LAST_LOCAL, nextLocal } from "../../../src/core/cron/calendar.ts";
import { type FieldSchedule, parseCron } from "../../../src/core/cron/parse.ts";

function fields(text: string): FieldSchedule {
  const schedule = parseCron(text);
  assert.equal(schedule.kind, "fields");
  return schedule as FieldSchedule;
}

Deno.test("nextLocal() finds the next first of a month from every day of the years 1 to 9999", {
  permissions: "none",
}, () => {
  const schedule = fields("0 0 1 * *");
  let day = new Date("0001-01-01T00:00:00Z").getTime() / DAY / 1000;
  const next = new Date("0001-01-01T00:00:00Z");
  for (let month = 0; month < 9998 * 12; month++) {
    const first = next.getTime() / 1000;
    for (; day * DAY <= first; day++) if (nextLocal(schedule, day * DAY) !== first) assert.fail(`day ${day}`);
    next.setUTCMonth(next.getUTCMonth() + 1);
  }
});

Deno.test("nextLocal() steps through the seconds of a day", { permissions: "none" }, () => {
  const schedule = fields("7,33,59 0,31,32,59 0,13,23 * * *");
  const found: string[] = [];
  for (let at = nextLocal(schedule, DAY); at < 2 * DAY; at = nextLocal(schedule, at + 1)) {
    found.push(new Date(at * 1000).toISOString().slice(11, 19));
  }
  const expected = ["00", "13", "23"].flatMap((hour) =>
    ["00", "31", "32", "59"].flatMap((minute) =>
      ["07", "33", "59"].map((second) => `${hour}:${minute}:${second}`)
    )
  );
  assert.deepEqual(found, expected);
});

Deno.test("nextLocal() ends with the year 9999", { permissions: "none" }, () => {
  assert.equal(nextLocal(fields("59 59 23 31 12 *"), LAST_LOCAL), LAST_LOCAL);
  assert.equal(nextLocal(fields("0 0 1 1 *"), LAST_LOCAL), Infinity);
});

Deno.test("fitsLocal() is true for exactly the times of the fields", { permissions: "none" }, () => {
  const schedule = fields("*/15 9 * * *");
  const fitting = Array.from({ length: 1440 }, (_, minute) => minute).filter((minute) =>
    fitsLocal(schedule, minute * 60)
  );
  assert.deepEqual(fitting, [540, 555, 570, 585]);
  assert.equal(fitsLocal(schedule, 540 * 60 + 1), false);
});
