/** Where something is in a log, for the map at its edge: rows of a strip, each standing for a share of the lines. */

interface Range {
  first: number;
  end: number;
}

/** Which of `rows` rows hold any of the lines. */
export function markedRows(lines: Iterable<number>, { first, end }: Range, rows: number): Set<number> {
  const marked = new Set<number>();
  const count = end - first;
  if (count <= 0) return marked;
  for (const n of lines) {
    if (n >= first && n < end) marked.add(Math.floor((n - first) / count * rows));
    if (marked.size === rows) break;
  }
  return marked;
}

/** The rows as the path of an SVG of the height `rows`: rows that follow each other are one stroke. */
export function pathOfRows(marked: ReadonlySet<number>, { x, width }: { x: number; width: number }): string {
  const rows = [...marked].sort((a, b) => a - b);
  let path = "";
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i]!;
    while (rows[i + 1] === rows[i]! + 1) i++;
    path += `M${x} ${from}h${width}v${rows[i]! - from + 1}h${-width}z`;
  }
  return path;
}
