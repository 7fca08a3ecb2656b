import assert from "node:assert/strict";
import { parseCron } from "../../../src/core/cron/parse.ts";
import { clockChanges, isHourly } from "../../../src/importers/export/clock_changes.ts";

Deno.test("clockChanges() finds what falls into the hours that a clock skips or repeats", () => {
  const cases: [cron: string, zone: string, gap: boolean, repeat: boolean][] = [
    ["30 2 * * *", "Europe/Berlin", true, true],
    ["30 12 * * *", "Europe/Berlin", false, false],
    ["*/10 1-4 * * *", "Europe/Berlin", false, true],
    ["30 2 * * *", "UTC", false, false],
    ["30 2 * * 3", "Europe/Berlin", false, false],
    ["15 2 * * *", "Australia/Lord_Howe", true, false],
    ["@every 5m", "Europe/Berlin", false, false],
  ];
  for (const [cron, zone, gap, repeat] of cases) {
    assert.deepEqual(clockChanges(parseCron(cron), zone), { gap, repeat }, `${cron} ${zone}`);
  }
});

Deno.test("isHourly() is true where UTC is as good as the zone", () => {
  const cases: [cron: string, zone: string, hourly: boolean][] = [
    ["*/5 * * * *", "Europe/Berlin", true],
    ["7 * * * *", "UTC", true],
    ["7 */1 * * *", "America/New_York", true],
    ["*/5 * * * *", "Asia/Kolkata", false],
    ["*/5 * * * *", "Australia/Lord_Howe", false],
    ["*/5 * * * 1", "Europe/Berlin", false],
    ["*/5 * * 2 *", "Europe/Berlin", false],
    ["7 0-23 * * *", "Europe/Berlin", false],
    ["@every 5m", "Europe/Berlin", false],
  ];
  for (const [cron, zone, hourly] of cases) {
    assert.equal(isHourly(parseCron(cron), zone), hourly, `${cron} ${zone}`);
  }
});
