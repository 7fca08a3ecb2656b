import type { ViewProps } from "../views/view_props.ts";
import type { ComponentType } from "preact";

export type View = ComponentType<ViewProps>;

export interface ViewEntry {
  /** In the title of the window, and the rail. */
  title: string;
  pattern: RegExp;
  load: () => Promise<{ default: View }>;
}

/** The views of the page, each loaded when it is first shown. */
export const views: readonly ViewEntry[] = [
  {
    title: "Overview",
    pattern: /^\/$/,
    load: () => import("../views/home.ts").then((m) => ({ default: m.Overview })),
  },
  {
    title: "Units",
    pattern: /^\/units$/,
    load: () => import("../views/home.ts").then((m) => ({ default: m.Units })),
  },
  {
    title: "Unit",
    pattern: /^\/units\/(?<name>[^/]+)$/,
    load: () => import("../views/details.ts").then((m) => ({ default: m.Unit })),
  },
  {
    title: "Runs",
    pattern: /^\/runs$/,
    load: () => import("../views/lists.ts").then((m) => ({ default: m.Runs })),
  },
  {
    title: "Run",
    pattern: /^\/runs\/(?<name>[^/]+)$/,
    load: () => import("../views/details.ts").then((m) => ({ default: m.Run })),
  },
  {
    title: "Timeline",
    pattern: /^\/timeline$/,
    load: () => import("../views/lists.ts").then((m) => ({ default: m.Timeline })),
  },
  {
    title: "Notifications",
    pattern: /^\/notifications$/,
    load: () => import("../views/lists.ts").then((m) => ({ default: m.Notifications })),
  },
  {
    title: "Search logs",
    pattern: /^\/search$/,
    load: () => import("../views/lists.ts").then((m) => ({ default: m.Search })),
  },
  {
    title: "System",
    pattern: /^\/system$/,
    load: () => import("../views/lists.ts").then((m) => ({ default: m.System })),
  },
  {
    title: "Daemon log",
    pattern: /^\/system\/log$/,
    load: () => import("../views/lists.ts").then((m) => ({ default: m.DaemonLog })),
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
