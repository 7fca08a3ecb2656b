import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "@hono/hono";
import type { Auth } from "../auth/auth.ts";
import { isNavigation } from "../auth/browser_marks.ts";
import { rounds } from "../auth/derive.ts";
import type { GuardOptions } from "../auth/guard.ts";
import { problem } from "../problems.ts";
import { newRoute } from "../route.ts";
import { type Env, newRouter } from "../router.ts";
import { isoTime } from "../run_json.ts";
import {
  authStatusSchema,
  challengeSchema,
  launchTicketSchema,
  loginBody,
  sessionSchema,
} from "../schemas/auth.ts";
import { answers, json } from "../schemas/request.ts";

const status = newRoute({
  method: "get",
  path: "/api/auth/status",
  operationId: "getAuthStatus",
  summary: "Tell whether a login is needed",
  tags: ["Login"],
  responses: answers({ 200: json(authStatusSchema, "Whether a login is needed, and whether there was one") }),
});

const challenge = newRoute({
  method: "get",
  path: "/api/auth/challenge",
  operationId: "getLoginChallenge",
  summary: "Get a challenge for a login",
  tags: ["Login"],
  responses: answers({ 200: json(challengeSchema, "A challenge to answer with the password") }),
});

const login = newRoute({
  method: "post",
  path: "/api/auth/login",
  operationId: "login",
  summary: "Log in with the answer to a challenge",
  tags: ["Login"],
  request: { body: { content: { "application/json": { schema: loginBody } }, required: true } },
  responses: answers({ 200: json(sessionSchema, "A session, as a token and as a cookie") }),
});

const logout = newRoute({
  method: "post",
  path: "/api/auth/logout",
  operationId: "logout",
  summary: "End the session",
  tags: ["Login"],
  responses: answers({ 204: { description: "The session is refused from now on" } }),
});

const issueTicket = newRoute({
  method: "post",
  path: "/api/auth/launch-ticket",
  operationId: "createLaunchTicket",
  summary: "Make a ticket that logs one browser in",
  tags: ["Login"],
  responses: answers({
    200: json(launchTicketSchema, "A ticket that logs one browser in, within 60 seconds"),
  }),
});

const redeemTicket = newRoute({
  method: "get",
  path: "/api/auth/launch-ticket",
  operationId: "redeemLaunchTicket",
  summary: "Log a browser in with a ticket",
  tags: ["Login"],
  request: { query: z.object({ ticket: z.string().optional(), redirect: z.string().optional() }) },
  responses: answers({ 303: { description: "Logged in, and on to the page" } }),
});

/** Routes of login and logout. */
export function authRoutes(auth: Auth, { externalUrl }: GuardOptions) {
  const { clock, origin } = auth.setup;
  const router = newRouter();
  // Before anything else of the request is looked at: what is no good counts, too.
  router.get("/api/auth/challenge", limitLogins(auth));
  router.post("/api/auth/login", limitLogins(auth));
  router.get("/api/auth/launch-ticket", limitRedemptions(auth));
  return router
    .openapi(status, async (c) => {
      return c.json({ auth_required: auth.isOn, authenticated: await auth.isAllowed(c) }, 200);
    })
    .openapi(challenge, (c) => {
      return c.json({ nonce: auth.login.challenge(clock.monotonic()), iterations: rounds }, 200);
    })
    .openapi(login, async (c) => {
      const now = clock.monotonic();
      const key = await auth.limitKeyOf(c);
      const isSuspect = auth.failures.isSuspect(key, now);
      const deriver = auth.clientOf(c).isSocket ? undefined : { key, isSuspect };
      if (!(await auth.login.verify(c.req.valid("json"), { now, deriver }))) {
        if (deriver !== undefined) auth.failures.count(key, clock.monotonic());
        const detail = "the login is refused: the password is wrong, or the challenge was used or is too old";
        return problem(c, "login_refused", { detail }) as never;
      }
      auth.failures.clear(key);
      const { token, expiresAt } = await auth.begin(c);
      return c.json({ token, expires_at: isoTime(expiresAt) }, 200);
    })
    .openapi(logout, async (c) => {
      await auth.end(c);
      return c.body(null, 204);
    })
    .openapi(issueTicket, (c) => {
      const ticket = auth.tickets.issue(clock.monotonic());
      const base = (externalUrl() || origin()).replace(/\/+$/, "");
      return c.json({ ticket, url: `${base}/api/auth/launch-ticket?ticket=${ticket}` }, 200);
    })
    .openapi(redeemTicket, async (c) => {
      const { ticket = "", redirect } = c.req.valid("query");
      if (!auth.tickets.redeem(ticket, clock.monotonic())) {
        const detail = "the launch ticket was used or is too old: ask for a new one";
        return problem(c, "login_refused", { detail }) as never;
      }
      await auth.begin(c);
      // Below a path of a proxy only this way leads out of here.
      const isBelow = (URL.parse(externalUrl())?.pathname ?? "/") !== "/";
      return c.redirect(isBelow ? `../..${ownPath(redirect)}` : ownPath(redirect), 303);
    });
}

/** The path to go on to: as asked if a browser can't take it for another site's address, else "/". */
export function ownPath(asked: string | undefined): string {
  // Browsers read "\" as "/", and drop tabs and line breaks before they look.
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (asked === undefined || !asked.startsWith("/") || /[\\\x00-\x1f\x7f]/.test(asked)) return "/";
  const url = URL.parse(asked, "http://svc.invalid");
  if (url === null || url.origin !== "http://svc.invalid") return "/";
  const path = url.pathname + url.search + url.hash;
  return path.startsWith("//") ? "/" : path;
}

/** Refuses challenges and logins where there is nothing to log in to, and clients that ask too often. */
function limitLogins(auth: Auth): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!auth.isOn) {
      return problem(c, "auth_off", { detail: "authentication is off: there is nothing to log in to" });
    }
    const refused = await tooManyLogins(c, auth);
    if (refused !== undefined) return refused;
    await next();
    if (auth.clientOf(c).isSocket) return;
    // Who asks can tell how many tries are left; the name is that of the IETF's draft.
    const left = auth.logins.remaining(await auth.limitKeyOf(c), auth.setup.clock.monotonic());
    c.res.headers.set("ratelimit-remaining", String(left));
  };
}

/** Refuses redemptions of clients that ask too often, and looks at the headers alone, which would use the ticket up. */
function limitRedemptions(auth: Auth): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method === "HEAD") {
      return problem(c, "wrong_method", {
        detail: "a launch ticket is redeemed by GET",
        headers: { allow: "GET, POST" },
      });
    }
    return await tooManyLogins(c, auth) ?? await next();
  };
}

/** Counts a login, a challenge or a redemption; a problem document past the limit. */
async function tooManyLogins(c: Context<Env>, auth: Auth): Promise<Response | undefined> {
  if (auth.clientOf(c).isSocket) return undefined;
  const key = await auth.limitKeyOf(c);
  const now = auth.setup.clock.monotonic();
  const braked = auth.failures.retryAfter(key, now);
  if (braked > 0) {
    return tooMany(c, {
      wait: braked,
      why: "too many logins fail at the moment, and one from here was among them",
    });
  }
  const counted = key + (isNavigation(c) ? ", sent by another site" : "");
  const wait = auth.logins.take(counted, now);
  return wait === 0 ? undefined : tooMany(c, { wait, why: "too many logins from here" });
}

function tooMany(c: Context<Env>, { wait, why }: { wait: number; why: string }): Response {
  return problem(c, "rate_limited", {
    detail: `${why}: try again in ${wait} s`,
    headers: { "retry-after": String(wait) },
  });
}
