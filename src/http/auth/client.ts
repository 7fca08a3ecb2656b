import type { Context } from "@hono/hono";
import {
  clientAddress,
  isForwardedHttps,
  isLoopback,
  localKey,
  type Network,
  rateLimitKey,
} from "../../core/addresses.ts";
import type { LocalConnection } from "../../core/peer_owner.ts";
import type { Env } from "../router.ts";

/** Who sent a request, as far as that can be known. */
export interface Client {
  /** Came over the control socket: it is the user who runs the daemon, or root. */
  isSocket: boolean;
  /** Canonical text of the IP address; empty for the socket. */
  address: string;
  /** The connection itself is the client's, and comes from this machine. */
  isDirectLocal: boolean;
  /** Its side of the connection is encrypted, up to here or up to a trusted proxy. */
  isHttps: boolean;
}

/** Finds out who sent a request; headers of proxies count only when they come from a trusted one. */
export function clientOf(c: Context<Env>, trusted: readonly Network[]): Client {
  const { peer } = c.env;
  if (peer.kind === "socket") return { isSocket: true, address: "", isDirectLocal: false, isHttps: false };
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
    isDirectLocal: (isLoopback(address) || peer.isOwn === true) &&
      address === clientAddress({ peer: peer.address, trusted: [] }),
    isHttps: peer.tls === true || isForwardedHttps(forwarding),
  };
}

/** Tells which user is at the client's end of a connection of this machine to itself; undefined where nothing does. */
export type OwnerOf = (connection: LocalConnection) => Promise<number | undefined>;

/** What the requests of a client are counted by: on this machine its user, where that can be told. Empty for the socket. */
export async function limitKeyOf(
  c: Context<Env>,
  { client, ownerOf, serverPort }: { client: Client; ownerOf: OwnerOf | undefined; serverPort: number },
): Promise<string> {
  const { peer } = c.env;
  if (client.isSocket || peer.kind === "socket") return "";
  if (!client.isDirectLocal) return rateLimitKey(client.address);
  const isKnown = peer.port !== undefined && ownerOf !== undefined;
  return localKey(
    isKnown ? await ownerOf({ address: peer.address, port: peer.port!, serverPort }) : undefined,
  );
}

/** The token of an `Authorization: Bearer` header; undefined where there is none. */
export function bearerToken(c: Context<Env>): string | undefined {
  return /^bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
}
