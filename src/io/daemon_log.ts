import { visible } from "../core/visible.ts";
import { BoundedWriter } from "./bounded_writer.ts";

/** How much the daemon tells of itself. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";
export type LogFormat = "text" | "json";

export const logLevels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error"];

const priorities: Record<LogLevel, number> = { trace: 7, debug: 7, info: 6, warn: 4, error: 3 };

/** The daemon's own log: one line an entry, with named values. */
export interface DaemonLog {
  /** Each step of a machine; absent unless it is asked for, so that `log.trace?.(...)` makes nothing of its arguments. */
  trace?(message: string, values?: LogValues): void;
  debug(message: string, values?: LogValues): void;
  info(message: string, values?: LogValues): void;
  warn(message: string, values?: LogValues): void;
  error(message: string, values?: LogValues): void;
}

export type LogValues = Record<string, string | number | boolean | undefined>;

/**
 * A log that writes lines of `format` from `level` on to `write`; `now` gives Unix ms. `keep` gets the same lines,
 * always with their times.
 */
export function daemonLog(
  options: {
    level: LogLevel;
    format: LogFormat;
    times: boolean;
    /** Each line begins with its priority, as journald and syslog(3) have them (sd-daemon(3)). */
    priorities?: boolean;
    now: () => number;
    write: (line: string) => void;
    keep?: (line: string) => void;
  },
): DaemonLog {
  const least = logLevels.indexOf(options.level);
  const entry = (level: LogLevel) => (message: string, values: LogValues = {}): void => {
    if (logLevels.indexOf(level) < least) return;
    const time = new Date(options.now()).toISOString();
    const line = (withTime: boolean): string =>
      options.format === "json"
        // What JSON leaves as it is a terminal would still obey.
        ? visible(JSON.stringify({ time, level, message, ...values }))
        : textLine(withTime ? time : undefined, level, { message, values });
    options.write((options.priorities ? `<${priorities[level]}>` : "") + line(options.times));
    options.keep?.(line(true));
  };
  return {
    ...(options.level === "trace" ? { trace: entry("trace") } : {}),
    debug: entry("debug"),
    info: entry("info"),
    warn: entry("warn"),
    error: entry("error"),
  };
}

/**
 * Standard error as a daemon writes to it: whoever reads it, or has stopped to, holds up nothing. `told` hears how many
 * lines were left out meanwhile.
 */
export function patientStderr(told: (lines: number) => void): {
  write: (line: string) => void;
  flush: (limit: number) => Promise<void>;
} {
  const writer = new BoundedWriter((bytes) => Deno.stderr.write(bytes), told);
  return { write: (line) => writer.add(shown(line)), flush: (limit) => writer.flush(limit) };
}

/** Writes a line (or several) to standard error, with nothing in it that steers a terminal; a reader that has gone is no reason to die. */
export function writeToStderr(line: string): void {
  try {
    const bytes = new TextEncoder().encode(shown(line));
    for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
  } catch {
    // Nobody reads.
  }
}

function shown(line: string): string {
  return line.split("\n").map(visible).join("\n") + "\n";
}

function textLine(
  time: string | undefined,
  level: LogLevel,
  entry: { message: string; values: LogValues },
): string {
  const values = Object.entries(entry.values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${quoted(String(value))}`);
  const head = time === undefined ? [] : [time];
  return [...head, level.padEnd(5), visible(entry.message), ...values].join(" ");
}

function quoted(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : visible(JSON.stringify(text));
}
