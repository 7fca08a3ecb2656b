/** More colour changes than this many characters, without a reset among them, lose the oldest. */
const MOST = 1024;
const RESET = "\x1b[0m";
// deno-lint-ignore no-control-regex -- this is what a reset looks like
const resets = /^\x1b\[(?:0*(?:;|m))/;
// deno-lint-ignore no-control-regex -- this is where a colour sequence begins
const begin = /\x1b/g;

/**
 * The colours that text is written with: the sequences since the last reset, as they came. Nothing in them is
 * interpreted but whether they reset.
 */
export function penAfter(pen: string, sequence: string): string {
  if (resets.test(sequence)) return sequence.length > MOST ? RESET : sequence;
  if (pen.endsWith(sequence)) return pen;
  const next = pen + sequence;
  if (next.length <= MOST) return next;
  begin.lastIndex = next.length - MOST / 2;
  return RESET + next.slice(begin.exec(next)?.index ?? next.length);
}

/** True for colours that are nothing but those a terminal has without any. */
export function isPlainPen(pen: string): boolean {
  return pen === "" || pen === RESET || pen === "\x1b[m";
}

/** What must be written to come from the colours `from` to the colours `to`. */
export function penChange(from: string, to: string): string {
  if (from === to || (isPlainPen(from) && isPlainPen(to))) return "";
  if (to.startsWith(from)) return to.slice(from.length);
  return resets.test(to) ? to : isPlainPen(from) ? to : RESET + to;
}
