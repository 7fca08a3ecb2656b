import { isExpendable, type Progress } from "./progress.ts";

/** One connection that takes a place. */
export interface Seat {
  /** Who it belongs to, as `peerKey` names it. */
  readonly peer: string;
  progress(): Progress;
}

/** How many connections a listener holds. */
export interface SeatLimits {
  inAll: number;
  /** Of one peer. */
  perPeer: number;
  /** Of this machine's own loopback, which is many users and proxies under one name. */
  ofLoopback: number;
}

/** Whether a newcomer gets in, and whose connection ends for it. */
export type Offer<S extends Seat> = { admitted: true; shed?: S } | { admitted: false };

/** The name that all loopback connections share. */
export const loopbackPeer = "loopback";

/** The places of a listener. No peer takes more than its share, and where there is no room the heaviest makes some. */
export class Seats<S extends Seat> {
  readonly #limits: SeatLimits;
  /** The connections of each peer, oldest first. */
  readonly #byPeer = new Map<string, Set<S>>();
  #taken = 0;

  constructor(limits: SeatLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Decides about a newcomer at `now` (monotonic ms); takes nothing yet. */
  offer(peer: string, now: number): Offer<S> {
    const mine = this.#byPeer.get(peer);
    const share = peer === loopbackPeer ? this.#limits.ofLoopback : this.#limits.perPeer;
    if ((mine?.size ?? 0) >= share) {
      return admitFor(mine === undefined ? undefined : longestWaiting(mine, now));
    }
    if (this.#taken < this.#limits.inAll) return { admitted: true };
    return admitFor(this.expendable(now));
  }

  /** The connection that costs least to end: of the peer with most connections, the one that has waited longest. */
  expendable(now: number): S | undefined {
    for (const seats of [...this.#byPeer.values()].sort((a, b) => b.size - a.size)) {
      const found = longestWaiting(seats, now);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  take(seat: S): void {
    const seats = this.#byPeer.get(seat.peer);
    if (seats === undefined) this.#byPeer.set(seat.peer, new Set([seat]));
    else seats.add(seat);
    this.#taken++;
  }

  leave(seat: S): void {
    const seats = this.#byPeer.get(seat.peer);
    if (seats === undefined || !seats.delete(seat)) return;
    this.#taken--;
    if (seats.size === 0) this.#byPeer.delete(seat.peer);
  }

  *[Symbol.iterator](): Iterator<S> {
    for (const seats of this.#byPeer.values()) yield* seats;
  }
}

function admitFor<S extends Seat>(shed: S | undefined): Offer<S> {
  return shed === undefined ? { admitted: false } : { admitted: true, shed };
}

function longestWaiting<S extends Seat>(seats: Iterable<S>, now: number): S | undefined {
  let found: S | undefined;
  let longest = Infinity;
  for (const seat of seats) {
    const progress = seat.progress();
    if (progress.since >= longest || !isExpendable(progress, now)) continue;
    found = seat;
    longest = progress.since;
  }
  return found;
}
