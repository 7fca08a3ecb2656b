/** What went wrong, in terms that a caller can act on; each door (HTTP, command line) maps it once. */
export type FaultCode =
  | "bad_request" // the request makes no sense
  | "invalid" // the input breaks a rule
  | "not_found" // no such unit, run, file
  | "forbidden" // known, but refused
  | "conflict" // not possible in the present state
  | "unavailable" // the other side can't be reached, or is stopping
  | "internal"; // a failure of the machine: disk, database

/** One broken rule inside an input: where (`body.params.size`, `query.limit`) and why. */
export interface FaultDetail {
  location: string;
  message: string;
  value?: unknown;
}

/**
 * A failure that a user must be told. The message says what was attempted, with which value, and
 * what to do; it has no full stop and no secrets. Programming errors are `TypeError` or `RangeError`.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly details: FaultDetail[];

  constructor(code: FaultCode, message: string, details: FaultDetail[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The message of anything that was thrown, without a stack. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return isWithoutLeave(thrown) ? wordsWithoutLeave(thrown.message) : thrown.message;
}

/** Whether the runtime refused something that the program was not started with the right to. */
export function isWithoutLeave(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "NotCapable";
}

/** The runtime's own words name flags of its own, which nobody who runs this program can give. */
function wordsWithoutLeave(message: string): string {
  const [, right = "", what = ""] = /^Requires (\w+) access to (.*?)(?:, (?:specify|run again) .*)?$/s
    .exec(message) ?? [];
  if (right === "all") return `svc takes nothing that lies in ${what}`;
  if (right === "write") return `svc may not write ${what}, which belongs to the system`;
  return right === "" ? "svc may not do that" : `svc has no right to ${right} ${what}`;
}
