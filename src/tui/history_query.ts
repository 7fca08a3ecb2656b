import type { RunsQuery } from "../cli/client.ts";

/** Words that a filter of runs may hold for their states. */
const states: Readonly<Record<string, string>> = {
  queued: "pending",
  pending: "pending",
  running: "running",
  ok: "success",
  success: "success",
  failed: "failed",
  failing: "failed,timeout,crashed,log_overflow,start_failed,missed,queue_full",
  timeout: "timeout",
  crashed: "crashed",
  stopped: "stopped,daemon_stopped",
  skipped: "skipped,dst_skipped,queue_full",
  missed: "missed",
};

/** What a filter of runs asks the daemon for: words for states, all else a text in names and ids. */
export function historyQuery(filter: string): RunsQuery {
  const words = filter.split(/\s+/).filter((word) => word !== "");
  const stated = words.flatMap((word) => Object.hasOwn(states, word) ? [states[word]!] : []);
  const search = words.filter((word) => !Object.hasOwn(states, word)).join(" ");
  return {
    ...(stated.length === 0 ? {} : { status: stated.join(",") }),
    ...(search === "" ? {} : { search }),
  };
}
