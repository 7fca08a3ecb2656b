import type { Usage } from "../core/usage.ts";
import type { Run, Unit } from "../types.ts";
import type { Ledger } from "./runs/ledger.ts";
import type { NewestRuns } from "./runs/newest_runs.ts";
import type { Rooms } from "./reload.ts";
import type { ServiceStatus } from "./services/services.ts";
import type { UsageWatch } from "./runs/usage_watch.ts";

/** A unit with what is known of it at this moment. Times are Unix ms. */
export interface UnitView {
  unit: Unit;
  timezone?: string;
  nextRunAt?: number;
  pausedAt?: number;
  service?: ServiceStatus;
  /** Active runs of a task, and those that wait. */
  active: number;
  queued: number;
  lastRun?: Run;
  /** Of all its processes together; absent until they were looked at. */
  usage?: Usage;
}

/** Looks at a unit; `timezone` is the zone of schedules that name none. */
export function viewOf(
  unit: Unit,
  rooms: Rooms,
  known: { ledger: Ledger; newest: NewestRuns; usage: UsageWatch; timezone: string },
): UnitView {
  const lastRun = known.newest.of(unit.name);
  const view: UnitView = { unit, active: 0, queued: 0 };
  if (lastRun !== undefined) view.lastRun = lastRun;
  const usage = known.usage.of(unit.name);
  if (usage !== undefined) view.usage = usage;
  if (unit.kind === "service") {
    view.service = rooms.services.status(unit.name);
    return view;
  }
  const { admitted, queued } = known.ledger.of(unit.name);
  view.active = admitted.size;
  view.queued = queued.size;
  const nextRunAt = rooms.scheduler.nextRunAt(unit.name);
  const pausedAt = rooms.scheduler.pausedAt(unit.name);
  if (unit.cron !== undefined) view.timezone = unit.timezone ?? known.timezone;
  if (nextRunAt !== undefined) view.nextRunAt = nextRunAt;
  if (pausedAt !== undefined) view.pausedAt = pausedAt;
  return view;
}
