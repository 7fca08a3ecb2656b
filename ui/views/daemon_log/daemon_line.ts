/** How much a line of the daemon's log matters. */
export const levels = ["trace", "debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];

/** A line of the daemon's own log, taken apart. */
export interface DaemonLine {
  /** Counts up, so that a list has something to tell lines apart by. */
  id: number;
  /** As it came. */
  raw: string;
  /** Unix ms; absent where the line has none. */
  at?: number;
  level: Level;
  message: string;
  /** Named values, as `key=value`. */
  values: string;
}

/** No more lines are kept. */
export const mostLines = 2000;

/** Reads a line, of text or of JSON; one that is neither is a message. */
export function parseLine(raw: string, id: number): DaemonLine {
  const json = raw.startsWith("{") ? entryOf(raw) : undefined;
  if (json !== undefined) {
    const { time, level, message, ...rest } = json;
    const values = Object.entries(rest).map(([key, value]) => `${key}=${wordsOf(value)}`).join(" ");
    return {
      id,
      raw,
      ...timeOf(String(time)),
      level: levelOf(level),
      message: String(message ?? ""),
      values,
    };
  }
  const match = /^(\d{4}-\S+Z) (trace|debug|info|warn|error) +(.*)$/s.exec(raw);
  if (match === null) return { id, raw, level: "info", message: raw, values: "" };
  const [, time = "", level, text = ""] = match;
  const at = text.search(/ \w+=(?:"|\S)/);
  return {
    id,
    raw,
    ...timeOf(time),
    level: levelOf(level),
    message: at < 0 ? text : text.slice(0, at),
    values: at < 0 ? "" : text.slice(at + 1),
  };
}

function entryOf(raw: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function timeOf(time: string): { at?: number } {
  const at = Date.parse(time);
  return Number.isNaN(at) ? {} : { at };
}

function levelOf(word: unknown): Level {
  return levels.find((level) => level === word) ?? "info";
}

function wordsOf(value: unknown): string {
  return typeof value === "string" && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value);
}

/** The lines from a level on that have a text. */
export function filterLines(
  lines: readonly DaemonLine[],
  { least, text }: { least: Level; text: string },
): DaemonLine[] {
  const rank = levels.indexOf(least);
  const wanted = text.toLowerCase();
  return lines.filter(({ raw, level }) =>
    levels.indexOf(level) >= rank && (wanted === "" || raw.toLowerCase().includes(wanted))
  );
}

/**
 * Lines with those that came after them. A stream that was opened anew begins with lines that are there already;
 * `isAgain` says that these may be such.
 */
export function withLines(
  before: readonly DaemonLine[],
  came: readonly string[],
  { isAgain }: { isAgain: boolean },
): readonly DaemonLine[] {
  const known = isAgain ? new Set(before.map(({ raw }) => raw)) : undefined;
  let id = before.at(-1)?.id ?? 0;
  const fresh = came.filter((raw) => !known?.has(raw)).map((raw) => parseLine(raw, ++id));
  return fresh.length === 0 ? before : [...before, ...fresh].slice(-mostLines);
}
