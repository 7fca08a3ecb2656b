import type { Context } from "@hono/hono";
import { HTTPException } from "@hono/hono/http-exception";
import type { ContentfulStatusCode } from "@hono/hono/utils/http-status";
import { BoundedProblems, clip } from "../core/bounded_problems.ts";
import { refusalOf } from "../core/refusal.ts";
import { Fault, type FaultCode, type FaultDetail } from "../fault.ts";
import type { ProblemJson } from "./schemas/problem.ts";

/** The one map from what went wrong to an HTTP status. */
const statusOf: Record<FaultCode, ContentfulStatusCode> = {
  bad_request: 400,
  invalid: 422,
  not_found: 404,
  forbidden: 403,
  conflict: 409,
  unavailable: 503,
  internal: 500,
};

const titles: Record<number, string> = {
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
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

/** Longest `detail`, in characters. */
const longestDetail = 2000;

/** Answers with a problem document (RFC 9457). */
export function problem(
  c: Context,
  status: ContentfulStatusCode,
  options: { detail: string; errors?: readonly FaultDetail[]; headers?: Record<string, string> },
): Response {
  const document: ProblemJson = {
    type: "about:blank",
    title: titles[status] ?? "Error",
    status,
    // It may repeat what a request holds: an answer is never much larger than that.
    detail: clip(options.detail, longestDetail),
    ...(options.errors === undefined || options.errors.length === 0 ? {} : { errors: [...options.errors] }),
  };
  return c.body(JSON.stringify(document), status, {
    "content-type": "application/problem+json",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(status === 503 ? { "retry-after": "5" } : {}),
    ...options.headers,
  });
}

/** Turns anything that a route threw into a problem document; what is no user's fault is reported and told without details. */
export function onError(report: (error: Error) => void): (error: Error, c: Context) => Response {
  return (error, c) => {
    if (error instanceof Fault) {
      return problem(c, statusOf[error.code], { detail: error.message, errors: error.details });
    }
    if (error instanceof HTTPException) {
      return problem(c, error.status as ContentfulStatusCode, {
        detail: error.message || "the request is not understood",
      });
    }
    const refusal = refusalOf(error);
    if (refusal !== undefined) {
      return problem(c, 503, {
        detail: `the daemon's database refuses at the moment (${refusal}): try again`,
      });
    }
    report(error);
    return problem(c, 500, { detail: "an internal error; the daemon's log tells more" });
  };
}

/** A finding of a schema check over some part of a request. */
export interface Finding {
  path: PropertyKey[];
  message: string;
  code: string;
  input?: unknown;
  keys?: string[];
}

/**
 * The findings of a schema check as error details: `body.params.size`, `query.limit`, `path.taskName`; a hundred at
 * most, and how many more there are.
 */
export function detailsOf(target: string, findings: readonly Finding[]): FaultDetail[] {
  const root = target === "json" ? "body" : target === "param" ? "path" : target;
  const problems = new BoundedProblems();
  for (const finding of findings) {
    const at = [root, ...finding.path.map((part) => clip(String(part)))].join(".")
      .replace(/\.(\d+)(?=\.|$)/g, "[$1]");
    if (finding.code === "unrecognized_keys" && finding.keys !== undefined) {
      for (const key of finding.keys) {
        problems.add({ location: `${at}.${clip(key)}`, message: `unknown field "${clip(key)}"` });
      }
      continue;
    }
    const value = finding.input;
    const isPlain = value === null || ["string", "number", "boolean"].includes(typeof value);
    problems.add({ location: at, message: finding.message, ...(isPlain ? { value } : {}) });
  }
  return problems.list();
}
