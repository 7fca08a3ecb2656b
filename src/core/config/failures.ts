import type { EndReason, FailureRule } from "../../types.ts";
import { nearest } from "../nearest.ts";
import { endReasons } from "../run_words.ts";
import { userRegex } from "../user_regex.ts";
import { type Outcome, quoted } from "./values.ts";

/** The reasons that `failures` may name: all ends but success. */
export const failureReasons: readonly EndReason[] = endReasons.filter((reason) => reason !== "success");

/** Reads one item of `failures`: a reason, an exit code "3", a range "10-20", or "output:REGEX". */
export function readFailure(item: string): Outcome<FailureRule> {
  const reason = failureReasons.find((word) => word === item);
  if (reason !== undefined) return { value: { kind: "reason", reason } };
  const codes = /^(\d+)(?:-(\d+))?$/.exec(item);
  if (codes !== null) return readCodes(item, { from: Number(codes[1]), to: Number(codes[2] ?? codes[1]) });
  if (item.startsWith("output:")) return readPattern(item.slice("output:".length));
  const near = nearest(item, failureReasons);
  const hint = near === undefined
    ? `: write a reason (${failureReasons.join(", ")}), an exit code "3", a range "10-20" or "output:REGEX"`
    : `: did you mean "${near}"?`;
  return { fault: `${quoted(item)} is no kind of failure${hint}` };
}

function readCodes(item: string, { from, to }: { from: number; to: number }): Outcome<FailureRule> {
  if (from > 255 || to > 255) return { fault: `${quoted(item)} holds an exit code over 255` };
  if (from > to) return { fault: `the range ${quoted(item)} runs backwards: write "${to}-${from}"` };
  return { value: { kind: "exit", from, to } };
}

function readPattern(pattern: string): Outcome<FailureRule> {
  if (pattern === "") return { fault: '"output:" needs a regular expression behind it' };
  const feature = backtrackingFeature(pattern);
  if (feature !== undefined) {
    return {
      fault:
        `the regular expression ${quoted(pattern)} has ${feature}, which no search in linear time can do: ` +
        "write it without",
    };
  }
  const made = userRegex(pattern);
  if ("problem" in made) return { fault: `${quoted(pattern)} is no regular expression: ${made.problem}` };
  return { value: { kind: "output", pattern } };
}

/** The first part of a pattern that only a backtracking engine can match. */
function backtrackingFeature(pattern: string): string | undefined {
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") {
      at++;
      if (!inClass && /^(?:[1-9]|k<)/.test(pattern.slice(at))) return "a back-reference";
    } else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(" && /^\(\?<?[=!]/.test(pattern.slice(at))) return "a look-around";
  }
  return undefined;
}
