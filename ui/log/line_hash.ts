/** Lines that an address names, as numbers from 0; `from` is the lower one. */
export interface LineRange {
  from: number;
  to: number;
}

/** The lines of `#L120` or `#L120-L140`, which count from 1. */
export function parseHash(hash: string): LineRange | undefined {
  const match = /^#L(\d{1,12})(?:-L?(\d{1,12}))?$/.exec(hash);
  if (match === null) return undefined;
  const [a, b] = [Number(match[1]) - 1, Number(match[2] ?? match[1]) - 1];
  return a < 0 || b < 0 ? undefined : { from: Math.min(a, b), to: Math.max(a, b) };
}

/** The address of lines. */
export function hashOf({ from, to }: LineRange): string {
  return from === to ? `#L${from + 1}` : `#L${from + 1}-L${to + 1}`;
}

/** The lines after a click on the number of one: with shift they reach from the lines before to it. */
export function afterClick(before: LineRange | undefined, n: number, isShift: boolean): LineRange {
  if (!isShift || before === undefined) return { from: n, to: n };
  return n < before.from ? { from: n, to: before.to } : { from: before.from, to: n };
}

/** The address of lines that somebody typed, as `:120` or `:120-140`. */
export function hashOfTyped(text: string): string | undefined {
  const match = /^:(\d+)(?:-(\d+))?$/.exec(text.trim());
  const lines = match === null ? undefined : parseHash(`#L${match[1]}-L${match[2] ?? match[1]}`);
  return lines === undefined ? undefined : hashOf(lines);
}
