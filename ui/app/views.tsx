import type { ComponentType } from "preact";

/** What a view gets: the parts of its path. */
export interface ViewProps {
  name?: string;
}

export type View = ComponentType<ViewProps>;

export interface ViewEntry {
  /** In the title of the window, and the rail. */
  title: string;
  pattern: RegExp;
  load: () => Promise<{ default: View }>;
}

/** The views of the page, each loaded when it is first shown. */
export const views: readonly ViewEntry[] = [
  { title: "Overview", pattern: /^\/$/, load: () => import("../views/overview/overview.tsx") },
  { title: "Units", pattern: /^\/units$/, load: () => import("../views/units/units.tsx") },
  { title: "Unit", pattern: /^\/units\/(?<name>[^/]+)$/, load: () => import("../views/unit/unit.tsx") },
  { title: "Runs", pattern: /^\/runs$/, load: () => import("../views/runs/runs.tsx") },
  { title: "Run", pattern: /^\/runs\/(?<name>[^/]+)$/, load: () => import("../views/run/run.tsx") },
  { title: "Timeline", pattern: /^\/timeline$/, load: () => import("../views/timeline/timeline.tsx") },
  {
    title: "Notifications",
    pattern: /^\/notifications$/,
    load: () => import("../views/notifications/notifications.tsx"),
  },
  { title: "Search logs", pattern: /^\/search$/, load: () => import("../views/search/search.tsx") },
  { title: "System", pattern: /^\/system$/, load: () => import("../views/system/system.tsx") },
  {
    title: "Daemon log",
    pattern: /^\/system\/log$/,
    load: () => import("../views/daemon_log/daemon_log.tsx"),
  },
];

/** The view of a path, with the parts of that path. */
export function viewOf(path: string): { entry: ViewEntry; props: ViewProps } | undefined {
  for (const entry of views) {
    const match = entry.pattern.exec(path);
    if (match === null) continue;
    const name = match.groups?.name;
    try {
      return { entry, props: name === undefined ? {} : { name: decodeURIComponent(name) } };
    } catch {
      return undefined;
    }
  }
  return undefined;
}
