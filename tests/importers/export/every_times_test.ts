import assert from "node:assert/strict";
import { everyTimes } from "../../../src/importers/export/every_times.ts";

Deno.test("everyTimes() meets each multiple of an interval that divides a day, and nothing else", () => {
  let said = 0;
  for (let every = 1; every <= 86_400; every++) {
    if (86_400 % every !== 0) {
      assert.equal(everyTimes(every * 1000), undefined);
      continue;
    }
    const times = everyTimes(every * 1000);
    if (times === undefined) continue;
    said++;
    const seconds = times.flatMap(({ hours, minutes, seconds }) =>
      hours.flatMap((hour) =>
        minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second))
      )
    ).sort((a, b) => a - b);
    assert.deepEqual(
      seconds,
      Array.from({ length: 86_400 / every }, (_, index) => index * every),
      String(every),
    );
  }
  assert.ok(said > 60, String(said));
});

Deno.test("everyTimes() gives up on parts of a second and on what takes too many lines", () => {
  assert.equal(everyTimes(1500), undefined);
  assert.equal(everyTimes(90 * 60_000, 1), undefined);
});
