/** What the machine's counters said at one moment. */
export interface SystemReading {
  /** Ticks of all cores since boot: those at work, and all. */
  busy: number;
  total: number;
  /** Bytes. */
  memTotal: number;
  memAvailable: number;
}

/** The machine's load over some seconds, or a minute. */
export interface SystemSample {
  /** Unix seconds. */
  at: number;
  /** Percent of all cores, 0 to 100. */
  cpu: number;
  /** Percent of the memory, 0 to 100. */
  mem: number;
  /** Bytes. */
  memTotal: number;
  memUsed: number;
}

/**
 * Reads the first line of /proc/stat and the lines MemTotal and MemAvailable of /proc/meminfo (kB); undefined when
 * one of them is missing or makes no sense.
 */
export function parseReading(lines: readonly string[]): SystemReading | undefined {
  const cpu = lines.find((line) => /^cpu\s/.test(line));
  const memTotal = kilobytes(lines, "MemTotal");
  const memAvailable = kilobytes(lines, "MemAvailable");
  if (cpu === undefined || memTotal === undefined || memAvailable === undefined) return undefined;
  // The times of guests, after the eighth number, are part of the first two.
  const ticks = cpu.trim().split(/\s+/).slice(1, 9).map(Number);
  if (ticks.length < 4 || ticks.some((count) => !Number.isFinite(count))) return undefined;
  const total = ticks.reduce((sum, count) => sum + count, 0);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { busy: total - idle - waiting, total, memTotal, memAvailable: Math.min(memAvailable, memTotal) };
}

/** The load between two readings; without an earlier one, since the machine's boot. `at` is Unix seconds. */
export function sampleOf(
  { from, to }: { from: SystemReading | undefined; to: SystemReading },
  at: number,
): SystemSample {
  const total = to.total - (from?.total ?? 0);
  const busy = to.busy - (from?.busy ?? 0);
  const memUsed = to.memTotal - to.memAvailable;
  return {
    at,
    // Counters of a core that was switched off step back.
    cpu: percent(busy, total),
    mem: percent(memUsed, to.memTotal),
    memTotal: to.memTotal,
    memUsed,
  };
}

/** The mean of the samples of one minute, which begins at `at` (Unix seconds); undefined for none. */
export function averageOf(samples: readonly SystemSample[], at: number): SystemSample | undefined {
  const last = samples.at(-1);
  if (last === undefined) return undefined;
  const mean = (pick: (sample: SystemSample) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  return {
    at,
    cpu: rounded(mean(({ cpu }) => cpu)),
    mem: rounded(mean(({ mem }) => mem)),
    memTotal: last.memTotal,
    memUsed: Math.round(mean(({ memUsed }) => memUsed)),
  };
}

function percent(part: number, whole: number): number {
  return whole <= 0 ? 0 : rounded(Math.min(100, Math.max(0, 100 * part / whole)));
}

/** Two decimals are more than a chart can show. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function kilobytes(lines: readonly string[], key: string): number | undefined {
  const line = lines.find((text) => text.startsWith(`${key}:`));
  const match = line === undefined ? null : /^\w+:\s*(\d+)/.exec(line);
  return match === null ? undefined : Number(match[1]) * 1024;
}
