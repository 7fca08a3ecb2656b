import assert from "node:assert/strict";
import { parseCron } from "../../../src/core/cron/parse.ts";
import { smallestGap } from "../../../src/importers/export/smallest_gap.ts";
import { day, hour, minute, second } from "../../support/units.ts";

Deno.test("smallestGap() is the least time between two ticks", () => {
  const gaps: Record<string, number> = {
    "*/5 * * * *": 5 * minute,
    "0,7 3 * * *": 7 * minute,
    "0 3 * * *": day,
    "0 0 1 * *": 28 * day,
    "*/11 * * * *": 5 * minute,
    "*/30 * * * * *": 30 * second,
    "@every 7h": 7 * hour,
    "0 0 29 2 *": 366 * day,
  };
  for (const [cron, gap] of Object.entries(gaps)) assert.equal(smallestGap(parseCron(cron)), gap, cron);
});
