import { RE2JS } from "re2js";
import type { LogWriter } from "../io/logs/writer.ts";
import type { FailureRule } from "../types.ts";

/**
 * Watches a run's output for the `output:` rules of its unit; the result tells whether a line has matched.
 * The patterns are the user's, so a linear-time engine runs them.
 */
export function watchOutput(log: LogWriter, rules: readonly FailureRule[]): () => boolean {
  const patterns = rules.flatMap((rule) => rule.kind === "output" ? [RE2JS.compile(rule.pattern)] : []);
  if (patterns.length === 0) return () => false;
  let matched = false;
  const unsubscribe = log.subscribe((lines) => {
    for (const line of lines) {
      if (line.stream === "system" || !patterns.some((pattern) => pattern.matcher(line.text).find())) {
        continue;
      }
      matched = true;
      unsubscribe();
      return;
    }
  });
  return () => matched;
}
