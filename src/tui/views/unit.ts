import { formatDuration } from "../../core/duration.ts";
import { fullTime, relativeTime } from "../../core/time_words.ts";
import { memoryWords } from "../../core/usage.ts";
import { msOf, scheduleWords, wordOfUnit } from "../../cli/unit_words.ts";
import type { TaskParamJson, TaskResponseJson, TickJson } from "../../http/schemas/unit.ts";
import { bold, type Row, span, wrap } from "../rows.ts";
import type { State, View } from "../state.ts";
import { unitNamed } from "../units.ts";
import { type Body, fact, heading, mark, runRow, when } from "./parts.ts";

/** A unit: what it is and does now, when it runs, its last runs, how it is defined. */
export function unitBody(state: State, view: Extract<View, { kind: "unit" }>, width: number): Body {
  const unit = unitNamed(state, view.name);
  if (unit === undefined) {
    return { title: [bold(view.name)], rows: [[span("No unit has this name any more.", "muted")]] };
  }
  const word = wordOfUnit(unit);
  const rows: Row[] = [
    ...(unit.description.trim() === "" ? [] : [
      ...wrap(unit.description.trim().replace(/\s*\n\s*/g, " "), width).map((line): Row => [span(line)]),
      [] as Row,
    ]),
    ...stateFacts(state, unit),
    ...ticksRows(state, view.ticks ?? [], unit),
    [],
    heading("Last runs"),
  ];
  const first = rows.length;
  const runs = view.runs;
  if (runs === undefined) rows.push([span("...", "muted")]);
  else if (runs.length === 0) rows.push([span(" none yet", "muted")]);
  else {
    for (const run of runs) {
      rows.push(runRow(run, { state, width, isMarked: view.marked.includes(run.id), hasName: false }));
    }
  }
  rows.push([], heading("Definition"), ...definition(unit, width));
  return {
    title: [mark(word, state), span(" "), bold(unit.name), span("  "), span(word.text, word.role)],
    rows,
    // The top stays in sight as long as the first run is looked at.
    ...(runs === undefined || runs.length === 0
      ? {}
      : { at: first + view.cursor, items: runs.map((_, index) => first + index) }),
  };
}

function stateFacts(state: State, unit: TaskResponseJson): Row[] {
  const paused = msOf(unit.paused_at);
  const words = scheduleWords(unit, state.timezone);
  return [
    ...(unit.group === "" ? [] : [fact("group", unit.group)]),
    ...(unit.kind === "task"
      ? [fact("schedule", unit.cron === undefined ? words : `${words} (${unit.cron})`)]
      : [
        fact("instances", `${unit.healthy_instances ?? 0} of ${unit.instances ?? 1} healthy`),
        ...(unit.depends_on?.length ? [fact("depends on", unit.depends_on.join(", "))] : []),
      ]),
    ...(paused === undefined ? [] : [fact("paused", when(paused, state))]),
    ...(unit.usage === undefined
      ? []
      : [fact("uses", `${memoryWords(unit.usage.memory_bytes)}, ${unit.usage.cpu_percent} % of a core`)]),
  ];
}

function ticksRows(state: State, ticks: readonly TickJson[], unit: TaskResponseJson): Row[] {
  return ticks.slice(0, 3).map((tick, index) => {
    const at = Date.parse(tick.at);
    const note = tick.note === "gap"
      ? ", moved out of the skipped hour"
      : tick.note === "repeat"
      ? ", skipped"
      : "";
    const exact = fullTime(at, unit.timezone ?? state.timezone);
    return fact(index === 0 ? "next" : "", `${exact}, ${relativeTime(at, state.now)}${note}`);
  });
}

function definition(unit: TaskResponseJson, width: number): Row[] {
  const own: Row[] = unit.kind === "task"
    ? [
      fact("on overlap", `${unit.on_overlap ?? "queue"}, ${unit.max_concurrent ?? 1} at once`),
      ...(unit.retry_attempts
        ? [
          fact(
            "retries",
            `${unit.retry_attempts}, ${unit.retry_backoff ?? "constant"} from ${ns(unit.retry_delay)}`,
          ),
        ]
        : []),
      ...(unit.parameters ?? []).map((param, i) => fact(i === 0 ? "parameters" : "", paramWords(param))),
    ]
    : [fact("restart", `${unit.restart.replace("_", " ")}, after ${ns(unit.restart_delay)}`)];
  const script = unit.run.trimEnd().split("\n").flatMap((line) => wrap(line, Math.max(10, width - 14)));
  return [
    ...own,
    ...(unit.timeout === 0 ? [] : [fact("timeout", ns(unit.timeout))]),
    ...(unit.api_trigger ? [] : [fact("by request", "no (api_trigger = false)")]),
    fact("shell", unit.shell),
    fact("folder", unit.working_dir),
    ...script.map((line, i) => fact(i === 0 ? "command" : "", line.replaceAll("\t", "  "))),
  ];
}

function paramWords(param: TaskParamJson): string {
  const value = param.default === undefined ? param.required ? ", required" : "" : ` = ${param.default}`;
  return `${param.key}${value}${param.description === undefined ? "" : `: ${param.description}`}`;
}

function ns(duration: number | undefined): string {
  return formatDuration((duration ?? 0) / 1e6);
}
