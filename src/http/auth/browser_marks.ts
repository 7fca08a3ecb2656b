import type { Context } from "@hono/hono";
import type { Env } from "../router.ts";

/** Whether a browser says that a page of another site, or of another port of this host, made it send the request. */
export function isOfAnotherSite(c: Context<Env>): boolean {
  return /^(?:cross-site|same-site)$/i.test(c.req.header("sec-fetch-site") ?? "");
}

/** Whether another site, or a local file, made a browser go here itself: what is answered is seen by nobody but its user. */
export function isNavigation(c: Context<Env>): boolean {
  return isOfAnotherSite(c) && c.req.header("sec-fetch-mode") === "navigate" &&
    c.req.header("sec-fetch-dest") === "document";
}

/** Headers that browsers send and programs hardly do. */
const marks = ["origin", "referer", "cookie", "sec-fetch-site", "sec-fetch-dest"];

/**
 * Whether a request looks as if a browser sent it: a page can take a few of the marks away, never all. `strictly` takes
 * every language for a mark, also the "*" that some programs send.
 */
export function isFromBrowser(c: Context<Env>, { strictly = false } = {}): boolean {
  if (marks.some((name) => c.req.header(name) !== undefined)) return true;
  const languages = c.req.header("accept-language");
  return /\bMozilla\//.test(c.req.header("user-agent") ?? "") ||
    (languages !== undefined && (strictly || languages !== "*"));
}
