import { type UserRegex, userRegex } from "../../core/user_regex.ts";
import type { LogWriter } from "../../io/logs/writer.ts";
import type { FailureRule } from "../../types.ts";

/**
 * Watches a run's output for the `output:` rules of its unit; the result tells whether a line has matched. `hasMatched`:
 * one did before; `told` hears of the first.
 * The patterns are the user's, so a linear-time engine runs them.
 */
export function watchOutput(
  log: LogWriter,
  rules: readonly FailureRule[],
  { hasMatched = false, told }: { hasMatched?: boolean; told: () => void },
): () => boolean {
  const patterns = rules.flatMap((rule) => rule.kind === "output" ? regexOf(rule.pattern) : []);
  if (hasMatched || patterns.length === 0) return () => hasMatched;
  let matched = false;
  const unsubscribe = log.subscribe((lines) => {
    for (const line of lines) {
      if (line.stream === "system" || !patterns.some((pattern) => pattern.test(line.text))) continue;
      matched = true;
      unsubscribe();
      told();
      return;
    }
  });
  return () => matched;
}

/** The configuration was refused if it could not be made ready. */
function regexOf(pattern: string): UserRegex[] {
  const made = userRegex(pattern);
  return "regex" in made ? [made.regex] : [];
}
