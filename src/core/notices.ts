import type { EndReason, Run } from "../types.ts";
import { readable } from "./log/plain.ts";
import { durationWords } from "./time_words.ts";

export type Severity = "info" | "warn" | "error";

/** What the daemon gives notice of. */
export type NoticeKind =
  | "run.failed"
  | "run.timeout"
  | "run.crashed"
  | "run.missed"
  | "run.succeeded"
  | "run.recovered"
  | "run.overdue"
  | "run.slow"
  | "service.fatal"
  | "service.failing"
  | "service.unhealthy"
  | "service.blocked"
  | "log.disk_pressure"
  | "notify.delivery_failed"
  | "config.stale";

/** Something that happened and that an operator should hear of. */
export interface Happening {
  kind: NoticeKind;
  /** Tells happenings of one kind and unit apart: the end reason of a run; else empty. */
  reason: string;
  severity: Severity;
  unit: string;
  /** Empty where no run can be named. */
  runId: string;
  /** Counts as a failure. */
  isFailure: boolean;
  title: string;
  body: string;
  /** Unix ms. */
  at: number;
}

/** A row of the bell: happenings of one kind, unit and reason inside the coalescing window. Times are Unix ms. */
export interface Notice {
  id: string;
  /** The same for all that may become one row; hex. */
  fingerprint: string;
  kind: NoticeKind;
  severity: Severity;
  unit: string;
  /** Of the newest occurrence, as are title and body. */
  runId: string;
  title: string;
  body: string;
  count: number;
  /** Newest first; the newest `mostOccurrences`. */
  occurrences: number[];
  createdAt: number;
  lastOccurredAt: number;
  /** Absent: unread. */
  readAt?: number;
}

/** How many times of occurrences a row keeps. */
export const mostOccurrences = 50;

/**
 * What the end of a run gives notice of, if anything: a failure, or the first success after failures (`wasFailing`).
 * The life of a service that ends with the daemon is no news, nor is one that its health check ended. A success alone
 * is news only where somebody asks for it (`tellsSuccess`). `lastLines` are the last of its output, raw.
 */
export function happeningOfRun(
  run: Run,
  { wasFailing, tellsSuccess = false, lastLines = [] }: {
    wasFailing: boolean;
    tellsSuccess?: boolean;
    lastLines?: readonly string[];
  },
): Happening | undefined {
  const reason = run.endReason;
  const isService = run.trigger === "service";
  // What a health check ends is told when it is stopped, with the cause.
  if (reason === undefined || reason === "unhealthy") return undefined;
  if (isService && reason === "daemon_stopped") return undefined;
  const isSuccess = !run.isFailure && reason === "success" && !isService;
  if (!run.isFailure && !(isSuccess && (wasFailing || tellsSuccess))) return undefined;
  const kind = !isSuccess ? kindOf(reason) : wasFailing ? "run.recovered" : "run.succeeded";
  return {
    kind,
    reason,
    severity: severities[kind],
    unit: run.unit,
    runId: run.id,
    isFailure: run.isFailure,
    title: `${isService ? "Service" : "Task"} "${run.unit}" ${
      !isSuccess ? verbs[reason] : wasFailing ? "works again" : "succeeded"
    }`,
    body: bodyOf(run, isSuccess ? [] : lastLines),
    at: run.endedAt ?? run.createdAt,
  };
}

/** A service that does not come up, or does not stay up. `runId` is empty where there is no run to name. */
export type ServiceTrouble =
  & { unit: string; runId: string }
  & (
    | {
      kind: "service.failing" | "service.fatal";
      instance: number; /** Failed starts in a row. */
      tries: number;
    }
    | { kind: "service.unhealthy"; instance: number; /** Why its check failed. */ why: string }
    | { kind: "service.blocked"; /** What it waits for, in words. */ waitsFor: readonly string[] }
  );

/** What a service in trouble gives notice of; `lastLines` are the last of its output, raw. */
export function happeningOfService(
  trouble: ServiceTrouble,
  { at, lastLines = [] }: { at: number; lastLines?: readonly string[] },
): Happening {
  const { kind, unit, runId } = trouble;
  const { what, lines } = storyOf(trouble);
  return {
    kind,
    reason: "",
    severity: severities[kind],
    unit,
    runId,
    isFailure: kind !== "service.blocked",
    title: `Service "${unit}" ${what}`,
    body: [...lines, ...quoted(lastLines)].join("\n"),
    at,
  };
}

function storyOf(trouble: ServiceTrouble): { what: string; lines: string[] } {
  switch (trouble.kind) {
    case "service.failing":
    case "service.fatal": {
      const tried = `instance ${trouble.instance} failed to start ${trouble.tries} times in a row`;
      return trouble.kind === "service.failing" ? { what: "does not come up", lines: [tried] } : {
        what: "is fatal: nothing restarts it",
        lines: [tried, "start or restart it by hand once the cause is mended"],
      };
    }
    case "service.unhealthy":
      return {
        what: "is unhealthy",
        lines: [`instance ${trouble.instance} is stopped: its health check failed`, trouble.why],
      };
    case "service.blocked":
      return { what: "is blocked", lines: [`it waits for ${trouble.waitsFor.join(", ")}`] };
  }
}

/**
 * The row that a happening makes, or goes into: `former`, the newest of its fingerprint, while the window that began
 * with the first occurrence lasts (ms; 0: none). A row that is added to is unread again. `id` names a new one.
 */
export function coalesce(
  happening: Happening,
  { former, window, id }: { former: Notice | undefined; window: number; id: () => string },
): { notice: Notice; isNew: boolean } {
  const { at, kind, severity, unit, runId, title, body } = happening;
  const said = { fingerprint: fingerprintOf(happening), kind, severity, unit, runId, title, body };
  // Before its beginning lies what comes after the clock was set back.
  const isOpen = former !== undefined && at - former.createdAt < window && at >= former.createdAt;
  if (!isOpen) {
    const notice = { id: id(), ...said, count: 1, occurrences: [at], createdAt: at, lastOccurredAt: at };
    return { notice, isNew: true };
  }
  const occurrences = [at, ...former.occurrences].sort((a, b) => b - a).slice(0, mostOccurrences);
  return {
    notice: {
      ...said,
      id: former.id,
      count: former.count + 1,
      occurrences,
      createdAt: former.createdAt,
      lastOccurredAt: occurrences[0]!,
    },
    isNew: false,
  };
}

/** What happenings have in common that may become one row: 16 hex digits (FNV-1a). */
export function fingerprintOf({ kind, unit, reason }: Pick<Happening, "kind" | "unit" | "reason">): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of `${kind}\n${unit}\n${reason}`) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

const severities: Record<NoticeKind, Severity> = {
  "run.failed": "error",
  "run.timeout": "error",
  "run.crashed": "error",
  "run.missed": "warn",
  "run.succeeded": "info",
  "run.recovered": "info",
  "run.overdue": "error",
  "run.slow": "warn",
  "service.fatal": "error",
  "service.failing": "warn",
  "log.disk_pressure": "error",
  "notify.delivery_failed": "error",
  "config.stale": "info",
  "service.unhealthy": "error",
  "service.blocked": "warn",
};

const verbs: Record<EndReason, string> = {
  success: "failed",
  failed: "failed",
  stopped: "was stopped",
  timeout: "ran out of time",
  crashed: "crashed",
  skipped: "was skipped",
  log_overflow: "wrote more than its log may hold",
  queue_full: "was not queued",
  dst_skipped: "was left out as the clock went back",
  daemon_stopped: "was cut off by the end of the daemon",
  missed: "missed its time",
  start_failed: "could not be started",
  unhealthy: "failed its health check",
};

/** The exit code of a run whose daemon died under it. */
const daemonDied = -2;

function kindOf(reason: EndReason): NoticeKind {
  if (reason === "timeout" || reason === "crashed" || reason === "missed") return `run.${reason}`;
  return "run.failed";
}

function bodyOf(run: Run, lastLines: readonly string[]): string {
  const lines: string[] = [];
  if (run.error !== undefined) lines.push(run.error);
  // Rows of earlier versions have no sentence for it.
  else if (run.exitCode === daemonDied) lines.push("the daemon died while it ran");
  if (run.exitCode >= 0) lines.push(`exit code ${run.exitCode}${ran(run)}`);
  if (run.retryAttempt > 0) lines.push(`attempt ${run.retryAttempt + 1}`);
  return [...lines, ...quoted(lastLines)].join("\n");
}

function ran({ startedAt, endedAt }: Run): string {
  if (startedAt === undefined || endedAt === undefined) return "";
  return ` after ${durationWords(endedAt - startedAt)}`;
}

function quoted(lines: readonly string[]): string[] {
  const texts = lines.map((line) => readable(line)).filter((text) => text !== "");
  if (texts.length <= 1) return texts.map((text) => `last line: ${text}`);
  return ["last lines:", ...texts.map((text) => `  ${text}`)];
}
