/** A line that the daemon itself adds to a run's log. */
export interface SystemLine {
  n: number;
  at: number;
  text: string;
}

/** The longest text of a system line, in characters; the rest is cut off with an ellipsis. */
export const MAX_SYSTEM_TEXT = 4096;

const PATTERN = /^(\d{1,15}) (\d{1,15}) (.*)$/;

/** The texts of the system lines that `text` makes: one per line, without control characters, none empty. */
export function systemTexts(text: string): string[] {
  return text.split("\n")
    // deno-lint-ignore no-control-regex -- a system line is ours, so it can hold none
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f]/g, " ").trim())
    .filter((line) => line !== "")
    .map((line) => line.length > MAX_SYSTEM_TEXT ? line.slice(0, MAX_SYSTEM_TEXT - 1) + "…" : line);
}

/** One line of a `.sys` file: number, Unix milliseconds, text. */
export function formatSystemLine(line: SystemLine): string {
  return `${line.n} ${Math.max(0, Math.floor(line.at))} ${line.text}\n`;
}

/**
 * The lines of a `.sys` file whose numbers lie in `from` up to but not including `to`, ascending. What can't
 * be one is passed over.
 */
export function parseSystemLines(content: string, { from, to }: { from: number; to: number }): SystemLine[] {
  const lines: SystemLine[] = [];
  let next = from;
  for (const row of content.split("\n")) {
    const match = PATTERN.exec(row);
    if (match === null) continue;
    const n = Number(match[1]);
    if (n < next || n >= to) continue;
    lines.push({ n, at: Number(match[2]), text: match[3] ?? "" });
    next = n + 1;
  }
  return lines;
}
