import { concat } from "../../core/bytes.ts";

const encoder = new TextEncoder();

/** The headers of an event stream: nobody on the way keeps it, changes it or holds it back. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** Time between two signs of life on a stream, ms (docs/http.md#events). */
export const pingEvery = 15_000;

/** A server-sent event as text. */
export function eventText(name: string, data: unknown, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A server-sent event as bytes, the same for every client. */
export function encodeEvent(name: string, data: unknown, id?: number): Uint8Array {
  return encodeText(eventText(name, data, id));
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A line that clients pass over: it shows that the stream is alive. */
export const comment = encodeText(":\n\n");

/** An event stream that is pushed to. A client that lags behind by more than its buffer is cut off. */
export class PushStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #waiting: Uint8Array[];
  readonly #most: number;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The client waits for the next event. */
  #isHungry = false;
  #isEnded = false;

  /** `most`: how many events may wait beside `initial`. `onEnd` is called once, when the stream ends for any reason. */
  constructor(options: { initial: readonly Uint8Array[]; most: number; onEnd: () => void }) {
    this.#waiting = [...options.initial];
    this.#most = Math.max(options.most, options.initial.length);
    this.#onEnd = options.onEnd;
    this.body = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: () => this.#finish(),
    }, { highWaterMark: 0 });
  }

  send(event: Uint8Array): void {
    if (this.#isEnded) return;
    if (this.#isHungry) {
      this.#isHungry = false;
      this.#controller?.enqueue(event);
    } else if (this.#waiting.length < this.#most) {
      this.#waiting.push(event);
    } else {
      // An event would be lost: better none, so that the client comes back and asks for what it missed.
      this.#waiting.length = 0;
      this.end();
    }
  }

  /** Ends the stream once what waits has been taken. */
  end(): void {
    if (this.#isEnded) return;
    this.#finish();
    if (this.#waiting.length === 0) this.#controller?.close();
  }

  /** All that waits goes at once. */
  #pull(): void {
    if (this.#waiting.length === 0) {
      this.#isHungry = true;
      return;
    }
    this.#controller?.enqueue(concat(this.#waiting));
    this.#waiting.length = 0;
    if (this.#isEnded) this.#controller?.close();
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd();
  }
}
