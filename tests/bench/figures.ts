import { quantile as quantileOfSorted } from "../../src/core/quantile.ts";

/** One line of a benchmark's table. */
export interface Figure {
  figure: string;
  /** The column in which it stands beside others of the same name, such as a program that is compared. */
  of?: string;
  /** NaN where there is nothing to measure, and `figure` says why. */
  value: number;
  unit: string;
  /** What is to be reached, in words. */
  target?: string;
  pass?: boolean;
}

/** A figure that must not be larger than its target. */
export function atMost(most: number, figure: Figure): Figure {
  return { ...figure, target: `at most ${most}`, pass: figure.value <= most };
}

/** A figure that must not be smaller than its target. */
export function atLeast(least: number, figure: Figure): Figure {
  return { ...figure, target: `at least ${least}`, pass: figure.value >= least };
}

/** The value that a share (0 to 1) of all values, in any order, does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return quantileOfSorted(values.toSorted((a, b) => a - b), share)!;
}
