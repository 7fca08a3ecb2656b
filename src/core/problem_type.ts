import { type FaultCode, faultCodes } from "../fault.ts";

/** Begins the `type` of every problem document that has one; what follows is the code, and its section in docs/errors.md. */
const prefix = "urn:svc:problem:";

/** The `type` of what has no code of its own: its status says it all (RFC 9457, 4.2.1). */
export const untyped = "about:blank";

/** The `type` of a problem document (RFC 9457, 3.1.1): an absolute URI that names the problem, and nothing to be fetched. */
export function problemTypeOf(code: FaultCode): string {
  return prefix + code;
}

/** The code that a `type` names; undefined for any other's, and for a code that only a newer version knows. */
export function faultCodeIn(type: string | undefined): FaultCode | undefined {
  if (type === undefined || !type.startsWith(prefix)) return undefined;
  const name = type.slice(prefix.length);
  return faultCodes.find((code) => code === name);
}
