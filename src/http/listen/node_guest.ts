import type { IncomingMessage, ServerResponse } from "node:http";
import type { Phase, Progress } from "../../core/listen/progress.ts";
import type { Turn } from "../../core/turn.ts";
import type { Channel } from "./channel.ts";
import type { Entrance, Guest } from "./hall.ts";
import { refusalText } from "./refusals.ts";
import type { Portion } from "./slices.ts";
import { Wire } from "./wire.ts";

/** Requests that a parser may find in one slice beyond the one that is answered; more is an attack. */
const mostAhead = 16;

/** A connection that Node's HTTP server answers: all that a client may be slow in can be seen and is told with 408. */
export class NodeGuest implements Guest {
  readonly peer: string;
  readonly ended: Promise<void>;
  readonly wire: Wire;
  readonly #now: () => number;
  readonly #moved: (change: number) => void;
  #phase: Phase = "fresh";
  #since: number;
  /** When the first byte of the current request came. */
  #begun = 0;
  #unsent = 0;
  #isLast = false;
  #current: { request: IncomingMessage; response: ServerResponse } | undefined;
  #latest: IncomingMessage | undefined;
  readonly #ahead: (() => void)[] = [];
  /** Bytes of the current request's body that have been parsed. */
  #parsed = 0;

  constructor(
    { peer, now, moved }: Entrance,
    { channel, address, tls, turn }: { channel: Channel; address: string; tls: boolean; turn: Turn },
  ) {
    this.peer = peer;
    this.#now = now;
    this.#moved = moved;
    this.#since = now();
    this.wire = new Wire({
      channel,
      remoteAddress: address,
      tls,
      turn,
      portion: () => this.#portion(),
      received: () => this.#received(),
      handed: (count) => this.#parsed += count,
      moved: (change) => this.#sent(change),
    });
    this.ended = new Promise((resolve) =>
      this.wire.once("close", () => {
        this.#moved(-this.#unsent);
        this.#unsent = 0;
        // Nobody waits for the rest of its body any more.
        this.#latest?.destroy();
        resolve();
      })
    );
  }

  get unsent(): number {
    return this.#unsent;
  }

  progress(): Progress {
    this.#noteComplete();
    if (this.#phase === "work" && this.#unsent > 0) return { phase: "send", since: this.#since };
    return { phase: this.#phase, since: this.#since };
  }

  refuse(): void {
    if (this.#current?.response.headersSent === true) return this.cut();
    this.#endWith("ERR_HTTP_REQUEST_TIMEOUT");
  }

  /** Refuses a request that the parser hands on as a connection (CONNECT). What is asked before it is given up with it. */
  refuseConnect(): void {
    if (this.#current !== undefined) return this.cut();
    this.#endWith("CONNECT");
  }

  cut(): void {
    this.wire.destroy();
  }

  finish(): void {
    this.#isLast = true;
    if (this.#current === undefined) this.cut();
  }

  /** Lets `answer` begin when the requests before it have been answered. */
  answer(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    if (this.#current !== undefined) {
      if (this.#ahead.length >= mostAhead) return this.cut();
      this.#ahead.push(() => this.#begin(request, response, answer));
      return;
    }
    this.#begin(request, response, answer);
  }

  #begin(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    this.#current = { request, response };
    this.#latest = request;
    this.#parsed = 0;
    this.#phase = "body";
    this.#since = this.#begun;
    this.#noteComplete();
    response.once("close", () => this.#answered());
    answer();
  }

  #answered(): void {
    this.#current = undefined;
    this.#enter(this.wire.hasWaiting ? "header" : "idle");
    this.#begun = this.#since;
    const next = this.#ahead.shift();
    if (next !== undefined) next();
    else if (this.#isLast) this.wire.destroySoon();
    else this.wire.next();
  }

  #received(): void {
    if (this.#phase !== "fresh" && this.#phase !== "idle") return;
    // Who has sent nothing at all began when it came.
    this.#begun = this.#phase === "fresh" ? this.#since : this.#now();
    this.#phase = "header";
    this.#since = this.#begun;
  }

  #portion(): Portion | undefined {
    const request = this.#current?.request;
    if (request === undefined) return { of: "header" };
    this.#noteComplete();
    if (request.complete) return undefined;
    const told = request.headers["content-length"];
    return { of: "body", left: told === undefined ? undefined : Number(told) - this.#parsed };
  }

  /** Notes that all of a request has come. */
  #noteComplete(): void {
    if (this.#phase === "body" && this.#current?.request.complete === true) this.#enter("work");
  }

  #sent(change: number): void {
    // A client that takes something, and one that begins to be sent something, has all its time before it.
    if (change < 0 || this.#unsent === 0) {
      if (this.#phase === "work" || this.#phase === "send") this.#since = this.#now();
    }
    this.#unsent += change;
    this.#moved(change);
  }

  /** Ends the connection with a refusal, which is waited for as any answer is. */
  #endWith(code: string): void {
    if (!this.wire.isReady) return this.cut();
    this.#enter("send");
    this.wire.end(refusalText(code), () => this.wire.destroy());
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = this.#now();
  }
}
