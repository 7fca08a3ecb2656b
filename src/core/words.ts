import type { EndReason, RunStatus } from "../types.ts";
import type { ServiceState } from "./service_state.ts";

/** The one word for a state, said alike in the command line, the terminal UI and the page. */
export interface Word {
  mark: MarkName;
  text: string;
  role: Role;
}

/** What a colour stands for; a state is never told by it alone. */
export type Role = "good" | "bad" | "warn" | "muted" | "accent" | "neutral";

export type MarkName =
  | "queued"
  | "running"
  | "ok"
  | "failed"
  | "stopped"
  | "skipped"
  | "missed"
  | "paused"
  | "fresh"
  | "share0"
  | "share1"
  | "share2"
  | "share3"
  | "share4";

/** Each mark for terminals that know Unicode, and for those that know ASCII only. All are one column wide. */
const marks: Readonly<Record<MarkName, readonly [unicode: string, ascii: string]>> = {
  queued: ["◌", "."],
  running: ["◐", ">"],
  ok: ["✓", "+"],
  failed: ["✕", "x"],
  stopped: ["■", "#"],
  skipped: ["↷", "/"],
  missed: ["!", "!"],
  paused: ["‖", "="],
  fresh: ["·", "-"],
  share0: ["○", "o"],
  share1: ["◔", "%"],
  share2: ["◑", "%"],
  share3: ["◕", "%"],
  share4: ["●", "*"],
};

/** The character of a mark. */
export function markOf(name: MarkName, options: { ascii?: boolean } = {}): string {
  return marks[name][options.ascii ? 1 : 0];
}

/** What is known of a run, as far as its word needs it. `count` is the number of ticks that a missed row stands for. */
export interface RunFacts {
  status: RunStatus;
  /** Set when `status` is `ended`; in either spelling. */
  reason?: EndReason | "succeeded";
  exitCode: number;
  count?: number;
}

/** The word of a run. */
export function runWord({ status, reason, exitCode, count }: RunFacts): Word {
  if (status === "pending") return { mark: "queued", text: "queued", role: "neutral" };
  if (status === "running" || reason === undefined) {
    return { mark: "running", text: "running", role: "accent" };
  }
  switch (reason) {
    case "success":
    case "succeeded":
      return { mark: "ok", text: "ok", role: "good" };
    case "failed":
      return { mark: "failed", text: exitCode > 0 ? `failed (${exitCode})` : "failed", role: "bad" };
    case "crashed": {
      const signal = signalOfExit(exitCode);
      return { mark: "failed", text: signal === undefined ? "crashed" : `crashed (${signal})`, role: "bad" };
    }
    case "timeout":
    case "unhealthy":
      return { mark: "failed", text: reason, role: "bad" };
    case "start_failed":
    case "log_overflow":
      return { mark: "failed", text: reason.replace("_", " "), role: "bad" };
    case "stopped":
    case "daemon_stopped":
      return { mark: "stopped", text: "stopped", role: "muted" };
    case "skipped":
      return { mark: "skipped", text: "skipped", role: "muted" };
    case "queue_full":
      return { mark: "skipped", text: "skipped (queue full)", role: "warn" };
    case "dst_skipped":
      return { mark: "skipped", text: "skipped (clock went back)", role: "muted" };
    case "missed":
      return { mark: "missed", text: count === undefined ? "missed" : `missed (${count})`, role: "warn" };
  }
}

/** Why a run that never executed did not, as the end of a sentence; undefined for a reason that says it all. */
export function whyNotExecuted(reason: EndReason | "succeeded" | undefined): string | undefined {
  if (reason === "skipped") return "it was running at its limit already";
  if (reason === "queue_full") return "its queue is full";
  if (reason === "stopped") return "it was stopped before it started";
  if (reason === "daemon_stopped") return "the daemon stopped before it started";
  if (reason === "dst_skipped") return "this time of day had its run before the clock went back";
  if (reason === "missed") return "the daemon was not running, or the machine slept";
  return undefined;
}

/** What is known of a service, as far as its word needs it. `retryIn`: ms until the next start when it backs off. */
export interface ServiceFacts {
  state: ServiceState;
  healthy: number;
  instances: number;
  retryIn?: number;
}

/** The word of a service; its mark is filled by the share of healthy instances. */
export function serviceWord({ state, healthy, instances, retryIn }: ServiceFacts): Word {
  const mark = shareMark(healthy, instances);
  switch (state) {
    case "running":
      return { mark, text: `up ${healthy}/${instances}`, role: "good" };
    case "degraded":
      return { mark, text: `degraded ${healthy}/${instances}`, role: "warn" };
    case "backing_off": {
      const wait = retryIn === undefined ? "" : ` (${Math.ceil(retryIn / 1000)} s)`;
      return { mark, text: `backing off${wait}`, role: "warn" };
    }
    case "unhealthy":
    case "fatal":
      return { mark: "failed", text: state, role: "bad" };
    case "stopped":
      return { mark: "stopped", text: "stopped", role: "muted" };
    case "starting":
    case "waiting":
      return { mark, text: state, role: "neutral" };
  }
}

/** What is known of a task, as far as its word needs it. */
export interface TaskFacts {
  isPaused: boolean;
  active: number;
  queued: number;
  last?: RunFacts;
}

/** The word of a task: what it does now, else how its last run ended. */
export function taskWord({ isPaused, active, queued, last }: TaskFacts): Word {
  if (active > 0) {
    const text = active === 1 ? "running" : `running ${active}`;
    return { mark: "running", text: queued > 0 ? `${text}, ${queued} queued` : text, role: "accent" };
  }
  if (queued > 0) {
    return { mark: "queued", text: queued === 1 ? "queued" : `queued ${queued}`, role: "neutral" };
  }
  if (isPaused) return { mark: "paused", text: "paused", role: "muted" };
  return last === undefined ? { mark: "fresh", text: "not run yet", role: "muted" } : runWord(last);
}

/** Whether somebody should look at what a word tells. */
export function needsAttention({ role }: Word): boolean {
  return role === "bad" || role === "warn";
}

function shareMark(healthy: number, instances: number): MarkName {
  if (healthy <= 0) return "share0";
  if (healthy >= instances) return "share4";
  const share = healthy / instances;
  return share < 0.375 ? "share1" : share < 0.625 ? "share2" : "share3";
}

/** Numbers that signals have on Linux; the same everywhere for those that end a program. */
const signals: ReadonlyMap<number, string> = new Map([
  [1, "HUP"],
  [2, "INT"],
  [3, "QUIT"],
  [4, "ILL"],
  [5, "TRAP"],
  [6, "ABRT"],
  [7, "BUS"],
  [8, "FPE"],
  [9, "KILL"],
  [10, "USR1"],
  [11, "SEGV"],
  [12, "USR2"],
  [13, "PIPE"],
  [14, "ALRM"],
  [15, "TERM"],
  [24, "XCPU"],
  [25, "XFSZ"],
  [31, "SYS"],
]);

/** The signal that an exit code of 128 + n stands for, without "SIG". */
function signalOfExit(exitCode: number): string | undefined {
  if (exitCode <= 128) return undefined;
  return signals.get(exitCode - 128) ?? String(exitCode - 128);
}
