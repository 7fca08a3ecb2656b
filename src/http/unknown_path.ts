import type { Context } from "@hono/hono";
import { pageAnswer } from "./assets.ts";
import { problem } from "./problems.ts";
import type { Env } from "./router.ts";

/** Paths that are no views of the page: the API, and files, which have an ending; names of units may have one, too. */
const noView = /^\/(?:api|assets|schemas)(?:\/|$)|^(?!\/units\/[^/]+$).*\.[^/]*$/;

/** What no route answers: 405 with the methods that the path has; the page for a browser's view; else 404. */
export function unknownPath(
  routes: readonly { method: string; path: string }[],
): (c: Context<Env>) => Response | Promise<Response> {
  const known = routes.filter(({ method, path }) => method !== "ALL" && !path.includes("*")).map(
    ({ method, path }) => ({ method, pattern: patternOf(path) }),
  );
  return (c) => {
    const { path, method } = c.req;
    const methods = [...new Set(known.filter(({ pattern }) => pattern.test(path)).map((one) => one.method))];
    if (methods.length > 0) {
      const detail = `${path} does not answer ${method}, only ${methods.join(", ")}`;
      return problem(c, "wrong_method", { detail, headers: { allow: methods.join(", ") } });
    }
    const isBrowser = method === "GET" && /\btext\/html\b/.test(c.req.header("accept") ?? "");
    if (isBrowser && !noView.test(path)) return pageAnswer(c);
    return problem(c, "no_route", { detail: `no such path "${path}"` });
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => part.startsWith(":") ? "[^/]+" : RegExp.escape(part));
  return new RegExp(`^${parts.join("/")}$`);
}
