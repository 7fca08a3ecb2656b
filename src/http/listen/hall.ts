import { type Patience, verdict } from "../../core/listen/progress.ts";
import { type Seat, type SeatLimits, Seats } from "../../core/listen/seats.ts";
import type { ListenLog } from "./listen_log.ts";

/** A connection that is served. */
export interface Guest extends Seat {
  /** Bytes of answers that the client has not taken yet, as far as is known. */
  readonly unsent: number;
  /** Resolves when the connection is closed. Never rejects. */
  readonly ended: Promise<void>;
  /** Tells the client that its request came too slowly, where it can be told, and ends the connection. */
  refuse(): void;
  /** Ends the connection at once. */
  cut(): void;
  /** Ends it when what is being answered has been answered. */
  finish(): void;
}

/** What a hall tells a guest that it makes: who it is, and where it reports. */
export interface Entrance {
  connection: Deno.Conn;
  peer: string;
  /** Monotonic ms. */
  now: () => number;
  /** To be called with each change of `unsent`, in bytes. */
  moved: (change: number) => void;
}

export interface HallOptions {
  /** Where it listens, in words. */
  name: string;
  seats: SeatLimits;
  patience: Patience;
  /** The most bytes of answers that all clients together leave lying. */
  unsent: number;
  log: ListenLog;
  peerOf: (address: Deno.Addr) => string;
  serve: (entrance: Entrance) => Guest;
}

/** Between two warnings that a listener is full, ms. */
const warnEvery = 60_000;
/** How long a client that is told goodbye may take until it is cut off, if nothing is being answered; ms. */
const longestGoodbye = 500;
/** After so many ms nobody waits any more for clients that don't take their last answer. */
const longestClosing = 10_000;

/** All connections of a listener: who gets in, who is too slow, and who goes when there is no room. */
export class Hall {
  readonly #options: HallOptions;
  readonly #seats: Seats<Guest>;
  readonly #tick: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #closing: { since: number; done: () => void } | undefined;
  #warned = -Infinity;
  #turnedAway = 0;
  /** Bytes of answers that all clients together have not taken yet. */
  #unsent = 0;

  constructor(options: HallOptions) {
    this.#options = options;
    this.#seats = new Seats(options.seats);
    const { header, request, idle, write } = options.patience;
    // Late by this much at most.
    this.#tick = Math.max(10, Math.min(1000, header / 8, request / 8, idle / 8, write / 8));
  }

  /** Connections that are open. */
  get open(): number {
    return this.#seats.taken;
  }

  /** Serves a connection, or closes it where it has no place. */
  admit(connection: Deno.Conn): void {
    const peer = this.#options.peerOf(connection.remoteAddr);
    const offer = this.#closing === undefined
      ? this.#seats.offer(peer, performance.now())
      : { admitted: false as const };
    if (!offer.admitted) {
      connection.close();
      this.#turnedAway++;
      this.#tellFull(peer);
      return;
    }
    if (offer.shed !== undefined) this.#end(offer.shed, { peer });
    this.#seat(connection, peer);
  }

  /** Ends a connection that only waits for its client; false: there is none. */
  relieve(): boolean {
    const one = this.#seats.expendable(performance.now());
    if (one === undefined) return false;
    this.#end(one);
    return true;
  }

  /** Ends what is idle, and lets what is being answered finish. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = { since: performance.now(), done: resolve };
    for (const guest of [...this.#seats]) guest.finish();
    this.#left();
    await promise;
  }

  #seat(connection: Deno.Conn, peer: string): void {
    const guest = this.#options.serve({
      connection,
      peer,
      now: () => performance.now(),
      moved: (change) => this.#moved(change),
    });
    this.#seats.take(guest);
    this.#timer ??= setInterval(() => this.#endOverdue(), this.#tick);
    void guest.ended.then(() => {
      this.#seats.leave(guest);
      this.#left();
    });
  }

  #end(guest: Guest, { peer }: { peer?: string } = {}): void {
    guest.cut();
    // Its place is free at once, whatever the end of the connection takes.
    this.#seats.leave(guest);
    if (peer !== undefined) this.#tellFull(peer);
  }

  #left(): void {
    if (this.#seats.taken === 0) this.#stopWaiting();
  }

  #stopWaiting(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#closing?.done();
  }

  #endOverdue(): void {
    const now = performance.now();
    const { patience } = this.#options;
    const closingFor = this.#closing === undefined ? 0 : now - this.#closing.since;
    if (closingFor > longestClosing) this.#stopWaiting();
    for (const guest of [...this.#seats]) {
      const { phase, since } = guest.progress();
      const word = verdict({ phase, since }, { now, patience });
      if (word === "refuse") guest.refuse();
      else if (word === "cut") guest.cut();
      else if (closingFor > longestGoodbye && (phase === "fresh" || phase === "idle")) guest.cut();
    }
  }

  /** Where all together leave too much lying, those who leave most are cut off. */
  #moved(change: number): void {
    this.#unsent += change;
    if (change <= 0 || this.#unsent <= this.#options.unsent) return;
    const heaviest = [...this.#seats].sort((a, b) => b.unsent - a.unsent);
    for (const guest of heaviest) {
      if (this.#unsent <= this.#options.unsent) return;
      this.#end(guest);
    }
  }

  #tellFull(peer: string): void {
    const now = performance.now();
    if (now - this.#warned < warnEvery) return;
    this.#warned = now;
    this.#options.log.warn(
      `${this.#options.name} has as many connections as it may hold; those that wait longest are cut off for new ones`,
      { peer, connections: String(this.#seats.taken), turned_away: String(this.#turnedAway) },
    );
  }
}
