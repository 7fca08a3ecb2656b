import { isLoopback, rateLimitKey } from "../addresses.ts";
import { loopbackPeer } from "./seats.ts";

/** Whose places a connection from `address` takes: the address, for IPv6 its /64; all of loopback is one peer. */
export function peerKey(address: string): string {
  return isLoopback(address) ? loopbackPeer : rateLimitKey(address);
}
