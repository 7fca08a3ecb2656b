/** A row of percentages as a line, with its number and its bounds in words. `values`: oldest first, 0 to 100. */
export function Sparkline({ label, values, now }: { label: string; values: readonly number[]; now: string }) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.round);
  const says = values.length === 0
    ? `${label}: not measured yet`
    : `${label}: ${now} now, ${least} to ${most} % in the last hour`;
  return (
    <div class="spark">
      <span class="muted">{label}</span>
      <svg role="img" aria-label={says} viewBox="0 0 100 24" preserveAspectRatio="none">
        {values.length < 2 ? null : (
          <>
            <path class="area" d={`${lineOf(values)} L100 24 L0 24 Z`} />
            <path class="line" d={lineOf(values)} />
          </>
        )}
      </svg>
      <b class="number">{values.length === 0 ? "–" : now}</b>
    </div>
  );
}

/** No line has more points than a screen can show. */
const mostPoints = 120;

/** A path through values of 0 to 100 over a field of 100 by 24; long rows by the highest of each stretch. */
export function lineOf(values: readonly number[]): string {
  const size = Math.max(1, Math.ceil(values.length / mostPoints));
  const points = Array.from(
    { length: Math.ceil(values.length / size) },
    (_, i) => Math.max(...values.slice(i * size, (i + 1) * size)),
  );
  const step = 100 / Math.max(1, points.length - 1);
  return points.map((value, i) =>
    `${i === 0 ? "M" : "L"}${round(i * step)} ${round(23 - 22 * Math.max(0, Math.min(100, value)) / 100)}`
  ).join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
