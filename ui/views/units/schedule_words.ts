import { describeCron } from "../../../src/core/cron/describe.ts";
import { parseCron } from "../../../src/core/cron/parse.ts";
import type { Unit } from "../../data/units.ts";

const known = new Map<string, string>();
const mostKnown = 2000;

/** An expression in words; as it stands where a newer daemon knows more than this page. */
export function cronWords(cron: string): string {
  let words = known.get(cron);
  if (words === undefined) {
    try {
      words = describeCron(parseCron(cron));
    } catch {
      words = cron;
    }
    if (known.size >= mostKnown) known.clear();
    known.set(cron, words);
  }
  return words;
}

/** When a unit runs, in words; a zone is named where it isn't that of the daemon. */
export function scheduleWords(unit: Unit, daemonZone: string | undefined): string {
  if (unit.kind === "service") {
    const count = unit.instances ?? 1;
    return count === 1 ? "service" : `service, ${count} instances`;
  }
  if (unit.cron === undefined) return unit.run_on_start ? "when the daemon starts" : "by request";
  const words = cronWords(unit.cron);
  const isLocal = unit.timezone === undefined || daemonZone === undefined || unit.timezone === daemonZone ||
    unit.cron.startsWith("@every");
  return isLocal ? words : `${words} ${unit.timezone}`;
}
