import { Fault, type FaultCode, isWithoutLeave, messageOf } from "../fault.ts";
import { withinLine } from "./printable.ts";
import type { Style } from "./style.ts";

/** What the words of a command line can't mean. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** There is no daemon to speak to. Ends with exit code 3. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** What a daemon says to requests that it does not know; no command asks its own version for one in vain. */
const unknownRequest: ReadonlySet<FaultCode> = new Set(["no_route", "wrong_method"]);

/** Whether a failure is one of two programs that don't speak alike, as those of two versions may not. */
export function isMisunderstanding(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError ||
    (error instanceof Fault && unknownRequest.has(error.code));
}

/** Exit codes of every command but `run` (docs/cli.md#the-command-line). */
export const exit = { done: 0, failed: 1, usage: 2, unreachable: 3, authOff: 5 } as const;

/** A failure as the lines that tell it, and the exit code that it means; `withCode` is for programs that read them. */
export function tellFailure(
  error: unknown,
  { style, debug, withCode = false }: { style: Style; debug: boolean; withCode?: boolean },
): { lines: string[]; code: number } {
  const head = `svc: ${style.paint(oneLine(messageOf(error)), "bad")}`;
  if (error instanceof UsageError) return { lines: [head], code: exit.usage };
  if (error instanceof Unreachable) return { lines: [head], code: exit.unreachable };
  if (error instanceof Fault) {
    const forPrograms = withCode ? [`  code: ${error.code}`] : [];
    return { lines: [head, ...detailsOf(error), ...forPrograms], code: exit.failed };
  }
  if (isWithoutLeave(error)) {
    const words = oneLine(`${messageOf(error)}: name another place, with -c, --data or --socket`);
    return { lines: [`svc: ${style.paint(words, "bad")}`, ...stackOf(error, debug)], code: exit.failed };
  }
  const refused = refusedBySystem(error);
  if (refused !== undefined) {
    return {
      lines: [`svc: ${style.paint(oneLine(refused), "bad")}`, ...stackOf(error, debug)],
      code: exit.failed,
    };
  }
  return {
    lines: [
      `svc: ${style.paint(`internal error: ${oneLine(messageOf(error))}`, "bad")}`,
      ...stackOf(error, debug),
    ],
    code: exit.failed,
  };
}

function stackOf(error: unknown, debug: boolean): string[] {
  return debug && error instanceof Error && error.stack !== undefined ? error.stack.split("\n") : [];
}

/** What to do about what systems refuse, by the number of the error (the same on Linux and macOS). */
const cures: Readonly<Record<string, string>> = {
  "1": "run svc as a user who may do that",
  "13": "run svc as a user who may do that, or go to a folder of your own, or name others with -c and --data",
  "23": "too many files are open on this machine",
  "24": "raise the limit of open files (ulimit -n)",
  "28": "make room on that disk",
  "30": "name a place that can be written, with -c or --data",
};

/**
 * A refusal of the operating system that no part of the program has put into words of its own: no fault of the
 * program's, and no riddle. Undefined for everything else.
 */
function refusedBySystem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [all, number = ""] = /\(os error (\d+)\)/.exec(error.message) ?? [];
  if (all === undefined) return undefined;
  const cure = cures[number];
  return `the system refuses: ${error.message.replace(` ${all}`, "")}${
    cure === undefined ? "" : `; ${cure}`
  }`;
}

/** A line for each detail that the message does not tell already. */
function detailsOf({ message: head, details }: Fault): string[] {
  return details.filter(({ message }) => !head.includes(message)).map(({ location, message }) =>
    `  ${location === "" ? "" : `${location}: `}${oneLine(message)}`
  );
}

function oneLine(text: string): string {
  return withinLine(text);
}
