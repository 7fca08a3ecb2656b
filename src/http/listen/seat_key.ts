import { peerKey } from "../../core/listen/peer_key.ts";

/** Whose places a connection takes: who shares a key shares the places of one peer. */
export function seatKey(address: Deno.Addr): string {
  return address.transport === "tcp" ? peerKey(address.hostname) : "socket";
}
