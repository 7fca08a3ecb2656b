import { whyNotExecuted } from "../../src/core/words.ts";
import type { Run } from "../data/runs.ts";

/** Why there is nothing in a log, and what will come. */
export function emptyWords(run: Run): { title: string; text: string } {
  if (run.status === "pending") {
    return { title: "It waits for its turn", text: "The log begins when the run starts." };
  }
  if (run.status === "running") return { title: "No output yet", text: "Lines appear here as they come." };
  if (run.exit_code !== -1) return { title: "No output", text: "The process wrote nothing." };
  const why = run.error ?? whyNotExecuted(run.end_reason);
  return {
    title: "It never ran",
    text: why === undefined ? "So there is no output." : `${upperFirst(why)}.`,
  };
}

/** How many lines have come below. */
export function newLinesWords(count: number): string {
  return count === 1 ? "1 new line ↓" : `${grouped(count)} new lines ↓`;
}

/** What was dropped before the first line that is there. */
export function droppedWords(count: number): string {
  return count === 1 ? "1 older line was dropped" : `${grouped(count)} older lines were dropped`;
}

/** A whole number with its digits in groups of three. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
