/** A value at a time, s. */
export interface Point {
  at: number;
  value: number;
}

/** How fast values grow, a second. */
export interface Slope {
  /** The median of the slopes between any two points (Theil and Sen), which single peaks don't move. */
  median: number;
  /** The slope that they have at least, with 99.5 % confidence (Kendall's variance). */
  least: number;
}

const confidence = 2.576;

/** The slope of points that come at different times; of fewer than 8 nothing is said, which is 0. */
export function slopeOf(points: readonly Point[]): Slope {
  const count = points.length;
  if (count < 8) return { median: 0, least: 0 };
  const slopes: number[] = [];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const [one, other] = [points[i]!, points[j]!];
      slopes.push((other.value - one.value) / (other.at - one.at));
    }
  }
  slopes.sort((a, b) => a - b);
  const spread = confidence * Math.sqrt(count * (count - 1) * (2 * count + 5) / 18);
  const least = slopes[Math.max(0, Math.floor((slopes.length - spread) / 2))]!;
  return { median: slopes[slopes.length >> 1]!, least };
}
