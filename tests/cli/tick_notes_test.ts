import assert from "node:assert/strict";
import { noteOf } from "../../src/cli/tick_notes.ts";
import { parseCron } from "../../src/core/cron/parse.ts";
import { zoneOf } from "../../src/core/cron/zone.ts";
import { upcomingTicks } from "../../src/core/upcoming.ts";

function notes(cron: string, zoneName: string, after: string): string[] {
  const schedule = parseCron(cron);
  const zone = zoneOf(zoneName);
  return upcomingTicks(schedule, zone, { after: Date.parse(after), anchor: 0, count: 3 })
    .map((tick) => noteOf(tick, schedule, zone));
}

Deno.test("noteOf() says which time a gap swallowed", { permissions: "none" }, () => {
  assert.deepEqual(notes("30 2 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z"), [
    "02:30 does not exist that day: runs at 03:00",
    "",
    "",
  ]);
  // Lord Howe skips half an hour.
  assert.deepEqual(notes("0 10 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z"), [
    "02:10 does not exist that day: runs at 02:30",
    "",
    "",
  ]);
});

Deno.test("noteOf() says that a repeated time is left out, and nothing of an interval", {
  permissions: "none",
}, () => {
  assert.deepEqual(notes("30 2 * * *", "Europe/Berlin", "2027-10-30T12:00:00Z"), [
    "",
    "02:30 comes twice that day: does not run again",
    "",
  ]);
  assert.deepEqual(notes("@every 1h", "Europe/Berlin", "2027-10-30T23:59:00Z"), ["", "", ""]);
});
