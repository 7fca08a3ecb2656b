/** How a finding is to be taken: `warn` is worth a look, `bad` must be mended. */
export type Level = "ok" | "warn" | "bad";

/** One thing that was looked at: what was seen, and what to do where it isn't well. */
export interface Finding {
  /** What was looked at, a word or two. */
  check: string;
  level: Level;
  seen: string;
  advice?: string;
}

/** All is well. */
export function ok(check: string, seen: string): Finding {
  return { check, level: "ok", seen };
}

/** Worth a look. */
export function warn(check: string, seen: string, advice: string): Finding {
  return { check, level: "warn", seen, advice };
}

/** Must be mended. */
export function bad(check: string, seen: string, advice: string): Finding {
  return { check, level: "bad", seen, advice };
}

/** The sentence that ends an examination. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const [bads, warnings] = [count("bad"), count("warn")];
  const parts = [
    ...(bads > 0 ? [`${bads} bad`] : []),
    ...(warnings > 0 ? [`${warnings} worth a look`] : []),
  ];
  const all = `${findings.length} ${findings.length === 1 ? "check" : "checks"}`;
  return parts.length === 0 ? `All well: ${all}.` : `${parts.join(", ")}, of ${all}.`;
}
