/** The value that a share (0 to 1) of sorted numbers does not exceed, by nearest rank; undefined where there are none. */
export function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
