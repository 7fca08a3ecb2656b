import { haltWord } from "../../core/daemon_state.ts";
import { takenOverFact } from "../../core/take_over_words.ts";
import { memoryWords } from "../../core/usage.ts";
import { timeWords } from "../../core/time_words.ts";
import { logHeight } from "../layout.ts";
import { bold, type Row, span, spansOfOutput, wrap, wrapRow } from "../rows.ts";
import type { State, View } from "../state.ts";
import { type Body, dot, fact, plural, runRow, when } from "./parts.ts";

/** All runs, or those that pass a filter, newest first. */
export function historyBody(state: State, view: Extract<View, { kind: "history" }>, width: number): Body {
  const { runs, filter, marked, total } = view;
  const title: Row = [
    bold("Runs"),
    ...(filter === "" ? [] : [span(` /${filter}`, "accent")]),
    span(runs === undefined ? "" : ` ${total}`, "muted"),
    ...(marked.length === 0 ? [] : [span(`${dot(state)}${marked.length} selected`, "accent")]),
  ];
  if (runs === undefined) return { title, rows: [[span("...", "muted")]] };
  if (runs.length === 0) {
    return { title, rows: [[span(filter === "" ? "No runs yet." : "None matches.", "muted")]] };
  }
  const rows = runs.map((run) =>
    runRow(run, { state, width, isMarked: marked.includes(run.id), hasName: true })
  );
  return {
    title,
    rows: view.isPaging ? [...rows, [span("...", "muted")]] : rows,
    at: view.cursor,
    items: [...runs.keys()],
  };
}

/** Notifications, newest first; the one under the cursor with its text. */
export function noticesBody(state: State, view: Extract<View, { kind: "notices" }>, width: number): Body {
  const title: Row = [
    bold("Notifications"),
    span(state.unread === 0 ? "" : ` ${state.unread} unread`, "accent"),
  ];
  const { items } = view;
  if (items === undefined) return { title, rows: [[span("...", "muted")]] };
  if (items.length === 0) return { title, rows: [[span("None. What fails is told here.", "muted")]] };
  const rows: Row[] = [];
  const places: number[] = [];
  for (const [index, item] of items.entries()) {
    const isRead = item.read_at !== undefined;
    const role = item.severity === "error" ? "bad" : item.severity === "warn" ? "warn" : "neutral";
    const count = item.count > 1 ? ` (${item.count})` : "";
    places.push(rows.length);
    rows.push([
      span(isRead ? "  " : state.isAscii ? "* " : "● ", role),
      isRead ? span(item.title + count) : bold(item.title + count),
      span(`  ${when(Date.parse(item.last_occurred_at), state)}`, "muted"),
    ]);
    if (index !== view.cursor || item.body === "") continue;
    for (const line of wrap(item.body, Math.max(10, width - 4)).slice(0, 8)) {
      rows.push([span("    "), ...spansOfOutput(line).map((one) => ({ ...one, role: "muted" as const }))]);
    }
  }
  return { title, rows, at: places[view.cursor] ?? 0, items: places };
}

/** The daemon's own log, from the end. */
export function daemonLogBody(
  state: State,
  view: Extract<View, { kind: "daemon log" }>,
  width: number,
): Body {
  const height = logHeight(state);
  const end = Math.max(0, view.lines.length - view.up);
  const lines = view.lines.slice(Math.max(0, end - height), end);
  return {
    title: [
      bold("Daemon log"),
      span(view.up === 0 ? "" : `${dot(state)}${plural(view.up, "line")} below`, "muted"),
    ],
    rows: lines.length === 0
      ? [[span("Nothing yet.", "muted")]]
      // Of lines that take several rows the newest stay in sight.
      : lines.flatMap((line) => wrapRow(spansOfOutput(line), width)).slice(-height),
  };
}

/** The machine and the daemon. */
export function systemBody(state: State, view: Extract<View, { kind: "system" }>): Body {
  const { stats } = view;
  const { daemon } = state;
  const rows: Row[] = [];
  if (stats !== undefined) {
    const { cpu_usage: cpu, mem_usage: mem } = stats;
    rows.push(
      fact("host", `${stats.host}, ${stats.os} ${stats.arch}, ${plural(stats.cpu_cores, "core")}`),
      [...fact("CPU", `${percent(cpu)}  `), span(bar(cpu, state), roleOf(cpu))],
      [
        ...fact("memory", `${percent(mem)}  `),
        span(bar(mem, state), roleOf(mem)),
        span(
          `  ${memoryWords(stats.mem_used)} of ${memoryWords(stats.mem_total)}`,
        ),
      ],
      [],
      fact("daemon", `svc ${stats.version}, up ${stats.uptime}`),
      fact("folder", stats.work_dir),
    );
  }
  if (daemon !== undefined) {
    const loaded = timeWords(Date.parse(daemon.config_loaded_at), state);
    const halt = haltWord(daemon);
    const taken = takenOverFact(daemon);
    rows.push(
      ...(taken === undefined ? [] : [fact("at start", taken)]),
      fact("reached at", state.place),
      fact("port", String(daemon.port)),
      fact("config", `loaded ${loaded}${daemon.config_stale ? "; changed on disk since" : ""}`),
      fact("time zone", daemon.resolved_timezone),
      fact(
        "can use",
        (daemon.capabilities ?? []).filter(({ available }) => available).map(({ name }) => name).join(", "),
      ),
      ...(halt === undefined ? [] : [fact("state", `${halt}: nothing new is started`)]),
    );
  }
  const top = Math.min(view.top, Math.max(0, rows.length - logHeight(state)));
  return { title: [bold("System")], rows: rows.length === 0 ? [[span("...", "muted")]] : rows.slice(top) };
}

function percent(value: number): string {
  return `${Math.round(value)} %`.padStart(5);
}

function bar(value: number, { isAscii, columns }: State): string {
  const width = columns < 60 ? 8 : columns < 100 ? 12 : 20;
  const filled = Math.round(Math.min(100, Math.max(0, value)) / 100 * width);
  return (isAscii ? "#" : "█").repeat(filled) + (isAscii ? "." : "░").repeat(width - filled);
}

function roleOf(value: number): "good" | "warn" | "bad" {
  return value >= 95 ? "bad" : value >= 80 ? "warn" : "good";
}
