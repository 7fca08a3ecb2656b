/** "a", "a and b", "a, b and c". */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** "1st", "2nd", "3rd", "4th", "11th", "21st" for whole numbers from 1 to 99. */
export function ordinal(value: number): string {
  const last = value % 10;
  const teen = value > 10 && value < 20;
  return `${value}${teen ? "th" : last === 1 ? "st" : last === 2 ? "nd" : last === 3 ? "rd" : "th"}`;
}

/** Two digits: "07". */
export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** "every hour", "every 15 minutes". */
export function everyUnit(count: number, unit: string): string {
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** The step between ascending values when it is the same throughout; 0 for fewer than two values or uneven ones. */
export function evenStep(values: readonly number[]): number {
  const step = (values[1] ?? NaN) - (values[0] ?? NaN);
  for (let i = 1; i < values.length; i++) if ((values[i] ?? NaN) - (values[i - 1] ?? NaN) !== step) return 0;
  return Number.isNaN(step) ? 0 : step;
}

/** Ascending values cut into runs whose neighbours are `step` apart. */
export function runsOf(values: readonly number[], step: number): number[][] {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run !== undefined && value - (run.at(-1) ?? NaN) === step) run.push(value);
    else runs.push([value]);
  }
  return runs;
}
