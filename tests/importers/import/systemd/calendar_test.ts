import assert from "node:assert/strict";
import { readCalendar } from "../../../../src/importers/import/systemd/calendar.ts";
import { cronOfCalendar } from "../../../../src/importers/import/systemd/calendar_cron.ts";
import { nextTick } from "../../../../src/core/cron/next.ts";
import { parseCron } from "../../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../../src/core/cron/zone.ts";
import { needs } from "../../../support/needs.ts";

/** Times, and what cron says in their place. */
const exact: readonly (readonly [string, string])[] = [
  ["daily", "0 0 * * *"],
  ["Weekly", "0 0 * * 1"],
  ["Mon-Fri 8:00", "0 8 * * 1-5"],
  ["monday,Sun..Sun 8:00", "0 8 * * 0,1"],
  ["12:00/15", "0/15 12 * * *"],
  ["*:*", "* * * * *"],
  ["*-*-10/5 1:00", "0 1 10,15,20,25,30 * *"],
  ["*-*~07/3 10:00", "0 10 L,L-3,L-6 * *"],
  ["*-*~01..03 12:00", "0 12 L,L-1,L-2 * *"],
  ["*-*~7..10/2 10:00", "0 10 L-6,L-8 * *"],
  ["*-*~05/4 10:00", "0 10 L,L-4 * *"],
  ["*:50..59/20", "50 * * * *"],
  ["*-02..04-* 0:0:30", "30 0 0 * 2-4 *"],
  ["Mon,Wed *-*-8..14 6:00", "0 6 * * 1#2,3#2"],
  ["Fri *-*-22,23,24..28 6:00", "0 6 * * 5#4"],
  ["*-*-1..31 6:00", "0 6 * * *"],
  ["*-* 10:00", "0 10 * * *"],
  ["8..17/3:10..20", "10-20 8-17/3 * * *"],
];

function cronOf(text: string): string {
  const time = readCalendar(text);
  assert.ok(!("fault" in time), JSON.stringify(time));
  const found = cronOfCalendar(time);
  assert.ok("cron" in found, JSON.stringify(found));
  return found.cron;
}

/** The first moments from a date on, in UTC. */
function moments(cron: string): string[] {
  const list: string[] = [];
  let after = Date.parse("2026-12-31T23:59:59Z");
  while (list.length < 12) {
    const tick = nextTick(parseCron(cron), zoneOf("UTC"), { after, anchor: 0 });
    if (tick === undefined) break;
    list.push(new Date(tick.at).toISOString());
    after = tick.at;
  }
  return list;
}

Deno.test.each(exact)("cronOfCalendar() says %s by fields of cron that mean the same", (text, cron) => {
  assert.deepEqual(moments(cronOf(text)), moments(cron));
});

Deno.test.each([
  "Fri..Mon 10:00",
  "10",
  "25:00",
  "*-13-01",
  "*-*~03..01 12:00",
  "Sat,Sun,* 10:00",
  "noon",
  "10:00 Mars/Olympus",
  "*:50/15",
  "8/20:14",
  "*-*~1/1 15:*:*",
  "*-07-15/18 03:00",
  "",
])("readCalendar() refuses %s, as systemd does", (text) => {
  const time = readCalendar(text);
  assert.ok("fault" in time);
  assert.match(time.fault, /systemd refuses it/);
});

Deno.test({
  name: "readCalendar() takes the steps that systemd itself takes",
  ignore: !needs.systemd.isThere,
  fn() {
    const faults: string[] = [];
    for (const from of [0, 1, 29, 30, 31, 50]) {
      for (const end of ["", "..31", "..59"]) {
        for (const step of [1, 9, 10, 28, 29, 30, 59]) {
          const texts = [
            `*:${from}${end}/${step}`,
            `*-*-${from}${end}/${step} 1:00`,
            `*-*~${from}${end}/${step} 1:00`,
          ];
          for (const text of texts) {
            const { success } = new Deno.Command("systemd-analyze", {
              args: ["calendar", text],
              env: { TZ: "UTC" },
            })
              .outputSync();
            if (success === ("fault" in readCalendar(text))) {
              faults.push(`${text}: systemd takes it: ${success}`);
            }
          }
        }
      }
    }
    assert.deepEqual(faults, []);
  },
});

Deno.test({
  name: "cronOfCalendar() comes at the moments that systemd itself counts",
  ignore: !needs.systemd.isThere,
  fn() {
    for (const [text] of exact) {
      const { stdout, success } = new Deno.Command("systemd-analyze", {
        args: ["calendar", "--base-time=2026-12-31 23:59:59 UTC", "--iterations=12", text],
        env: { TZ: "UTC", LC_ALL: "C" },
      }).outputSync();
      assert.ok(success, text);
      const lines = new TextDecoder().decode(stdout).matchAll(
        /(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC/g,
      );
      const expected = [...lines].map(([, date, time]) => `${date}T${time}.000Z`);
      assert.equal(expected.length, 12, text);
      assert.deepEqual(moments(cronOf(text)), expected, text);
    }
  },
});
