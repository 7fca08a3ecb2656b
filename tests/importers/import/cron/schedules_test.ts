import assert from "node:assert/strict";
import { nextTick } from "../../../../src/core/cron/next.ts";
import { parseCron } from "../../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../../src/core/cron/zone.ts";
import { importCron } from "../../../../src/importers/import/cron/import_cron.ts";
import { corpus, importAs } from "../corpus.ts";

const schedules = new TextDecoder().decode(corpus("cron/schedules.txt")).trim().split("\n");

/** The first 20 ticks of a year with both changes of the clock. */
function ticks(cron: string): number[] {
  const schedule = parseCron(cron);
  const list: number[] = [];
  let after = Date.parse("2027-03-27T12:00:00Z");
  while (list.length < 20) {
    const tick = nextTick(schedule, zoneOf("Europe/Berlin"), { after, anchor: 0 });
    if (tick === undefined) break;
    list.push(tick.at);
    after = tick.at;
  }
  return list;
}

Deno.test("importCron() takes every schedule of the corpus, and it means the same", () => {
  assert.equal(schedules.length, 312);
  // Six fields are one too many for a crontab, where seconds can't be told from years.
  const fit = schedules.filter((schedule) => schedule.startsWith("@") || schedule.split(/\s+/).length === 5);
  assert.equal(schedules.length - fit.length, 2);
  const { task, imported } = importAs(importCron, fit.map((schedule) => `${schedule} /bin/true\n`).join(""));
  assert.equal(imported.units.length, fit.length);
  for (const [index, schedule] of fit.entries()) {
    const { cron = "", runOnStart } = task(index + 1);
    if (schedule === "@reboot") assert.deepEqual([cron, runOnStart], ["", true]);
    else assert.deepEqual(ticks(cron), ticks(schedule), schedule);
  }
});
