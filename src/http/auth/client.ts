import type { Context } from "@hono/hono";
import { clientAddress, isForwardedHttps, type Network, rateLimitKey } from "../../core/addresses.ts";
import type { Env } from "../router.ts";

/** Who sent a request, as far as that can be known. */
export interface Client {
  /** Came over the control socket: it is the user who runs the daemon, or root. */
  isSocket: boolean;
  /** Canonical text of the IP address; empty for the socket. */
  address: string;
  /** What its requests are counted by. */
  limitKey: string;
  /** Its side of the connection is encrypted, up to here or up to a trusted proxy. */
  isHttps: boolean;
}

/** Finds out who sent a request; headers of proxies count only when they come from a trusted one. */
export function clientOf(c: Context<Env>, trusted: readonly Network[]): Client {
  const { peer } = c.env;
  if (peer.kind === "socket") return { isSocket: true, address: "", limitKey: "", isHttps: false };
  const forwarding = {
    peer: peer.address,
    forwardedFor: c.req.header("x-forwarded-for"),
    forwardedProto: c.req.header("x-forwarded-proto"),
    trusted,
  };
  const address = clientAddress(forwarding);
  return {
    isSocket: false,
    address,
    limitKey: rateLimitKey(address),
    isHttps: peer.tls === true || isForwardedHttps(forwarding),
  };
}

/** The token of an `Authorization: Bearer` header; undefined where there is none. */
export function bearerToken(c: Context<Env>): string | undefined {
  return /^bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

/**
 * The host of a request without its port, in lower case; empty when it names none that could be one. HTTP/2 has no
 * Host header: the address of the request tells it.
 */
export function hostOf(c: Context<Env>): { name: string; withPort: string } {
  const text = c.req.header("host") ?? new URL(c.req.url).host;
  const url = /[\s/@?#\\]/.test(text) ? undefined : URL.parse(`http://${text}`);
  return { name: url?.hostname.replace(/\.$/, "") ?? "", withPort: text.toLowerCase() };
}
