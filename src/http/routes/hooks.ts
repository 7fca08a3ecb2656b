import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "@hono/hono";
import type { Engine } from "../../engine/engine.ts";
import type { HookAction } from "../../types.ts";
import { actionRoute, launchUnit, runRoute, runTask, stopUnit, WaitRefused } from "../actions.ts";
import type { Auth } from "../auth/auth.ts";
import { bearerToken } from "../auth/client.ts";
import { type GuardOptions, refusedHost } from "../auth/guard.ts";
import { HookTokens } from "../auth/hook_tokens.ts";
import { bodyGuard } from "../guards.ts";
import { problem } from "../problems.ts";
import { type Env, newRouter } from "../router.ts";
import { actionRunJson } from "../run_json.ts";
import type { ProblemJson } from "../schemas/problem.ts";

const token = {
  token: z.string().optional().openapi({
    description: "The hook token, for callers that can only set an address; a header wins",
  }),
};
const run = runRoute("/api/hooks/tasks/{taskName}/run", token);
const start = actionRoute("/api/hooks/tasks/{taskName}/start", token);
const stop = actionRoute("/api/hooks/tasks/{taskName}/stop", token);
const restart = actionRoute("/api/hooks/tasks/{taskName}/restart", token);

/** How a hook calls a unit: `api_trigger` is for people, its tokens are the unit's own leave. */
const byHook = { trigger: "hook", byHook: true } as const;

/** Routes that other programs call with a hook token of the unit. They bring their own body guard: the token comes first. */
export function hookRoutes(engine: Engine, auth: Auth, options: GuardOptions) {
  const mask = (unit: string, text: string): string => engine.masked(unit, text);
  const router = newRouter();
  const tokens = new HookTokens(() => engine.config);
  for (const action of ["run", "start", "stop", "restart"] as const) {
    const path = `/api/hooks/tasks/:taskName/${action}`;
    router.use(path, onPost(hookGuard(action, { auth, tokens, ...options })));
    router.use(path, onPost(asInvalid));
    router.use(path, onPost(bodyGuard));
  }
  return router
    .openapi(run, async (c) => {
      const { taskName: name } = c.req.valid("param");
      const { params } = c.req.valid("json") ?? {};
      const started = await runTask(engine, { name, ...byHook, ...c.req.valid("query"), params });
      return c.json(actionRunJson(started, mask), 201);
    })
    .openapi(start, async (c) => {
      const { taskName: name } = c.req.valid("param");
      const run = await launchUnit(engine, "start", { name, ...byHook, ...c.req.valid("query") });
      return run === undefined ? c.body(null, 204) : c.json(actionRunJson(run, mask), 200);
    })
    .openapi(restart, async (c) => {
      const { taskName: name } = c.req.valid("param");
      const run = await launchUnit(engine, "restart", { name, ...byHook, ...c.req.valid("query") });
      return run === undefined ? c.body(null, 204) : c.json(actionRunJson(run, mask), 200);
    })
    .openapi(stop, async (c) => {
      const { taskName: name } = c.req.valid("param");
      await stopUnit(engine, { name, byHook: true, ...c.req.valid("query") });
      return c.body(null, 204);
    });
}

/** Lock-out first, then the token, then what it allows: who has no token learns nothing, not even which units there are. */
function hookGuard(
  action: HookAction,
  { auth, tokens, ...options }: { auth: Auth; tokens: HookTokens } & GuardOptions,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { isSocket } = auth.clientOf(c);
    const now = auth.setup.clock.monotonic();
    // Whose connection it is costs a look: nobody asks where nothing is counted.
    const isQuiet = isSocket || auth.rejectedHooks.isQuiet(now);
    const wait = isQuiet ? 0 : auth.rejectedHooks.retryAfter(await auth.limitKeyOf(c), now);
    if (wait > 0) {
      return problem(c, "rate_limited", {
        detail: `too many calls with a wrong hook token: try again in ${wait} s`,
        headers: { "retry-after": String(wait) },
      });
    }
    const allowed = tokens.allowed(c.req.param("taskName") ?? "", tokenOf(c));
    if (allowed === undefined) {
      if (!isSocket) auth.rejectedHooks.count(await auth.limitKeyOf(c), now);
      return problem(c, "hook_refused", {
        detail: "no hook token of this unit: send one as Authorization: Bearer",
      });
    }
    if (!allowed.has(action)) {
      return problem(c, "forbidden", { detail: `this hook token does not allow to ${action}` });
    }
    const refused = auth.isOn ? undefined : await refusedHost(c, auth, options);
    if (refused !== undefined) return refused;
    return await next();
  };
}

/** A token in the query counts only where there is no Authorization header at all. */
function tokenOf(c: Context<Env>): string | undefined {
  return c.req.header("authorization") === undefined ? c.req.query("token") : bearerToken(c);
}

/** Hook routes say 422 where others say 400, 409 or 415 to the request itself; a refused wait keeps its status. */
const asInvalid: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  if (![400, 409, 415].includes(c.res.status) || c.error instanceof WaitRefused) return;
  const { detail = "the request is not understood", errors }: ProblemJson = await c.res.json();
  c.res = undefined;
  c.res = problem(c, "invalid", {
    detail,
    errors: (errors ?? []).map(({ location = "", message = "", value }) => ({ location, message, value })),
  });
};

function onPost(handler: MiddlewareHandler<Env>): MiddlewareHandler<Env> {
  return async (c, next) => c.req.method === "POST" ? await handler(c, next) : await next();
}
