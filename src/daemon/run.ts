import { handedOver as handedOverCode } from "../core/service_file.ts";
import { refusalOf } from "../core/refusal.ts";
import { Fault, messageOf } from "../fault.ts";
import {
  type DaemonLog,
  daemonLog,
  type LogFormat,
  type LogLevel,
  logLevels,
  patientStderr,
} from "../io/daemon_log.ts";
import { collectStart } from "../io/heap.ts";
import { RecentLines } from "../io/recent_lines.ts";
import { findPlaces, type PlaceFlags } from "../local/places.ts";
import { renderProblem } from "../local/validate.ts";
import { type Daemon, InvalidConfig, startDaemon } from "./daemon.ts";
import { keepDebuggerClosed } from "./debugger.ts";
import { handleSignals } from "./signals.ts";
import { isServiceManaged } from "./surroundings.ts";
import { ownVariable } from "../io/own_variable.ts";

/** What the command line says of a daemon; an absent value falls to its variable, then to the default. */
export interface DaemonFlags extends PlaceFlags {
  host?: string;
  port?: number;
  logLevel?: LogLevel;
  logFormat?: LogFormat | "auto";
}

/** How many lines of its own log a daemon keeps for those who begin to watch it. */
const keptLines = 200;

/** How long the end of a daemon waits for who reads its log, ms. */
const lastWords = 1000;

/** Units that were started at once have settled by then, ms. */
const settled = 5000;

/**
 * Runs a daemon in the foreground until SIGTERM or SIGINT; SIGHUP reloads, no other signal that can be taken ends it.
 * `entry` is the address of the program, by which it starts its workers. Answers the exit code. Throws `Fault` when it
 * can't start.
 */
export async function runDaemon(flags: DaemonFlags, { entry }: { entry: string }): Promise<number> {
  const lines = new RecentLines(keptLines);
  const stderr = patientStderr((count) =>
    log.warn("nobody read this log for a while: lines of it were left out", { lines: count })
  );
  const log = logOf(flags, { lines, write: stderr.write });
  const signals = handleSignals(log);
  const forget = outlive(log);
  const letDebugger = keepDebuggerClosed(() =>
    log.warn(
      "SIGUSR1 does nothing here but open the runtime's debugger, which is kept closed: SIGHUP reloads",
    )
  );
  const places = findPlaces(flags);
  try {
    const daemon = await startDaemon({
      places,
      host: flags.host ?? (ownVariable("SVC_HOST") || "127.0.0.1"),
      port: flags.port ?? portOf(ownVariable("SVC_PORT")) ?? 8420,
      log,
      lines,
      entry,
      told: {
        ...(flags.logLevel === undefined ? {} : { logLevel: flags.logLevel }),
        ...(flags.logFormat === undefined ? {} : { logFormat: flags.logFormat }),
      },
      stopAsked: signals.asked,
    });
    const settling = setTimeout(collectStart, settled);
    signals.onReload(() => void reloadBySignal(daemon, log));
    // A signal cuts the wait of a drain short.
    const { drained, handedOver } = daemon.engine;
    const why = await Promise.race([
      signals.asked,
      drained.then(() => undefined),
      handedOver.then(() => "handover" as const),
    ]);
    clearTimeout(settling);
    if (why === "handover") {
      await daemon.leave();
      log.info("handed over");
      return handedOverCode;
    }
    log.info("stopping", why === undefined ? { drained: true } : { signal: why });
    await daemon.stop();
    log.info("stopped");
    return 0;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) {
      throw new Fault(
        "internal",
        `cannot start: the database in "${places.dataDir}" refuses (${refusal}); check free space and the folder's owner`,
      );
    }
    if (!(error instanceof InvalidConfig)) throw error;
    for (const problem of error.problems) stderr.write(renderProblem(problem));
    throw new Fault("invalid", `cannot start: ${error.message}; nothing was started`);
  } finally {
    forget();
    letDebugger();
    signals.release();
    await stderr.flush(lastWords);
  }
}

/** A supervisor does not die of an error that nobody has thought of: it says so and goes on. The result ends that. */
function outlive(log: DaemonLog): () => void {
  const say = (error: unknown): void =>
    log.error("internal error", {
      error: error instanceof Error ? error.stack ?? error.message : `${error}`,
    });
  const onError = (event: ErrorEvent): void => {
    event.preventDefault();
    say(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    say(event.reason);
  };
  globalThis.addEventListener("error", onError);
  globalThis.addEventListener("unhandledrejection", onRejection);
  return () => {
    globalThis.removeEventListener("error", onError);
    globalThis.removeEventListener("unhandledrejection", onRejection);
  };
}

async function reloadBySignal(daemon: Daemon, log: DaemonLog): Promise<void> {
  try {
    await daemon.engine.reload({ dryRun: false });
  } catch (error) {
    log.error(messageOf(error));
    if (error instanceof Fault) {
      for (const { location, message } of error.details) log.error(message, { at: location });
    }
  }
}

function logOf(
  flags: DaemonFlags,
  { lines, write }: { lines: RecentLines; write: (line: string) => void },
): DaemonLog {
  // journald puts its own time to each line.
  const isJournal = isServiceManaged() && ownVariable("JOURNAL_STREAM") !== undefined;
  const format = flags.logFormat ?? wordOf("SVC_LOG_FORMAT", ["auto", "text", "json"]) ?? "auto";
  return daemonLog({
    level: flags.logLevel ?? wordOf("SVC_LOG_LEVEL", logLevels) ?? "info",
    format: format === "json" ? "json" : "text",
    times: !isJournal,
    priorities: isJournal,
    now: Date.now,
    write,
    keep: (line) => lines.push(line),
  });
}

/** What a variable says; undefined where it is not set. Throws `Fault` where it is none of the words. */
function wordOf<T extends string>(name: string, words: readonly T[]): T | undefined {
  const text = ownVariable(name);
  if (text === undefined || text === "") return undefined;
  const word = words.find((one) => one === text);
  if (word === undefined) throw new Fault("invalid", `${name} is "${text}": give ${words.join(", ")}`);
  return word;
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new Fault("invalid", `SVC_PORT is "${text}": give a port from 0 to 65535`);
}
