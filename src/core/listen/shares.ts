import type { SeatLimits } from "./seats.ts";

/** The most connections of a listener (docs/security.md#slow-and-many-clients). */
const mostOnTcp = 1024;
/** Metrics are asked for by few. */
const mostForMetrics = 64;
/** The command line, terminal pages and scripts of this user. */
const mostOnSocket = 256;

/** How many connections each kind of listener may hold, so that most descriptors are left for runs, logs and the database. */
export interface Shares {
  tcp: number;
  metrics: number;
  socket: number;
}

/** Divides the descriptors that the system gives this process; undefined: their number is not known. */
export function connectionShares(descriptors: number | undefined): Shares {
  const limit = descriptors ?? 1024;
  return {
    tcp: between(8, limit / 4, mostOnTcp),
    metrics: between(4, limit / 32, mostForMetrics),
    socket: between(8, limit / 16, mostOnSocket),
  };
}

/** Seats where anybody may come: a quarter for each address, half for loopback, behind which a proxy may stand. */
export function sharedSeats(inAll: number): SeatLimits {
  return { inAll, perPeer: Math.ceil(inAll / 4), ofLoopback: Math.ceil(inAll / 2) };
}

/** Seats where all clients are of this machine and count as one. */
export function localSeats(inAll: number): SeatLimits {
  return { inAll, perPeer: inAll, ofLoopback: inAll };
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(most, Math.floor(value)));
}
