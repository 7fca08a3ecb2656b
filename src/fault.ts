/**
 * What went wrong, in terms that a caller can act on; each door (HTTP, command line) maps it once, and docs/errors.md
 * tells of each where it comes from and what to do. Names stay: clients know them by the `type` of problem documents.
 */
export const faultCodes = [
  "bad_request", // the request makes no sense
  "session_needed", // log in first
  "login_refused", // the password, challenge or ticket is no good
  "hook_refused", // no hook token of this unit
  "forbidden", // known, but refused
  "not_found", // no such unit, run, file
  "no_route", // this daemon has no such path: it may be of another version
  "wrong_method", // the path is there, and answers others
  "request_timeout", // the request took too long to arrive
  "conflict", // not possible in the present state
  "auth_off", // there is nothing to log in to
  "has_ended", // what was to be stopped has ended already
  "still_active", // it must end first
  "still_ending", // the wait is over, what was asked for goes on
  "too_large", // the body
  "wrong_media", // the body is no plain JSON in UTF-8
  "no_such_range", // of bytes
  "bad_expectation", // in the header Expect
  "invalid", // the input breaks a rule
  "rate_limited", // too often from there
  "header_too_large", // of the request
  "internal", // a failure of the machine: disk, database
  "bug", // a fault of the program's own
  "unknown_method", // no path answers it
  "busy", // all places are taken for the moment
  "stopping", // the daemon ends, or is drained
  "database_refuses", // for the moment
  "unavailable", // the other side can't be reached
  "not_understood", // what answers is of another version, or no svc
] as const;

export type FaultCode = (typeof faultCodes)[number];

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
