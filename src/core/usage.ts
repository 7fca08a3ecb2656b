import { elapsed, type MonotonicMs } from "./time.ts";
/** What a run has used so far. */
export interface UsageReading {
  /** CPU time of all its processes, ms. */
  cpuMs: number;
  /** Memory that it holds now, bytes; undefined where it can't be told. */
  memoryBytes?: number;
  /** The most memory that it has held, bytes; undefined where it can't be told. */
  peakBytes?: number;
  /** How many of its processes were killed for want of memory. */
  oomKills: number;
}

/** What a unit uses at this moment. */
export interface Usage {
  /** Percent of one core, so that a unit that keeps two cores busy shows 200. */
  cpuPercent: number;
  memoryBytes: number;
}

/** One reading in a row of them, with the figures that follow from all so far. */
export interface UsageState {
  at: MonotonicMs;
  cpuMs: number;
  peakBytes?: number;
  oomKills: number;
  usage?: Usage;
}

/** The state of a run that has just started. */
export function noUsage(at: MonotonicMs): UsageState {
  return { at, cpuMs: 0, oomKills: 0 };
}

/** The state after one more reading. Totals never fall, also where what was counted has ended since. */
export function withReading(before: UsageState, reading: UsageReading, at: MonotonicMs): UsageState {
  const cpuMs = Math.max(before.cpuMs, reading.cpuMs);
  const peak = Math.max(before.peakBytes ?? 0, reading.peakBytes ?? 0, reading.memoryBytes ?? 0);
  const span = elapsed(before.at, at);
  const state: UsageState = { at, cpuMs, oomKills: Math.max(before.oomKills, reading.oomKills) };
  if (peak > 0) state.peakBytes = peak;
  state.usage = {
    cpuPercent: span <= 0 ? before.usage?.cpuPercent ?? 0 : oneDecimal(100 * (cpuMs - before.cpuMs) / span),
    memoryBytes: reading.memoryBytes ?? 0,
  };
  return state;
}

/** What several runs use together; undefined for none. */
export function sumUsage(usages: readonly Usage[]): Usage | undefined {
  if (usages.length === 0) return undefined;
  return {
    cpuPercent: oneDecimal(usages.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0)),
    memoryBytes: usages.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  };
}

/**
 * Sums up the processes of each session from lines of /proc/PID/stat, one process a line. `ticks` is the number
 * of clock ticks a second, `page` the size of a page in bytes.
 */
export function parseSessions(
  lines: readonly string[],
  { ticks, page }: { ticks: number; page: number },
): Map<number, UsageReading> {
  const sessions = new Map<number, UsageReading>();
  for (const line of lines) {
    // The name of a program may hold blanks and brackets: only what follows the last of them is sure.
    const fields = line.slice(line.lastIndexOf(")") + 1).trim().split(/\s+/);
    const [session, ...counts] = [3, 11, 12, 13, 14, 21].map((at) => Number(fields[at]));
    if (session === undefined || [session, ...counts].some((count) => !Number.isFinite(count))) continue;
    const [utime = 0, stime = 0, cutime = 0, cstime = 0, pages = 0] = counts;
    const sum = sessions.get(session) ?? { cpuMs: 0, memoryBytes: 0, oomKills: 0 };
    sum.cpuMs += Math.round((utime + stime + cutime + cstime) * 1000 / ticks);
    sum.memoryBytes = (sum.memoryBytes ?? 0) + pages * page;
    sessions.set(session, sum);
  }
  return sessions;
}

/** What a run's log says of processes that were killed for want of memory; `limit` is the run's own, bytes. */
export function outOfMemory(limit: number | undefined): string {
  return limit === undefined
    ? "out of memory: killed by the system"
    : `out of memory: killed at the limit of ${memoryWords(limit)}`;
}

const units = ["bytes", "kB", "MB", "GB", "TB"];
const binaryUnits = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** A size for a reader: "64 MB", "1.5 GiB" where that is a rounder number, "4.2 MB". */
export function memoryWords(bytes: number): string {
  const decimal = scaled(bytes, 1000);
  const binary = scaled(bytes, 1024);
  const isBinary = binary.power > 0 && isRound(binary.value) && !isRound(decimal.value);
  const { value, power } = isBinary ? binary : decimal;
  const rounded = value >= 100 ? Math.round(value) : oneDecimal(value);
  return `${rounded} ${(isBinary ? binaryUnits : units)[power]}`;
}

function scaled(bytes: number, base: number): { value: number; power: number } {
  let power = 0;
  let value = bytes;
  // What would be rounded to a whole unit more is read as that one.
  for (; value >= base - 0.5 && power < units.length - 1; power++) value /= base;
  return { value, power };
}

function isRound(value: number): boolean {
  return Number.isInteger(value * 10);
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
