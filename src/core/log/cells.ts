/**
 * What takes several columns, a tab or a wide character, is its first cell and empty ones behind it. Where a part of
 * it goes, the rest becomes blanks: makes that of what goes on from before an index to behind it.
 */
export function cutBefore(cells: string[], index: number): void {
  if (cells[index] !== "") return;
  let start = index;
  while (start > 0 && cells[start] === "") start--;
  cells[start] = " ";
  for (let i = start + 1; i < cells.length && cells[i] === ""; i++) cells[i] = " ";
}

/** Makes blanks of the tabs from an index on: their stops don't move with them. Answers how many more characters that is. */
export function expandTabs(cells: string[], from: number): number {
  let more = 0;
  for (let i = cells.indexOf("\t", from); i >= 0; i = cells.indexOf("\t", i + 1)) {
    cells[i] = " ";
    for (let j = i + 1; j < cells.length && cells[j] === ""; j++, more++) cells[j] = " ";
  }
  return more;
}
