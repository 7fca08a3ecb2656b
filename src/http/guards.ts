import { readAtMost } from "../core/bytes.ts";
import type { MiddlewareHandler } from "@hono/hono";
import { clip } from "../core/bounded_problems.ts";
import { brokenBound } from "../core/json_shape.ts";
import type { Env } from "./router.ts";
import { problem } from "./problems.ts";

/** The largest request body, in bytes (docs/http.md#the-http-api). */
export const largestBody = 1024 * 1024;

/** The largest body of a login, in bytes: nobody has proven anything yet. */
export const largestLogin = 4 * 1024;

/** More than any route takes, and than fits into a body as a list of ids. */
const bounds = { depth: 64, members: 10_000, values: 40_000 };

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** Refuses methods that nothing here answers (501), TRACE and CONNECT among them, before anybody makes something of them. */
export const methodGuard: MiddlewareHandler<Env> = async (c, next) => {
  if (methods.has(c.req.method)) return await next();
  return problem(c, "unknown_method", { detail: `no path answers ${clip(c.req.method, 40)}` });
};

/**
 * Refuses bodies that are too large (413), of another media type than JSON (415), or of a shape that no schema has
 * (422), before anything reads them: a parser and a schema take much longer over them than this look does.
 */
export const bodyGuard: MiddlewareHandler<Env> = async (c, next) => {
  const { raw } = c.req;
  if (raw.method === "GET" || raw.method === "HEAD") return await next();
  const encoding = c.req.header("content-encoding") ?? "";
  if (!/^(?:identity)?$/i.test(encoding)) {
    return problem(c, "wrong_media", {
      detail: `the body is compressed (${clip(encoding, 40)}): send it as it is`,
      headers: { "accept-encoding": "identity" },
    });
  }
  const largest = c.req.path.startsWith("/api/auth/") ? largestLogin : largestBody;
  if (Number(c.req.header("content-length") ?? 0) > largest) return tooLarge(c, largest);
  const bytes = raw.body === null ? new Uint8Array() : await readAtMost(raw.body, largest).catch(() => null);
  if (bytes === null) return problem(c, "bad_request", { detail: "the body ended before it was complete" });
  if (bytes === undefined) return tooLarge(c, largest);
  const type = c.req.header("content-type");
  const isJson = type !== undefined && /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
  if (bytes.length > 0 && !isJson) {
    return problem(c, "wrong_media", {
      detail: `the body is "${type ?? "of no stated type"}": send application/json`,
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type ?? "")?.[1];
  if (bytes.length > 0 && charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    return problem(c, "wrong_media", { detail: `the body is in ${clip(charset, 40)}: send UTF-8` });
  }
  const broken = brokenBound(bytes, bounds);
  if (broken !== undefined) {
    const detail = `the body ${broken}: no request is like that`;
    return problem(c, "invalid", { detail, errors: [{ location: "body", message: detail }] });
  }
  // A body that is announced as JSON and empty says as much as an empty object; one of another type, as none.
  if (type !== undefined && !isJson) c.req.raw = withoutType(raw);
  const text = bytes.length === 0 && isJson ? "{}" : new TextDecoder().decode(bytes);
  // Hono keeps promises here, whatever the type says.
  c.req.bodyCache.text = Promise.resolve(text) as unknown as string;
  await next();
};

function withoutType(raw: Request): Request {
  const headers = new Headers(raw.headers);
  headers.delete("content-type");
  return new Request(raw.url, { method: raw.method, headers });
}

function tooLarge(c: Parameters<MiddlewareHandler<Env>>[0], largest: number): Response {
  return problem(c, "too_large", { detail: `the body is larger than ${largest} bytes` });
}
