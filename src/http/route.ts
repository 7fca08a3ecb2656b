import { createRoute, type RouteConfig } from "@hono/zod-openapi";

/** The chapters of the API's description, each with what it is about. */
export const chapters = {
  Tasks: "Units by name, tasks and services alike: what they are, when they run, and every action on them.",
  Runs: "What ran, one run at a time or many at once, and counts over them.",
  Logs: "What runs wrote: pages, files, streams and a search.",
  Events: "Streams of server-sent events: what happens, as it happens.",
  Hooks: "Actions on one unit for other programs, with a hook token of this unit instead of a session.",
  Notifications: "The bell, and those that carry notifications elsewhere.",
  Daemon: "The daemon as a whole: its configuration, its database, its end.",
  System: "The machine that the daemon runs on.",
  Login: "Sessions: by the password, or by a ticket that opens a browser.",
} as const;

/** What generated clients and readers need of a route beside its schemas. */
interface Described {
  /** Unique in the API; generated clients name their functions by it. */
  operationId: string;
  /** A few words, with no full stop. */
  summary: string;
  tags: [keyof typeof chapters];
}

/** A route as the API's description needs it. */
export const newRoute: <
  P extends string,
  const R extends Omit<RouteConfig, "path"> & { path: P } & Described,
>(config: R) => ReturnType<typeof createRoute<P, R>> = createRoute;
