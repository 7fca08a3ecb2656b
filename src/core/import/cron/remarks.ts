import { readsAsSchedule } from "./schedule.ts";

/**
 * What the remarks right above an entry say of it, from their lines in order; "" when they say nothing. Banners,
 * column headers, samples, jobs that are switched off and lines for editors describe nothing, nor does what
 * stands above them.
 */
export function describe(remarks: readonly string[]): string {
  const texts = remarks.map((line) => line.replace(/^\s*#+/, "").trim());
  const last = texts.findLastIndex((text) => text === "" || isNoDescription(text));
  return texts.slice(last + 1).join(" ");
}

function isNoDescription(text: string): boolean {
  return isDrawing(text) || isHeader(text) || isEditorLine(text) || isJob(text);
}

/** A line of signs, perhaps with words among them. */
function isDrawing(text: string): boolean {
  return /[=\-*#~_+.─━═]{4,}/.test(text) || /^[|.`'*+┌│└├][\s|.*+-]/.test(text) ||
    !/[\p{L}\p{N}]/u.test(text);
}

/** Names of columns, as in "m h dom mon dow command". */
function isHeader(text: string): boolean {
  const words = text.toLowerCase().split(/[\s,|()]+/).filter((word) => word !== "");
  const columns = words.filter((word) => columnNames.has(word)).length;
  return columns >= 4 && columns >= words.length - 3;
}

const columnNames: ReadonlySet<string> = new Set([
  "m",
  "h",
  "min",
  "minute",
  "minutes",
  "hour",
  "hours",
  "dom",
  "mon",
  "month",
  "dow",
  "day",
  "weekday",
  "wday",
  "user",
  "account",
  "command",
  "cmd",
]);

function isEditorLine(text: string): boolean {
  return /^(?:vim?|ex|emacs):\s|^-\*-.*-\*-$/.test(text);
}

/** A job that is switched off, or a sample. */
function isJob(text: string): boolean {
  const [first = "", ...rest] = text.split(/[ \t]+/);
  if (first.startsWith("@")) return rest.length > 0 && readsAsSchedule(first.toLowerCase());
  return rest.length >= 5 && readsAsSchedule([first, ...rest.slice(0, 4)].join(" "));
}
