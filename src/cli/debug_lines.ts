import { durationWords, relativeTime } from "../core/time_words.ts";
import { sizeWords } from "../core/size.ts";
import { refusingWords } from "../core/refusal.ts";
import type { DebugJson } from "../http/schemas/debug.ts";
import { withinLine } from "./printable.ts";
import type { Style } from "./style.ts";
import { type Column, renderTable } from "./table.ts";

interface Look {
  style: Style;
  width: number;
}

/** Rows of a table; JSON has all. */
const mostRows = 30;

const holds: Readonly<Record<DebugJson["line"]["waiting"][0]["hold"], string>> = {
  closed: "nothing is started any more",
  limit: "max_parallel_runs",
  catch_ups: "other runs that catch up",
  gate_taken: "the run at the jitter gate",
  gate_shut: "the other runs of its tick",
  gate_order: "who is before it at the gate",
  turn: "its turn, or the database",
};

/** What goes on inside a daemon, for people: a few facts, and a table of each thing that there is. */
export function debugLines(view: DebugJson, look: Look): string[] {
  const now = Date.parse(view.at);
  return [
    ...facts(view, look),
    ...section(`Runs that are not over: ${counts(view.runs)}`, runTable(view), look),
    ...section("In the start line", lineTable(view, now), look),
    ...section("Instances", instanceTable(view), look),
    ...section("Retries to come", retryTable(view, now), look),
  ];
}

function facts({ versions, memory, refusing, line, ...view }: DebugJson, { style }: Look): string[] {
  const open = view.connections.map(({ listener, open }) => `${open} at ${listener}`);
  const most = line.max_parallel_runs === 0 ? "no limit" : `${line.max_parallel_runs} at most`;
  const holder = line.gate_holder === undefined ? "free" : `held by run ${line.gate_holder}`;
  const lines: [string, string][] = [
    [
      "daemon",
      `svc ${versions.svc}, pid ${view.pid}, up ${
        durationWords(view.uptime_ms)
      }; Deno ${versions.deno}, V8 ${versions.v8}`,
    ],
    [
      "memory",
      `${sizeWords(memory.rss)} resident; heap ${sizeWords(memory.heap_used)} of ${
        sizeWords(memory.heap_total)
      }, ` +
      `${sizeWords(memory.external)} beside it`,
    ],
    [
      "open",
      [...open, `${view.streams.events} streams of events`, `${view.streams.logs} of logs`].join(", "),
    ],
    ["database", databaseWords(refusing, Date.parse(view.at))],
    ["line", `${line.waiting.length} waiting, ${line.started} started (${most})`],
    ["gate", line.gate_shut ? `${holder}, shut` : holder],
  ];
  return lines.map(([name, text]) => `${style.paint(name.padEnd(8), "muted")}  ${withinLine(text)}`);
}

function databaseWords(refusing: DebugJson["refusing"], now: number): string {
  if (refusing === undefined) return "takes everything";
  const words = refusingWords({ since: Date.parse(refusing.since), why: refusing.why }, now);
  const times = refusing.tries === 1 ? "once" : `${refusing.tries} times`;
  return `${words} It was tried ${times}: ${refusing.what.join("; ")}`;
}

function counts(runs: DebugJson["runs"]): string {
  const byPhase = new Map<string, number>();
  for (const { phase } of runs) byPhase.set(phase, (byPhase.get(phase) ?? 0) + 1);
  const parts = Array.from(byPhase, ([phase, count]) => `${count} ${phase}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

interface Table {
  columns: readonly Column[];
  rows: string[][];
}

function section(title: string, { columns, rows }: Table, { style, width }: Look): string[] {
  const head = ["", style.paint(title, "bold")];
  if (rows.length === 0) return title.endsWith("none") ? head : [];
  const more = rows.length > mostRows ? [`and ${rows.length - mostRows} more: --json has all`] : [];
  return [...head, ...renderTable(columns, rows.slice(0, mostRows), { width, style }), ...more];
}

function runTable({ runs }: DebugJson): Table {
  return {
    columns: [
      { title: "RUN", rank: 0 },
      { title: "UNIT", rank: 0, least: 12 },
      { title: "PHASE", rank: 0 },
      { title: "FOR", rank: 1 },
      { title: "MACHINE", rank: 2 },
      { title: "PID", rank: 4 },
      { title: "TIMERS", rank: 3 },
      { title: "MARKS", rank: 5 },
    ],
    rows: runs.map(({ run_id, task_name, phase, phase_ms, machine, marks }) => [
      run_id,
      task_name,
      phase,
      durationWords(phase_ms),
      machine === undefined ? "" : machineWords(machine),
      String(machine?.pid ?? ""),
      timerWords(machine?.timers ?? []),
      marks.join(" "),
    ]),
  };
}

function machineWords({ phase, want, stuck }: NonNullable<DebugJson["runs"][0]["machine"]>): string {
  return [phase, ...(want === undefined ? [] : [`(${want})`]), ...(stuck ? ["stuck"] : [])].join(" ");
}

function lineTable({ line }: DebugJson, now: number): Table {
  return {
    columns: [
      { title: "RUN", rank: 0 },
      { title: "UNIT", rank: 0, least: 12 },
      { title: "WAITS FOR", rank: 0 },
      { title: "AT THE LATEST", rank: 1 },
    ],
    rows: line.waiting.map(({ run_id, task_name, hold, deadline }) => [
      run_id,
      task_name,
      holds[hold] ?? hold,
      deadline === undefined ? "" : relativeTime(Date.parse(deadline), now),
    ]),
  };
}

function instanceTable({ instances }: DebugJson): Table {
  return {
    columns: [
      { title: "INSTANCE", rank: 0, least: 12 },
      { title: "PHASE", rank: 0 },
      { title: "WANT", rank: 1 },
      { title: "FAILED STARTS", rank: 3, align: "right" },
      { title: "RUN", rank: 2 },
      { title: "TIMERS", rank: 4 },
      { title: "MARKS", rank: 5 },
    ],
    rows: instances.map((one) => [
      `${one.task_name} ${one.index}`,
      one.phase,
      one.want,
      String(one.failed_starts),
      one.run_id ?? "",
      timerWords(one.timers),
      (["again", "unhealthy", "leaving"] as const).filter((mark) => one[mark]).join(" "),
    ]),
  };
}

function retryTable({ retries }: DebugJson, now: number): Table {
  return {
    columns: [
      { title: "UNIT", rank: 0, least: 12 },
      { title: "ATTEMPT", rank: 1, align: "right" },
      { title: "DUE", rank: 0 },
      { title: "OF RUN", rank: 2 },
    ],
    rows: retries.map(({ task_name, attempt, due_at, retry_of_run_id }) => [
      task_name,
      String(attempt),
      relativeTime(Date.parse(due_at), now),
      retry_of_run_id,
    ]),
  };
}

function timerWords(timers: readonly { name: string; left_ms: number }[]): string {
  return timers.map(({ name, left_ms }) =>
    left_ms < 0 ? `${name} late by ${durationWords(-left_ms)}` : `${name} in ${durationWords(left_ms)}`
  ).join(", ");
}
