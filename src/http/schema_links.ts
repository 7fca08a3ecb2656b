import type { Context, MiddlewareHandler } from "@hono/hono";
import { matchedRoutes } from "@hono/hono/route";
import { type ApiDescription, schemaPath } from "./description.ts";
import type { Env } from "./router.ts";

/** Puts `$schema`, the address of its JSON Schema, in front of every answer that has a schema of its own. */
export function schemaLinks(description: ApiDescription): MiddlewareHandler<Env> {
  // The router leads a path that is written like a pattern ("/*") through each guard twice.
  const begun = new WeakSet<object>();
  return async (c, next) => {
    const isAgain = begun.has(c);
    begun.add(c);
    await next();
    if (isAgain) return;
    const type = c.res.headers.get("content-type") ?? "";
    const isProblem = type.startsWith("application/problem+json");
    if (!isProblem && !type.startsWith("application/json")) return;
    const name = isProblem
      ? "ErrorModel"
      : description.schemaOf({ method: c.req.method, path: pathOf(c), status: c.res.status });
    if (name === undefined) return;
    const text = await c.res.text();
    if (!text.startsWith("{")) return;
    // The control socket has no address of its own.
    const base = c.req.url.replace(/^http\+unix:/, "http:");
    const link = JSON.stringify(URL.parse(schemaPath(name), base)?.href ?? schemaPath(name));
    const rest = text === "{}" ? "}" : `,${text.slice(1)}`;
    c.res = new Response(`{"$schema":${link}${rest}`, c.res);
  };
}

/** The path of the route that answered, as the router has it: the first with a method, before any that match, too. */
function pathOf(c: Context<Env>): string {
  return matchedRoutes(c).find(({ method }) => method !== "ALL")?.path ?? "";
}
