/**
 * The known word that a mistyped one most likely means: the fewest insertions, deletions, replacements and
 * swaps of neighbours, in any letter case, at most one for every three letters; undefined when nothing is near.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, MAX_LENGTH);
  let best: string | undefined;
  let bound = Math.min(Math.max(1, Math.floor((wanted.length + 1) / 3)), wanted.length - 1);
  let compared = 0;
  for (const candidate of known) {
    if (bound < 0 || ++compared > MAX_CANDIDATES) break;
    const steps = distance(wanted, candidate.toLowerCase().slice(0, MAX_LENGTH), bound);
    if (steps === undefined) continue;
    best = candidate;
    // Only a strictly better one may replace it, so that the first of equals wins.
    bound = steps - 1;
  }
  return best;
}

/** Longer than any unit name or key; keeps a hostile word from costing time. */
const MAX_LENGTH = 128;

/** Further words are not looked at: a hint is worth no more time. */
const MAX_CANDIDATES = 2_000;

/** The edit distance of two words, or undefined when it exceeds `bound`. */
function distance(a: string, b: string, bound: number): number | undefined {
  if (Math.abs(a.length - b.length) > bound) return undefined;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let steps = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        steps = Math.min(steps, at(before, column - 2) + 1);
      }
      current.push(steps);
      least = Math.min(least, steps);
    }
    // A swap reaches back one row, so one row over the bound does not settle it yet.
    if (least > bound + 1) return undefined;
    before = previous;
    previous = current;
  }
  const steps = at(previous, b.length);
  return steps <= bound ? steps : undefined;
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}
