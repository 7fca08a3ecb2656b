/// <reference lib="dom" />
import { type SseEvent, SseParser } from "../../src/core/sse_parser.ts";
import { session } from "../net/api.ts";

/** Between two attempts, ms: at first, and at most. */
const retry = { first: 300, most: 5000 };

interface FollowOptions {
  /** The id behind which the stream goes on, asked before each attempt. */
  lastId: () => string | undefined;
  /** Takes the events that have come together; `done` ends it all. */
  take: (events: readonly SseEvent[]) => "done" | undefined;
  /** Whether the stream is open. */
  onOpen?: (isOpen: boolean) => void;
  signal: AbortSignal;
}

/**
 * Reads an event stream until it is done, refused for good or aborted, and comes back after each break where it was.
 * Answers the status of a refusal.
 */
export async function followStream(path: string, options: FollowOptions): Promise<number | undefined> {
  const { signal, take, lastId, onOpen } = options;
  for (let wait = retry.first; !signal.aborted; wait = Math.min(retry.most, wait * 2)) {
    try {
      const id = lastId();
      const response = await fetch(path, {
        headers: id === undefined ? {} : { "last-event-id": id },
        signal,
      });
      if (response.ok && response.body !== null) {
        onOpen?.(true);
        wait = retry.first;
        if (await readAll(response.body, take) === "done") return undefined;
      } else {
        if (response.status === 401) session.value = "out";
        const { status } = response;
        await response.body?.cancel();
        if (status < 500 && status !== 429) return status;
      }
    } catch {
      if (signal.aborted) return undefined;
    }
    onOpen?.(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return undefined;
}

async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: FollowOptions["take"],
): Promise<"done" | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new SseParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      const events = parser.push(value);
      if (events.length > 0 && take(events) === "done") return "done";
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
