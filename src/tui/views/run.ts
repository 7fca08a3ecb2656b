import { adoptedWords } from "../../core/take_over_words.ts";
import { memoryWords } from "../../core/usage.ts";
import { whyNotExecuted } from "../../core/words.ts";
import { msOf, wordOfRun } from "../../cli/unit_words.ts";
import type { LogLineJson } from "../../http/schemas/run.ts";
import { logHeight } from "../layout.ts";
import { inSight, type LogWindow, topOf } from "../log_window.ts";
import type { Rewind } from "../log_window.ts";
import { bold, fit, type Row, rowWidth, type Span, span, spansOfOutput, wrapRow } from "../rows.ts";
import type { State, View } from "../state.ts";
import { type Body, dot, mark, tookWords, when } from "./parts.ts";

/** A run: its facts on one line, and its output as far as it is in sight. */
export function runBody(state: State, view: Extract<View, { kind: "run" }>, width: number): Body {
  return { title: titleOf(state, view), rows: logRows(state, view, width) };
}

function titleOf(state: State, { id, run, log }: Extract<View, { kind: "run" }>): Row {
  if (run === undefined) return [bold(`run ${id}`)];
  const word = wordOfRun(run);
  const at = msOf(run.end_at) ?? msOf(run.start_at) ?? Date.parse(run.created_at);
  const took = tookWords(run, state);
  const adopted = msOf(run.adopted_at);
  const separator = dot(state);
  const why = run.error ??
    (run.status === "ended" && run.start_at === undefined ? whyNotExecuted(run.end_reason) : undefined);
  const facts = [
    ...(took === undefined ? [] : [took]),
    // What runs began as long ago as it takes so far.
    ...(run.status === "running" ? [] : [when(at, state)]),
    ...(why === undefined ? [] : [why]),
    ...(run.retry_attempt > 0 ? [`retry ${run.retry_attempt}`] : []),
    run.triggered_by,
    ...(adopted === undefined ? [] : [adoptedWords(when(adopted, state))]),
    ...(run.peak_memory_bytes === undefined ? [] : [memoryWords(run.peak_memory_bytes)]),
  ].join(separator);
  const place = log.rewind !== undefined
    ? `${separator}frame ${log.rewind.at + 1} of ${log.rewind.frames.length}`
    : log.search === ""
    ? log.isFollowing ? "" : `${separator}line ${log.top + 1} of ${log.total}`
    : `${separator}${hitsWords(log)}`;
  return [
    mark(word, state),
    span(" "),
    bold(run.task_name),
    span(" "),
    span(word.text, word.role),
    span(`${place}${separator}${facts}`, "muted"),
  ];
}

function hitsWords({ search, hits, at }: LogWindow): string {
  if (hits === undefined) return `looking for "${search}" ...`;
  if (hits.length === 0) return `no "${search}" in it`;
  const place = at === undefined ? "" : `${hits.indexOf(at) + 1} of `;
  return `"${search}" ${place}${hits.length}`;
}

/** Rows that are being redrawn may take so many of the screen. */
const mostLive = 10;

function logRows(state: State, view: Extract<View, { kind: "run" }>, width: number): Row[] {
  const { log } = view;
  const height = logHeight(state);
  // What is being redrawn stands below the last line.
  const live = !log.isFollowing ? [] : Object.entries(log.regions)
    .flatMap(([stream, rows]) => rows.map((text) => ({ stream, text })))
    .slice(-Math.min(mostLive, height));
  const lines = inSight(log, Math.max(0, height - live.length));
  const gutter = width < 40 ? 0 : Math.max(4, String(log.total).length) + 1;
  const rows = lines.flatMap((line) => {
    if (line.n === log.rewind?.n) return frameRows(line, { rewind: log.rewind, gutter, state });
    const row = lineRow(line, { log, gutter, isAscii: state.isAscii });
    if (!state.isWrapped) return [row];
    // What goes on below stands below the text, not below its number.
    const lead = gutter === 0 ? 1 : 2;
    const indent = rowWidth(row.slice(0, lead));
    return wrapRow(row.slice(lead), Math.max(1, width - indent)).map((part, index): Row => [
      ...(index === 0 ? row.slice(0, lead) : [span(" ".repeat(indent))]),
      ...part,
    ]);
  });
  rows.push(...live.map(({ stream, text }): Row => [
    span(" ".repeat(gutter)),
    barOf(stream, state),
    ...spansOfOutput(text),
  ]));
  if (rows.length > 0) return log.isFollowing ? rows.slice(-height) : rows.slice(0, height);
  if (log.total > 0) return [[span(`line ${topOf(log, height) + 1} ...`, "muted")]];
  const isOver = log.isDone || view.run?.status === "ended";
  return [[span(isOver ? "It wrote nothing." : "Nothing yet.", "muted")]];
}

function lineRow(
  line: LogLineJson,
  { log, gutter, isAscii }: { log: LogWindow; gutter: number; isAscii: boolean },
): Row {
  const number = gutter === 0 ? [] : [span(fit(String(line.n + 1).padStart(gutter - 1), gutter), "muted")];
  const output = spansOfOutput(line.text);
  const spans = line.stream === "system"
    ? output.map((one) => ({ ...one, isItalic: true, role: "muted" as const }))
    : log.search === ""
    ? output
    : output.flatMap((one) => withHits(one, log.search));
  return [
    ...(log.at === line.n ? number.map((one) => ({ ...one, isInverse: true })) : number),
    line.frame_count ? redrawn(line.stream, { isAscii }) : barOf(line.stream, { isAscii }),
    ...spans,
  ];
}

/** The rows of an earlier frame in the place of their line. */
function frameRows(
  line: LogLineJson,
  { rewind: { frames, at }, gutter, state }: { rewind: Rewind; gutter: number; state: State },
): Row[] {
  return (frames[at] ?? []).map((text, index): Row => [
    span(
      index === 0 && gutter > 0 ? fit(String(line.n + 1).padStart(gutter - 1), gutter) : " ".repeat(gutter),
      "accent",
    ),
    redrawn(line.stream, state),
    ...spansOfOutput(text),
  ]);
}

/** Tells a line that has earlier frames. */
function redrawn(stream: string, { isAscii }: { isAscii: boolean }): Span {
  return span(isAscii ? "~ " : "⟲", stream === "stderr" ? "warn" : "muted");
}

/** Tells the streams apart, at the left of each line. */
function barOf(stream: string, { isAscii }: { isAscii: boolean }): Span {
  return stream === "stderr" ? span(isAscii ? "| " : "▏", "warn") : span(isAscii ? "  " : " ");
}

/** What was searched for stands out. */
function withHits(one: Span, search: string): Span[] {
  const low = one.text.toLowerCase();
  const wanted = search.toLowerCase();
  // A character whose other case has another length would shift what is found.
  if (low.length !== one.text.length) return [one];
  const spans: Span[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    if (at > from) spans.push({ ...one, text: one.text.slice(from, at) });
    spans.push({ ...one, text: one.text.slice(at, at + wanted.length), isInverse: true });
    from = at + wanted.length;
  }
  if (from < one.text.length) spans.push({ ...one, text: one.text.slice(from) });
  return spans;
}
