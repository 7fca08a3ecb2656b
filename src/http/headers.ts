import type { Context, MiddlewareHandler } from "@hono/hono";
import type { Env } from "./router.ts";

/**
 * What every answer says to a browser, errors included: scripts and everything else from this origin alone and in
 * files, no frames around it, no guessing of types, no address told to other sites. No HSTS: it would bind every
 * other port of the host.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // With "no-referrer" a browser would hide the origin of this daemon's own forms from it, too.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const entries = Object.entries(securityHeaders);

/** Puts the security headers on every answer; what the API answers is kept by no cache unless it says so. */
export const securityHeadersGuard: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of entries) headers.set(name, value);
  if (!isTrustworthy(c)) headers.delete("cross-origin-opener-policy");
  if (c.req.path.startsWith("/api/") && !headers.has("cache-control")) {
    headers.set("cache-control", "no-store");
  }
};

/** True where a browser takes this policy: elsewhere it complains of it, and does nothing. */
function isTrustworthy(c: Context<Env>): boolean {
  const url = URL.parse(c.req.url);
  return url?.protocol === "https:" || c.req.header("x-forwarded-proto") === "https" ||
    /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url?.hostname ?? "");
}
