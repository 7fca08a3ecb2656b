import { durationWords, timeWords } from "../../core/time_words.ts";
import { markOf, type Word } from "../../core/words.ts";
import { msOf, wordOfRun } from "../../cli/unit_words.ts";
import type { RunJson } from "../../http/schemas/run.ts";
import { fit, type Row, type Span, span } from "../rows.ts";
import type { State } from "../state.ts";

/** What a view is made of: what scrolls under its title, and which of these rows the cursor stands on. */
export interface Body {
  title: Row;
  rows: readonly Row[];
  at?: number;
  /** The row of each item that can be opened. */
  items?: readonly number[];
}

/** A mark in its colour. */
export function mark(word: Word, { isAscii }: State): Span {
  return span(markOf(word.mark, { ascii: isAscii }), word.role);
}

/** A time as seen from now. */
export function when(at: number, { now, timezone }: State): string {
  return timeWords(at, { now, timezone });
}

/** What stands for nothing. */
export function dash({ isAscii }: State): string {
  return isAscii ? "-" : "–";
}

/** What separates parts of a line. */
export function dot({ isAscii }: State): string {
  return isAscii ? " - " : " · ";
}

/** How long a run took, or takes so far; undefined where it never started. */
export function tookWords(run: RunJson, { now }: State): string | undefined {
  const start = msOf(run.start_at);
  if (start === undefined) return undefined;
  return durationWords((msOf(run.end_at) ?? Math.max(now, start)) - start);
}

/** A run in a row of a list; `hasName` names its unit. */
export function runRow(
  run: RunJson,
  { state, width, isMarked, hasName }: { state: State; width: number; isMarked: boolean; hasName: boolean },
): Row {
  const word = wordOfRun(run);
  const at = msOf(run.end_at) ?? msOf(run.start_at) ?? Date.parse(run.created_at);
  const name = run.instance_index > 0 ? `${run.task_name} ${run.instance_index}` : run.task_name;
  const stateWidth = width < 40 ? 12 : width < 70 ? 14 : 18;
  const nameWidth = Math.max(8, Math.min(28, width - stateWidth - 25));
  return [
    span(isMarked ? "*" : " "),
    mark(word, state),
    span(" "),
    ...(hasName ? [span(`${fit(name, nameWidth, state.isAscii ? "..." : "…")} `)] : []),
    span(`${fit(word.text, stateWidth)} `, word.role),
    // Where there is room for one of the two, when it was is worth more.
    ...(width < 44 && hasName ? [] : [span(`${fit(tookWords(run, state) ?? dash(state), 9)} `)]),
    span(when(at, state), "muted"),
    ...(run.retry_attempt > 0 ? [span(`  retry ${run.retry_attempt}`, "muted")] : []),
  ];
}

/** A heading inside of a view. */
export function heading(text: string): Row {
  return [{ text, isBold: true }];
}

/** A name and what it is, in columns. */
export function fact(name: string, text: string, options: { width?: number } = {}): Row {
  return [span(`${fit(name, options.width ?? 12)}  `, "muted"), span(text)];
}

/** A noun with its number. */
export function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
