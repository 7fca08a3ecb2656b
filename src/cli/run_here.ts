import { type Context, writeJson } from "./command.ts";
import { UsageError } from "./failures.ts";
import { exitCodeAfter, outcomeLine } from "./run_outcome.ts";
import { LastingOutputs } from "./terminal.ts";

/** The byte of a line feed. */
const lineEnd = 10;

/**
 * Runs a task without a daemon. What it prints goes through byte for byte, as if it had been called by hand; what
 * a daemon would note in its log goes to standard error. Answers the exit code.
 */
export async function runHere(
  context: Context,
  { task, params }: { task: string; params: Record<string, string> },
): Promise<number> {
  const { terminal, err: style, flags, locals } = context;
  if (flags.url !== undefined) {
    throw new UsageError("--standalone runs the task on this machine: leave --url out");
  }
  const isQuiet = flags.json === true;
  const outputs = new LastingOutputs(terminal);
  let isMidLine = false;
  const say = (line: string): void => {
    // On a screen both streams share, a line that has no end yet must not be gone on with.
    const end = isMidLine && terminal.out.isTerminal && terminal.err.isTerminal ? "\n" : "";
    isMidLine = false;
    outputs.err.write(`${end}${line}\n`);
  };
  const run = await locals.runStandalone(flags, {
    task,
    params,
    echo: {
      output: (stream, bytes) => {
        if (isQuiet) return;
        if (bytes.length > 0) isMidLine = bytes.at(-1) !== lineEnd;
        (stream === "stdout" ? outputs.out : outputs.err).writeBytes(bytes);
      },
      say: (text) => {
        if (!isQuiet) say(style.paint(text, "italic"));
      },
    },
    onInterrupt: terminal.onInterrupt,
  });
  if (isQuiet) writeJson({ terminal: outputs }, { run });
  say(outcomeLine(run, context, ", standalone"));
  return exitCodeAfter(run, { outputs, style });
}
