/** Milliseconds in each unit of a duration. */
const factors: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

/** Units of canonical text, largest first; weeks are read but never written. */
const written = ["d", "h", "m", "s", "ms", "us", "ns"] as const;

const part = /(\d+(?:\.\d+)?)(ns|us|ms|s|m|h|d|w)/y;

/**
 * The milliseconds (fractions allowed; exact to the nanosecond up to 26 days) that a text such as "1h30m" or "1.5s"
 * stands for; undefined when it is malformed, has no unit, is negative, or exceeds about 292 years.
 */
export function parseDuration(text: string): number | undefined {
  const nanoseconds = nanosecondsOf(text);
  return nanoseconds !== undefined && nanoseconds <= MAX_NANOSECONDS ? nanoseconds / 1e6 : undefined;
}

/** Whether a text is well-formed, and beyond what a duration can be. */
export function isTooLong(text: string): boolean {
  return (nanosecondsOf(text) ?? 0) > MAX_NANOSECONDS;
}

function nanosecondsOf(text: string): number | undefined {
  let nanoseconds = 0;
  let at = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) return undefined;
    const [all, amount = "", unit = ""] = match;
    // Whole nanoseconds add up without the crumbs that sums of binary fractions leave behind.
    nanoseconds += Math.round(Number(amount) * nanosecondsIn(unit));
    at += all.length;
  }
  return text === "" ? undefined : nanoseconds;
}

/**
 * Canonical short text of a duration in milliseconds, such as "1h30m", "1.5s" or "0s": whole units from
 * days down, the rest below a minute as decimal seconds, below a second in ms, us or ns.
 */
export function formatDuration(ms: number): string {
  if (!(ms >= 0) || !Number.isFinite(ms)) throw new RangeError(`no duration: ${ms}`);
  let rest = Math.round(ms * 1e6);
  if (rest === 0) return "0s";
  let text = "";
  for (const unit of written) {
    if (rest === 0) break;
    const size = nanosecondsIn(unit);
    if (rest < size) continue;
    if (unit === "d" || unit === "h" || unit === "m") {
      const count = Math.floor(rest / size);
      text += `${count}${unit}`;
      rest -= count * size;
      continue;
    }
    text += `${decimal(rest, size)}${unit}`;
    rest = 0;
  }
  return text;
}

/** The longest duration that is read: 2^63 - 1 nanoseconds, which the API's int64 can carry. */
const MAX_NANOSECONDS = 9.223372036854775e18;

function nanosecondsIn(unit: string): number {
  return Math.round((factors.get(unit) ?? NaN) * 1e6);
}

/** `amount / size` as a plain decimal; `size` is a power of ten, so that digits can simply be split. */
function decimal(amount: number, size: number): string {
  const whole = Math.floor(amount / size);
  const digits = String(size).length - 1;
  const fraction = String(amount % size).padStart(digits, "0").replace(/0+$/, "");
  return fraction === "" ? String(whole) : `${whole}.${fraction}`;
}
