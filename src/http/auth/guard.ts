import type { Context, MiddlewareHandler } from "@hono/hono";
import { problem } from "../problems.ts";
import type { Env } from "../router.ts";
import type { Auth } from "./auth.ts";
import { isFromBrowser, isNavigation, isOfAnotherSite } from "./browser_marks.ts";
import { hostOf, isKnownHost, unknownHost } from "./hosts.ts";

/** What the guards know besides authentication: the address under which people reach the page, or "". */
export interface GuardOptions {
  externalUrl: () => string;
}

/** Hook routes bring a token of their own, and are checked by it first. */
const hookPath = /^\/api\/hooks(?:\/|$)/;
/** They look after themselves: login is for those who have no session, the others know their own callers. */
const selfGuarded =
  /^\/api\/(?:auth\/(?:status|challenge|login|logout)|daemon\/identity|local\/(?:credentials|debug))$/;
const loginPath = /^\/api\/auth\//;
const ticketPath = "/api/auth/launch-ticket";
const guarded = /^\/(?:api(?:\/|$)|openapi\.json$|docs(?:\/|$)|schemas(?:\/|$))/;

/**
 * Refuses who doesn't belong, before a request's body is read and before anything is counted: hosts that are not this
 * one (DNS rebinding), requests that another site made a browser send, and all that need a session and have none.
 */
export function authGuard(auth: Auth, options: GuardOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.env.peer.kind === "socket" || hookPath.test(c.req.path)) return await next();
    const refused = await refusedHost(c, auth, options) ?? refusedLogin(c, options) ??
      refusedOrigin(c, auth, options);
    if (refused !== undefined) return refused;
    if (credentialFor(c.req.path, c.req.method) === "session" && !(await auth.isAllowed(c))) {
      return problem(c, "session_needed", { detail: `"${c.req.path}" needs a session: log in first` });
    }
    return await next();
  };
}

/**
 * A problem document for a host that is none of this machine's. With authentication on, programs may use any: only
 * what comes by cookie or otherwise from a browser, and without a token of its own, is refused.
 */
export async function refusedHost(
  c: Context<Env>,
  auth: Auth,
  { externalUrl }: GuardOptions,
): Promise<Response | undefined> {
  if (c.env.peer.kind === "socket" || c.req.path === "/health") return undefined;
  if (isKnownHost(c, { hostNames: auth.setup.hostNames, externalUrl })) return undefined;
  if (!auth.isOn) return unknownHost(c);
  if (!auth.isByCookie(c)) {
    if (!isFromBrowser(c, { strictly: c.req.path === "/metrics" })) return undefined;
    // Not any token: a page can make one up.
    if (await auth.session(c) !== undefined) return undefined;
  }
  return unknownHost(c);
}

/**
 * A problem document for what another site made a browser send to the login: it would use up the tries of its user. To
 * go to the address of a launch ticket is no such thing.
 */
function refusedLogin(c: Context<Env>, options: GuardOptions): Response | undefined {
  if (!loginPath.test(c.req.path)) return undefined;
  if (c.req.path === ticketPath && isNavigation(c)) return undefined;
  if (isOfAnotherSite(c)) return foreign(c, "another site");
  if (c.req.path === ticketPath) return undefined;
  const from = senderOf(c);
  return from === undefined || isOwnOrigin(from, { c, ...options }) ? undefined : foreign(c, from);
}

/**
 * A problem document for a request that another site may have made a browser send: for one that changes something, and
 * for one that only asks, since that may be a search, or a stream that takes one of its user's places.
 */
function refusedOrigin(c: Context<Env>, auth: Auth, options: GuardOptions): Response | undefined {
  if (["GET", "HEAD", "OPTIONS"].includes(c.req.method)) {
    const isPast = !guarded.test(c.req.path) || isNavigation(c);
    return isOfAnotherSite(c) && !isPast ? foreign(c, "another site") : undefined;
  }
  const from = senderOf(c);
  const isOwn = from !== undefined && isOwnOrigin(from, { c, ...options });
  if (auth.isByCookie(c) && c.req.path !== "/api/auth/login") {
    return isOwn ? undefined : foreign(c, from ?? "");
  }
  if (from !== undefined && !isOwn) return foreign(c, from);
  if (isOfAnotherSite(c)) return foreign(c, "another site");
  return undefined;
}

/** The page that made a browser send a request, as its headers tell it: a browser, or a page, may leave one of them out. */
function senderOf(c: Context<Env>): string | undefined {
  return c.req.header("origin") ?? (c.req.header("referer") || undefined);
}

function foreign(c: Context<Env>, from: string): Response {
  const said = from === "" ? "does not say from which page it comes" : `comes from "${from}"`;
  return problem(c, "forbidden", {
    detail:
      `the request ${said}: with a session cookie, and from a browser, only this daemon's own pages may ` +
      "use the API; set external_url in [daemon] if they are served under another address",
  });
}

/** Whether an origin (or an address of it) has the host and port that the request went to, or those of `external_url`. */
function isOwnOrigin(from: string, { c, externalUrl }: { c: Context<Env> } & GuardOptions): boolean {
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  const external = URL.parse(externalUrl());
  if (external !== null && external.host === url.host && external.protocol === url.protocol) return true;
  // Parsed with the origin's own scheme, so that a default port is left out on both sides.
  return URL.parse(`${url.protocol}//${hostOf(c).withPort}`)?.host === url.host;
}

/** What a request must bring where authentication is on: a session, a hook token of the unit, or nothing. */
export function credentialFor(path: string, method: string): "session" | "hook" | "none" {
  if (hookPath.test(path)) return "hook";
  const isRedemption = path === ticketPath && (method === "GET" || method === "HEAD");
  return guarded.test(path) && !selfGuarded.test(path) && !isRedemption ? "session" : "none";
}
