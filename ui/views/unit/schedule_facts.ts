import { formatDuration } from "../../../src/core/duration.ts";
import type { Unit } from "../../data/units.ts";

/** What the schedule of a task does beside its ticks, each as a name and a sentence. */
export function scheduleFacts(unit: Unit, expectEvery: number | "auto" | undefined): Array<[string, string]> {
  const { jitter = 0, max_concurrent: most = 1 } = unit;
  return [
    ...(unit.run_on_start ? [["At start", "also runs once when the daemon starts"] as [string, string]] : []),
    ["Jitter", jitter === 0 ? "none: starts at its tick" : `starts up to ${span(jitter)} later`],
    ["Missed ticks", catchUpWords(unit)],
    ["Overlap", overlapWords(unit, most)],
    [
      "Expected",
      expectEvery === "auto"
        ? "a success after each tick, or a notice"
        : expectEvery
        ? `a success every ${span(expectEvery)}, or a notice`
        : "no notice when it stays away",
    ],
  ];
}

function catchUpWords({ catch_up, max_catch_up_runs: most }: Unit): string {
  if (catch_up === "skip") return "are not made up for";
  if (catch_up === "all") return `are all made up for, ${most ?? 100} at most`;
  return "the latest one is made up for";
}

function overlapWords({ on_overlap, queue_max }: Unit, most: number): string {
  const limit = most === 1 ? "one run at a time" : `up to ${most} runs at a time`;
  if (on_overlap === "skip") return `${limit}; one more is skipped`;
  if (on_overlap === "terminate") return `${limit}; one more ends the oldest`;
  return queue_max === 0 ? `${limit}; none may wait` : `${limit}; up to ${queue_max ?? 100} more wait`;
}

function span(nanoseconds: number): string {
  return formatDuration(nanoseconds / 1e6);
}
