import type { EndReason, Run, RunStatus, Trigger } from "../types.ts";

/** The reasons of the camelCase spelling, as the API has them beside those of the snake_case form (tests/contract/http-api.md). */
export const camelReasons = [
  "succeeded",
  "failed",
  "stopped",
  "timeout",
  "crashed",
  "skipped",
  "log_overflow",
  "queue_full",
  "dst_skipped",
  "daemon_stopped",
  "missed",
  "start_failed",
  "unhealthy",
] as const;

/** The reasons of the snake_case spelling: no `unhealthy`, and `success`. */
export const snakeReasons = [
  "success",
  "failed",
  "stopped",
  "timeout",
  "crashed",
  "skipped",
  "log_overflow",
  "queue_full",
  "dst_skipped",
  "daemon_stopped",
  "missed",
  "start_failed",
] as const;

export const camelTriggers = ["cron", "api", "ui", "cli", "station", "service", "startup", "hook"] as const;
export const snakeTriggers = ["cron", "api", "cloud", "service", "startup"] as const;

export type CamelReason = (typeof camelReasons)[number];
export type SnakeReason = (typeof snakeReasons)[number];
export type SnakeTrigger = (typeof snakeTriggers)[number];

export const statuses: readonly RunStatus[] = ["pending", "running", "ended"];

export const endReasons: readonly EndReason[] = [...snakeReasons, "unhealthy"];

export function camelReason(reason: EndReason): CamelReason {
  return reason === "success" ? "succeeded" : reason;
}

/** Contract 3.6: the snake_case form has no `unhealthy`; it shows `failed`. */
export function snakeReason(reason: EndReason): SnakeReason {
  return reason === "unhealthy" ? "failed" : reason;
}

/** Contract 3.6: the snake_case form shows `ui`, `cli` and `hook` as `api`, and `station` as `cloud`. */
export function snakeTrigger(trigger: Trigger): SnakeTrigger {
  if (trigger === "ui" || trigger === "cli" || trigger === "hook") return "api";
  return trigger === "station" ? "cloud" : trigger;
}

/** The triggers that a word of either spelling finds; undefined for an unknown word. */
export function triggersOf(word: string, spelling: "snake" | "camel"): Trigger[] | undefined {
  if (spelling === "camel") {
    return (camelTriggers as readonly string[]).includes(word) ? [word as Trigger] : undefined;
  }
  if (!(snakeTriggers as readonly string[]).includes(word)) return undefined;
  if (word === "api") return ["api", "ui", "cli", "hook"];
  return [word === "cloud" ? "station" : word as Trigger];
}

/** What one word of a status filter finds: a phase, or reasons (`failed` finds `unhealthy` too); undefined for an unknown word. */
export function statusWord(word: string): { status: RunStatus } | { reasons: EndReason[] } | undefined {
  if ((statuses as readonly string[]).includes(word)) return { status: word as RunStatus };
  if (word === "failed") return { reasons: ["failed", "unhealthy"] };
  if (word === "succeeded") return { reasons: ["success"] };
  return (endReasons as readonly string[]).includes(word) ? { reasons: [word as EndReason] } : undefined;
}

/** Whether nothing more will happen to a run. */
export function isEnded(run: Run): boolean {
  return run.status === "ended";
}
