import type { ContentfulStatusCode } from "@hono/hono/utils/http-status";
import { clip } from "../core/bounded_problems.ts";
import { problemTypeOf, untyped } from "../core/problem_type.ts";
import type { FaultCode, FaultDetail } from "../fault.ts";
import type { ProblemJson } from "./schemas/problem.ts";

/** The one map from what went wrong to an HTTP status. */
export const statusOf: Readonly<Record<FaultCode, ContentfulStatusCode>> = {
  bad_request: 400,
  session_needed: 401,
  login_refused: 401,
  hook_refused: 401,
  forbidden: 403,
  not_found: 404,
  no_route: 404,
  wrong_method: 405,
  request_timeout: 408,
  conflict: 409,
  auth_off: 409,
  has_ended: 409,
  still_active: 409,
  still_ending: 409,
  too_large: 413,
  wrong_media: 415,
  no_such_range: 416,
  bad_expectation: 417,
  invalid: 422,
  rate_limited: 429,
  header_too_large: 431,
  internal: 500,
  bug: 500,
  unknown_method: 501,
  busy: 503,
  stopping: 503,
  database_refuses: 503,
  unavailable: 503,
  not_understood: 500,
};

/** The same for all problems of a status, and so for all of a type, which has one status. */
const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

/** Longest `detail`, in characters. */
const longestDetail = 2000;

/** A problem document (RFC 9457) of a fault code, or of a bare status, which then says it all. */
export function problemJson(
  what: FaultCode | ContentfulStatusCode,
  { detail, errors = [] }: { detail: string; errors?: readonly FaultDetail[] },
): ProblemJson & { status: ContentfulStatusCode; title: string } {
  const status = typeof what === "number" ? what : statusOf[what];
  return {
    type: typeof what === "number" ? untyped : problemTypeOf(what),
    title: titles[status] ?? "Error",
    status,
    // It may repeat what a request holds: an answer is never much larger than that.
    detail: clip(detail, longestDetail),
    ...(errors.length === 0 ? {} : { errors: [...errors] }),
  };
}
