import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import type { Turn } from "../../core/turn.ts";
import type { Channel } from "./channel.ts";
import { type Portion, sliceLength } from "./slices.ts";

/** What the answer to a request will take, ms: most of it comes after its turn. */
const answering = 2;

export interface WireOptions {
  channel: Channel;
  /** As sockets have it. */
  remoteAddress: string;
  tls: boolean;
  /** Shared by all wires, so that many at once hold nothing else up. */
  turn: Turn;
  /** What comes next: undefined while the request before it is being answered. */
  portion: () => Portion | undefined;
  /** Bytes have come from the client. */
  received: () => void;
  /** So many bytes go to the parser now. */
  handed: (count: number) => void;
  /** The client has taken bytes of an answer, or an answer has begun. */
  moved: (change: number) => void;
}

/**
 * A connection as Node's HTTP server wants it. It hands the parser one request at a time and no more while that one is
 * answered: what the client sends beyond it waits in the kernel, so that a burst of requests costs nothing here. The
 * kernel takes many answers for a client that reads none of them, at once: they are begun and sent in turns.
 */
export class Wire extends Duplex {
  readonly remoteAddress: string;
  /** As sockets of TLS have it. */
  readonly encrypted: boolean;
  readonly #channel: Channel;
  readonly #options: WireOptions;
  /** Read, and not handed over. */
  #waiting: Uint8Array = new Uint8Array();
  #isReading = false;
  #isWanted = false;
  /** It waits for the next turn. */
  #isHeld = false;
  #isAtEnd = false;

  constructor(options: WireOptions) {
    super({ allowHalfOpen: true });
    this.#channel = options.channel;
    this.#options = options;
    this.encrypted = options.tls;
    this.remoteAddress = options.remoteAddress;
    // A client that leaves in the middle is no error.
    this.on("error", () => {});
    void this.#fill();
  }

  /** Whether the client can be told anything. */
  get isReady(): boolean {
    return this.writable && this.#channel.isReady;
  }

  /** Whether anything has come that is not handed over yet. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** To be called when `portion` answers otherwise than before. */
  next(): void {
    if (this.destroyed || !this.#isWanted || this.#isHeld) return;
    if (this.#waiting.length > 0) {
      if (this.#options.turn.isLong) return void this.#nextTurn();
      const portion = this.#options.portion();
      if (portion === undefined) return;
      if (portion.of === "header") this.#options.turn.spend(answering);
      const length = sliceLength(this.#waiting, portion);
      const slice = Buffer.from(this.#waiting.subarray(0, length));
      this.#waiting = this.#waiting.subarray(length);
      this.#isWanted = false;
      this.#options.handed(length);
      if (this.#waiting.length === 0) void this.#fill();
      this.push(slice);
    } else if (this.#isAtEnd) {
      this.#isWanted = false;
      this.push(null);
    }
  }

  async #nextTurn(): Promise<void> {
    this.#isHeld = true;
    await this.#options.turn.end();
    this.#isHeld = false;
    this.next();
  }

  /**
   * Hands nothing on any more. After an error Deno's server has given the parser back to all connections, while it
   * still listens to this one: another byte, or the end, would get into somebody else's request.
   */
  deafen(): void {
    this.#isAtEnd = true;
    this.#waiting = new Uint8Array();
    this.#isWanted = false;
    this.removeAllListeners("data");
    this.removeAllListeners("end");
  }

  /** Reads on: also while an answer is prepared, since that is how it is known that the client has left. */
  async #fill(): Promise<void> {
    if (this.#isReading || this.#isAtEnd || this.destroyed) return;
    this.#isReading = true;
    try {
      const bytes = await this.#channel.read();
      if (this.#isAtEnd) return;
      if (bytes === null) this.#isAtEnd = true;
      else this.#waiting = bytes;
    } catch {
      this.destroy();
      return;
    } finally {
      this.#isReading = false;
    }
    if (this.#waiting.length > 0) this.#options.received();
    this.next();
  }

  override _read(): void {
    this.#isWanted = true;
    // Never from within the parser, which asks for more while it is at work.
    queueMicrotask(() => this.next());
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    void this.#send(chunk).then(() => done(), (error) => done(error as Error));
  }

  override _final(done: (error?: Error | null) => void): void {
    void this.#channel.closeWrite().then(() => done(), () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#channel.close();
    done(error);
  }

  async #send(chunk: Uint8Array): Promise<void> {
    this.#options.moved(chunk.length);
    let sent = 0;
    try {
      while (sent < chunk.length) {
        while (this.#options.turn.isLong) await this.#options.turn.end();
        const count = await this.#channel.write(chunk.subarray(sent));
        sent += count;
        this.#options.moved(-count);
      }
    } catch (error) {
      this.#options.moved(sent - chunk.length);
      throw error;
    }
  }

  // What the server calls of a socket. All limits are kept by who made the wire.
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  /** Ends the connection when all has been sent. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }
}
