import { type Finding, type Level, summaryOf } from "../../core/doctor/finding.ts";
import type { MarkName, Role } from "../../core/words.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { wrap } from "../wrap.ts";

/** `svc doctor`: everything that a daemon needs on this machine, and what to do about what is not well. */
export const command = defineCommand({
  needs: "place",
  examples: ["svc doctor", "svc doctor -c /etc/svc/svc.toml --json"],
  exits: [["0", "nothing is bad, though some of it may be worth a look"], ["1", "something is bad"]],
  async run(context) {
    const { locals, flags } = context;
    if (flags.url !== undefined) {
      throw new UsageError("doctor looks at this machine: leave --url out, and run it where the daemon is");
    }
    const findings = await locals.examine(flags);
    const isWell = findings.every(({ level }) => level !== "bad");
    if (flags.json) writeJson(context, { healthy: isWell, findings });
    else writeLines(context, report(findings, context));
    return isWell ? exit.done : exit.failed;
  },
});

const marks: Readonly<Record<Level, { mark: MarkName; role: Role }>> = {
  ok: { mark: "ok", role: "good" },
  warn: { mark: "missed", role: "warn" },
  bad: { mark: "failed", role: "bad" },
};

/** Below this many columns what was seen stands below the name of the check. */
const narrow = 50;

function report(findings: readonly Finding[], { out: style, terminal }: Context): string[] {
  const isNarrow = terminal.width < narrow;
  const column = Math.max(...findings.map(({ check }) => check.length));
  const indent = isNarrow ? 2 : column + 4;
  const room = Math.max(10, terminal.width - indent);
  const below = (text: string): string[] => wrap(text, room).map((line) => " ".repeat(indent) + line);
  const lines = findings.flatMap(({ check, level, seen, advice }) => {
    const { mark, role } = marks[level];
    const head = `${style.paint(style.markNamed(mark), role)} `;
    const advices = advice === undefined ? [] : below(`${style.arrow} ${advice}`);
    if (isNarrow) return [`${head}${check}`, ...below(seen), ...advices];
    const [first = "", ...rest] = below(seen);
    return [`${head}${check.padEnd(column)}  ${first.slice(indent)}`, ...rest, ...advices];
  });
  return [...lines, "", summaryOf(findings)];
}
