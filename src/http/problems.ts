import type { Context } from "@hono/hono";
import { HTTPException } from "@hono/hono/http-exception";
import type { ContentfulStatusCode } from "@hono/hono/utils/http-status";
import { BoundedProblems, clip } from "../core/bounded_problems.ts";
import { refusalOf } from "../core/refusal.ts";
import { Fault, type FaultCode, type FaultDetail } from "../fault.ts";
import { problemJson } from "./problem_json.ts";

/** Answers with a problem document (RFC 9457) of a fault code, or of a bare status, which then says it all. */
export function problem(
  c: Context,
  what: FaultCode | ContentfulStatusCode,
  { headers, ...told }: {
    detail: string;
    errors?: readonly FaultDetail[];
    headers?: Record<string, string>;
  },
): Response {
  const document = problemJson(what, told);
  const { status } = document;
  return c.body(JSON.stringify(document), status, {
    "content-type": "application/problem+json",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(status === 503 ? { "retry-after": "5" } : {}),
    ...headers,
  });
}

/** Turns anything that a route threw into a problem document; what is no user's fault is reported and told without details. */
export function onError(report: (error: Error) => void): (error: Error, c: Context) => Response {
  return (error, c) => {
    if (error instanceof Fault) {
      return problem(c, error.code, { detail: error.message, errors: error.details });
    }
    if (error instanceof HTTPException) {
      const status = error.status as ContentfulStatusCode;
      return problem(c, status === 400 ? "bad_request" : status, {
        detail: error.message || "the request is not understood",
      });
    }
    const refusal = refusalOf(error);
    if (refusal !== undefined) {
      return problem(c, "database_refuses", {
        detail: `the daemon's database refuses at the moment (${refusal}): try again`,
      });
    }
    report(error);
    return problem(c, "bug", { detail: "an internal error; the daemon's log tells more" });
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
