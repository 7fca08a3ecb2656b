import { cronWords } from "../../data/schedules.ts";
import type { Unit } from "../../data/units.ts";

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
