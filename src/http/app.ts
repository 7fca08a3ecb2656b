import type { Context } from "@hono/hono";
import type { Engine } from "../engine/engine.ts";
import type { DaemonFacts } from "./facts.ts";
import { assetRoutes } from "./assets.ts";
import { bodyGuard } from "./guards.ts";
import { onError, problem } from "./problems.ts";
import { type Env, newRouter } from "./router.ts";
import { daemonRoutes } from "./routes/daemon.ts";
import { runRoutes } from "./routes/runs.ts";
import { taskRoutes } from "./routes/tasks.ts";

/** All of HTTP as one function from request to response; `c.env.peer` must be handed to `fetch`. */
export function createApp(engine: Engine, facts: DaemonFacts) {
  const app = newRouter();
  app.onError(onError(facts.report));
  app.use(bodyGuard);
  const routed = app
    .route("/", daemonRoutes(engine, facts))
    .route("/", taskRoutes(engine))
    .route("/", runRoutes(engine));
  app.route("/", assetRoutes());
  app.notFound(unknownPath(app.routes));
  return routed;
}

/** The type by which clients know the routes. */
export type App = ReturnType<typeof createApp>;

/** 405 with the methods that the path has, else 404. */
function unknownPath(routes: readonly { method: string; path: string }[]): (c: Context<Env>) => Response {
  const known = routes.filter(({ method, path }) => method !== "ALL" && !path.includes("*")).map((
    { method, path },
  ) => ({
    method,
    pattern: new RegExp(
      `^${path.split("/").map((part) => part.startsWith(":") ? "[^/]+" : RegExp.escape(part)).join("/")}$`,
    ),
  }));
  return (c) => {
    const methods = [
      ...new Set(known.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)),
    ];
    if (methods.length === 0) return problem(c, 404, { detail: `no such path "${c.req.path}"` });
    const detail = `${c.req.path} does not answer ${c.req.method}, only ${methods.join(", ")}`;
    return problem(c, 405, { detail, headers: { allow: methods.join(", ") } });
  };
}
