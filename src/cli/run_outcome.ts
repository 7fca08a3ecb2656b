import { asLines, withinLine } from "./printable.ts";
import { durationWords } from "../core/time_words.ts";
import { whyNotExecuted } from "../core/words.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { Context } from "./command.ts";
import { exit, tellFailure } from "./failures.ts";
import type { Style } from "./style.ts";
import type { LastingOutputs } from "./terminal.ts";
import { msOf, wordOfRun } from "./unit_words.ts";

/** The run's own code; 1 where it has none, or where it ended badly in spite of a 0. */
export function exitCodeOf(run: RunJson): number {
  if (run.exit_code > 0) return run.exit_code;
  return run.end_reason === "success" && run.exit_code === 0 ? exit.done : exit.failed;
}

/** As `exitCodeOf`, but tells what of the output could not be stored, which is no 0 either. */
export function exitCodeAfter(
  run: RunJson,
  { outputs: { err, lost }, style }: { outputs: LastingOutputs; style: Style },
): number {
  const code = exitCodeOf(run);
  if (lost === undefined) return code;
  const { lines } = tellFailure(lost, { style, debug: false });
  err.write(asLines(lines));
  return code === exit.done ? exit.failed : code;
}

/** How a run has ended, in a line; `where` is added to its id. */
export function outcomeLine(run: RunJson, { err: style }: Context, where: string): string {
  const word = wordOfRun(run);
  const start = msOf(run.start_at);
  const end = msOf(run.end_at);
  const why = run.error ?? (neverExecuted(run) ? whyNotExecuted(run.end_reason) : undefined);
  const took = start === undefined || end === undefined ? "" : ` in ${durationWords(end - start)}`;
  const text = style.paint(word.text, word.role);
  return `${style.mark(word)} ${run.task_name} ${text}${took}${
    why === undefined ? "" : `: ${withinLine(why)}`
  } (run ${run.id}${where})`;
}

/** Whether a run ended before its process was there. */
export function neverExecuted(run: RunJson): boolean {
  return run.status === "ended" && run.exit_code === -1;
}
