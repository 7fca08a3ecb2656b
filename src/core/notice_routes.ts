import type { NotifySettings, Route } from "../types.ts";
import { segmentPattern } from "./config/glob_segment.ts";
import type { Happening } from "./notices.ts";

/** What a unit's own `notify` hears of beside failures (docs/notifications.md#what-is-told). */
const unitKinds: ReadonlySet<string> = new Set(["run.recovered", "service.fatal", "service.unhealthy"]);

/** Ids of the notifiers that hear of a happening: those of all, of its unit, and of the routes that it matches. */
export function notifiersFor(
  happening: Happening,
  { settings, ofUnit }: { settings: NotifySettings; ofUnit: readonly string[] },
): Set<string> {
  // A success is told only where a route asks for it by its name: nobody wants to hear of each.
  const isAskedFor = happening.kind !== "run.succeeded";
  const ids = new Set(isAskedFor ? settings.globalNotifiers : []);
  if (happening.kind.startsWith("run.") && happening.isFailure || unitKinds.has(happening.kind)) {
    for (const id of ofUnit) ids.add(id);
  }
  for (const route of settings.routes) {
    const isMeant = isAskedFor || route.kinds.includes(happening.kind);
    if (isMeant && matches(route, happening)) { for (const id of route.notify) ids.add(id); }
  }
  return ids;
}

/** Whether a success alone is told to somebody. */
export function tellsSuccess({ routes }: NotifySettings): boolean {
  return routes.some(({ kinds }) => kinds.includes("run.succeeded"));
}

/** A condition that a route does not name holds always. */
function matches({ kinds, severity, task, failure }: Route, happening: Happening): boolean {
  return (kinds.length === 0 || kinds.includes(happening.kind)) &&
    (severity === undefined || severity === happening.severity) &&
    (task === undefined || segmentPattern(task).test(happening.unit)) &&
    (failure === undefined || failure === happening.isFailure);
}
