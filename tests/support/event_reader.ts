import { type SseEvent, SseParser } from "../../src/core/sse_parser.ts";

/** Reads the events of a stream, one by one. */
export class EventReader implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser = new SseParser();
  readonly #decoder = new TextDecoder();
  readonly #ready: SseEvent[] = [];

  constructor(body: ReadableStream<Uint8Array> | null) {
    if (body === null) throw new RangeError("the answer has no body");
    this.#reader = body.getReader();
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<SseEvent | undefined> {
    while (this.#ready.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#ready.push(...this.#parser.push(this.#decoder.decode(value, { stream: true })));
    }
    return this.#ready.shift();
  }

  /** The next events, so many of them. Throws when the stream ends before. */
  async take(count: number): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) throw new RangeError(`the stream ended after ${events.length} events`);
      events.push(event);
    }
    return events;
  }

  /** The next events that are replayed; pings, samples and news of notifications in between are passed over. */
  async takeNumbered(count: number): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    while (events.length < count) {
      events.push(...(await this.take(1)).filter(({ id, name }) => id !== undefined && name !== "ping"));
    }
    return events;
  }

  /** All events to the end of the stream. */
  async rest(): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  /** Leaves the stream. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel();
  }
}
