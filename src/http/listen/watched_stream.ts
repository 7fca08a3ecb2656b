/** What somebody wants to hear of a stream. */
export interface StreamEvents {
  /** A piece has been handed over. */
  given: () => void;
  /** The next piece is wanted: the one before has been taken. */
  asked: () => void;
  /** There is no more, for any reason. */
  ended: () => void;
}

/** The same stream, with a word of each piece that is wanted and taken. */
export function watchedStream(
  source: ReadableStream<Uint8Array>,
  events: StreamEvents,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      events.asked();
      try {
        const { done, value } = await reader.read();
        if (done) {
          events.ended();
          controller.close();
        } else {
          controller.enqueue(value);
          events.given();
        }
      } catch (error) {
        events.ended();
        controller.error(error);
      }
    },
    cancel(reason): Promise<void> {
      events.ended();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
