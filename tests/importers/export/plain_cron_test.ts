import assert from "node:assert/strict";
import { ticksBetween } from "../../../src/core/cron/next.ts";
import { parseCron } from "../../../src/core/cron/parse.ts";
import { zoneOf } from "../../../src/core/cron/zone.ts";
import { type CronDialect, plainCron } from "../../../src/importers/export/plain_cron.ts";

const corpus = Deno.readTextFileSync(new URL("../../corpus/cron/schedules.txt", import.meta.url)).trim()
  .split("\n");
const kubernetes: CronDialect = { seconds: false, specials: false, several: false };
const nomad: CronDialect = { seconds: true, specials: true, several: true };
const utc = zoneOf("UTC");
const year = { from: Date.UTC(2028, 0, 1) - 1, to: Date.UTC(2029, 0, 1) - 1 };

function ticksOf(crons: readonly string[]): number[] {
  const all = crons.flatMap((cron) => {
    // A year behind is what seconds in front ask for there; here it is nothing.
    const fields = cron.split(" ");
    const own = fields.length === 7 ? fields.slice(0, 6).join(" ") : cron;
    return Array.from(ticksBetween(parseCron(own), utc, year), ({ at }) => at);
  });
  return [...new Set(all)].sort((a, b) => a - b);
}

/** What can't be said of the corpus; everything else is compared tick by tick over a year. */
function unsaid(dialect: CronDialect, grammar: RegExp): string[] {
  return corpus.filter((cron) => {
    const plain = plainCron(parseCron(cron), dialect);
    if ("why" in plain) return true;
    for (const text of plain.crons) assert.match(text, grammar);
    assert.deepEqual(ticksOf(plain.crons), ticksOf([cron]), `"${cron}" as ${plain.crons}`);
    return false;
  });
}

Deno.test("plainCron() says in Kubernetes' five fields all that these can hold of what people have", () => {
  // A star stands alone or before a step of a time of day; no names, no day 7, nothing round the end.
  const grammar = /^(?:(?:\*(?:\/\d+)?|\d[\d,/-]*) ){2}(?:(?:\*|\d[\d,/-]*) ){2}(?:\*|[0-6][0-6,/-]*)$/;
  assert.deepEqual(unsaid(kubernetes, grammar), [
    "0 0 L * *",
    "0 12 15W * *",
    "0 9 * * 5L",
    "0 9 * * MON#2",
    "*/30 * * * * *",
    "@every 15s",
  ]);
});

Deno.test("plainCron() says in Nomad's fields all that people have", () => {
  assert.deepEqual(unsaid(nomad, /^(?:\S+ ){4}\S+$|^(?:\S+ ){6}\*$/), []);
});

Deno.test("plainCron() writes what a person would, and says why it can't", () => {
  const said: Record<string, string> = {
    "*/5 8-18 * * mon-fri": "*/5 8-18 * * 1-5",
    "0 0 * * 6,7": "0 0 * * 0,6",
    "0 22-2 * * fri-mon": "0 0-2,22,23 * * 0,1,5,6",
    "27 2-23/3 * * *": "27 2-23/3 * * *",
    "0 0 5 * 0-7": "0 0 * * *",
    "0 0 */2 * *": "0 0 1-31/2 * *",
    "@every 2h": "0 */2 * * *",
  };
  for (const [cron, text] of Object.entries(said)) {
    const plain = plainCron(parseCron(cron), kubernetes);
    assert.deepEqual("crons" in plain ? plain.crons : plain, [text], cron);
  }
  const unsaid: Record<string, RegExp> = {
    "0 0 */2 * 1": /either of them there, not both/,
    "0 0 L * *": /no word for such days/,
    "30 0 0 * * *": /finer than a minute/,
    "@every 90m": /no time of a calendar/,
    "@every 7h": /no time of a calendar/,
  };
  for (const [cron, why] of Object.entries(unsaid)) {
    const plain = plainCron(parseCron(cron), kubernetes);
    assert.match("why" in plain ? plain.why : "", why, cron);
  }
  assert.ok("why" in plainCron(parseCron("0 0 L-3 * *"), nomad));
  assert.deepEqual(plainCron(parseCron("@every 90m"), nomad), {
    crons: ["0 */3 * * *", "30 1-22/3 * * *"],
    utc: true,
  });
});
