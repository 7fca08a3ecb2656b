import type { FeedRegion } from "../cli/log_stream.ts";
import type { DaemonInfoJson, RefusingJson } from "../http/schemas/daemon.ts";
import type { NoticeJson } from "../http/schemas/notice.ts";
import type { LogLineJson, RunJson } from "../http/schemas/run.ts";
import type { SystemStatsJson } from "../http/schemas/system.ts";
import type { TaskResponseJson, TickJson } from "../http/schemas/unit.ts";
import { askReload } from "./actions.ts";
import type { Effect } from "./effect.ts";
import { runView } from "./items.ts";
import { logHeight } from "./layout.ts";
import { addLive, addPage, toHit } from "./log_window.ts";
import { withPage } from "./moves.ts";
import { withFrames } from "./rewind.ts";
import { type State, type View, viewOf, withMessage, withView } from "./state.ts";
import { inRailOrder } from "./units.ts";
import type { Role } from "../core/words.ts";

/** What reaches the terminal UI from outside of it. */
export type News =
  | { is: "time"; now: number }
  | { is: "size"; columns: number; rows: number }
  | { is: "link"; link: State["link"] }
  | { is: "daemon"; daemon: DaemonInfoJson }
  | { is: "units"; units: readonly TaskResponseJson[]; running: readonly RunJson[] }
  | { is: "unread"; count: number }
  | { is: "stale"; isStale: boolean }
  | { is: "refusing"; refusing: RefusingJson | undefined }
  | { is: "run"; run: RunJson }
  | { is: "run deleted"; id: string }
  | { is: "unit runs"; name: string; runs: readonly RunJson[]; ticks: readonly TickJson[] }
  | { is: "runs"; filter: string; offset: number; runs: readonly RunJson[]; total: number }
  | { is: "notices"; items: readonly NoticeJson[]; next: string; isMore: boolean }
  | { is: "system"; stats: SystemStatsJson }
  | { is: "daemon lines"; lines: readonly string[]; isFresh: boolean }
  | { is: "log"; id: string; lines: readonly LogLineJson[]; regions?: readonly FeedRegion[] }
  | { is: "log page"; id: string; lines: readonly LogLineJson[]; first: number; total: number }
  | { is: "log done"; id: string }
  | { is: "hits"; id: string; text: string; hits: readonly number[] }
  | { is: "frames"; id: string; n: number; frames: readonly (readonly string[])[] }
  | { is: "deleted"; ids: readonly string[] }
  | { is: "changes"; added: readonly string[]; removed: readonly string[]; changed: readonly string[] }
  | { is: "opened"; id: string }
  | { is: "address"; url: string }
  | { is: "message"; text: string; role: Role };

/** How long a deletion can be undone, ms. */
const undoTime = 10_000;
/** Lines of the daemon's log that are held. */
const mostDaemonLines = 2000;

/** The state after news, and what they bring about. */
export function hear(state: State, news: News): [State, readonly Effect[]] {
  switch (news.is) {
    case "time":
      return [atTime(state, news.now), []];
    case "size":
      return withPage({ ...state, columns: news.columns, rows: news.rows });
    case "link":
      return [{ ...state, link: news.link }, []];
    case "daemon":
      return [{ ...state, daemon: news.daemon }, []];
    case "units":
      return [withUnits(state, news.units, news.running), []];
    case "unread":
      return [{ ...state, unread: news.count }, []];
    case "stale":
      return [
        state.daemon === undefined
          ? state
          : { ...state, daemon: { ...state.daemon, config_stale: news.isStale } },
        [],
      ];
    case "refusing":
      return [withRefusing(state, news.refusing), []];
    case "run":
      return [withRun(state, news.run), []];
    case "run deleted":
      return [withoutRuns(state, [news.id]), []];
    case "deleted": {
      const after = withMessage(
        { ...withoutRuns(state, news.ids), undo: { ids: news.ids, until: state.now + undoTime } },
        `Deleted ${news.ids.length === 1 ? "1 run" : `${news.ids.length} runs`}. "u" brings back.`,
      );
      return [after, []];
    }
    case "changes":
      return [askReload(state, news), []];
    case "opened":
      return [
        { ...state, focus: "main", views: [...state.views, runView(news.id)] },
        [{ do: "load" }],
      ];
    case "address":
      return [{ ...state, address: news.url }, []];
    case "frames":
      return [withFrames(state, news), []];
    case "message":
      return [withMessage(state, news.text, news.role), []];
    case "log":
    case "log page":
    case "log done":
    case "hits":
      return inLog(state, news);
    default:
      return [inViews(state, (view) => shown(view, news)), []];
  }
}

function withRefusing(state: State, refusing: RefusingJson | undefined): State {
  if (state.daemon === undefined) return state;
  const { refusing: _, ...daemon } = state.daemon;
  return { ...state, daemon: { ...daemon, ...(refusing === undefined ? {} : { refusing }) } };
}

function atTime(state: State, now: number): State {
  const { message, undo, ...rest } = state;
  return {
    ...rest,
    now,
    ...(message === undefined || message.until < now ? {} : { message }),
    ...(undo === undefined || undo.until < now ? {} : { undo }),
  };
}

function withUnits(state: State, units: readonly TaskResponseJson[], running: readonly RunJson[]): State {
  const ordered = inRailOrder(units);
  const names = new Set(ordered.map(({ name }) => name));
  const { cursor, ...rail } = state.rail;
  const kept = cursor !== undefined && names.has(cursor) ? cursor : ordered[0]?.name;
  return {
    ...state,
    link: "live",
    units: ordered,
    running: running.toSorted((a, b) => a.created_at < b.created_at ? -1 : 1),
    rail: {
      ...rail,
      marked: rail.marked.filter((name) => names.has(name)),
      ...(kept === undefined ? {} : { cursor: kept }),
    },
  };
}

function inViews(state: State, change: (view: View) => View): State {
  return { ...state, views: state.views.map(change) };
}

/** A view with what was read for it. */
function shown(
  view: View,
  news: Extract<News, { is: "unit runs" | "runs" | "notices" | "system" | "daemon lines" }>,
): View {
  if (news.is === "unit runs" && view.kind === "unit" && view.name === news.name) {
    return { ...view, runs: news.runs, ticks: news.ticks };
  }
  if (news.is === "runs" && view.kind === "history" && view.filter === news.filter) {
    const known = new Set(news.runs.map(({ id }) => id));
    const before = news.offset === 0 ? [] : (view.runs ?? []).filter(({ id }) => !known.has(id));
    return { ...view, runs: [...before, ...news.runs], total: news.total, isPaging: false };
  }
  if (news.is === "notices" && view.kind === "notices") {
    const items = news.isMore ? [...view.items ?? [], ...news.items] : news.items;
    return { ...view, items, next: news.next };
  }
  if (news.is === "system" && view.kind === "system") return { ...view, stats: news.stats };
  if (news.is === "daemon lines" && view.kind === "daemon log") {
    const lines = news.isFresh ? [...news.lines] : [...view.lines, ...news.lines].slice(-mostDaemonLines);
    // Who reads further up stays where they are.
    const up = view.up === 0 || news.isFresh ? view.up : Math.min(view.up + news.lines.length, lines.length);
    return { ...view, lines, up };
  }
  return view;
}

function withRun(state: State, run: RunJson): State {
  const others = state.running.filter(({ id }) => id !== run.id);
  const running = run.status === "running" ? [...others, run] : others;
  return inViews({ ...state, running }, (view) => {
    if (view.kind === "run") return view.id === run.id ? { ...view, run } : view;
    if (view.kind === "unit") return view.name === run.task_name ? { ...view, ...placed(view, run) } : view;
    if (view.kind !== "history" || view.runs === undefined) return view;
    const isKnown = view.runs.some(({ id }) => id === run.id);
    // Whether a run passes a filter only the daemon knows.
    if (!isKnown && view.filter !== "") return view;
    return { ...view, ...placed(view, run), total: view.total + (isKnown ? 0 : 1) };
  });
}

/** The run in its place among others, newest first; the cursor stays on the run that it stands on. */
function placed(
  { runs = [], cursor }: { runs?: readonly RunJson[]; cursor: number },
  run: RunJson,
): { runs: readonly RunJson[]; cursor: number } {
  if (runs.some(({ id }) => id === run.id)) {
    return { runs: runs.map((one) => one.id === run.id ? run : one), cursor };
  }
  return { runs: [run, ...runs], cursor: cursor === 0 ? 0 : cursor + 1 };
}

function withoutRuns(state: State, ids: readonly string[]): State {
  const gone = new Set(ids);
  return inViews(state, (view) => {
    if ((view.kind !== "history" && view.kind !== "unit") || view.runs === undefined) return view;
    const runs = view.runs.filter(({ id }) => !gone.has(id));
    const total = view.kind === "history" ? { total: view.total - (view.runs.length - runs.length) } : {};
    return {
      ...view,
      ...total,
      runs,
      marked: view.marked.filter((id) => !gone.has(id)),
      cursor: Math.max(0, Math.min(view.cursor, runs.length - 1)),
    };
  });
}

function inLog(
  state: State,
  news: Extract<News, { is: "log" | "log page" | "log done" | "hits" }>,
): [State, readonly Effect[]] {
  const view = viewOf(state);
  if (view.kind !== "run" || view.id !== news.id) return [state, []];
  const { log } = view;
  switch (news.is) {
    case "log":
      return withPage(withView(state, { ...view, log: addLive(log, news) }));
    case "log page":
      return withPage(withView(state, { ...view, log: addPage(log, news) }));
    case "log done":
      return [withView(state, { ...view, log: { ...log, isDone: true, regions: {} } }), []];
    case "hits": {
      if (log.search !== news.text) return [state, []];
      const found = toHit({ ...log, hits: news.hits }, -1, logHeight(state));
      return withPage(withView(state, { ...view, log: found }));
    }
  }
}
