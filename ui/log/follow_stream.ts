/// <reference lib="dom" />
import { computed, effect } from "@preact/signals";
import { type SseEvent, SseParser } from "../../src/core/sse_parser.ts";
import { isSeen } from "../data/seen.ts";
import { session } from "../net/api.ts";
import { outside } from "../net/base.ts";

/** Between two attempts, ms: at first, and at most. */
const retry = { first: 300, most: 5000 };
/** What is there at once is taken in for so long before the page may draw, ms. */
const turn = 8;
/** A tab that nobody has seen for so long lets its stream go, ms: a browser has six connections for all tabs. */
const unseen = 3000;

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
    await untilWanted(signal);
    const attempt = whileWanted(signal);
    try {
      const id = lastId();
      const response = await fetch(outside(path), {
        headers: id === undefined ? {} : { "last-event-id": id },
        signal: attempt.signal,
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
      // To come back to a tab is no failure.
      if (attempt.signal.aborted) wait = retry.first / 2;
    } finally {
      attempt.end();
    }
    onOpen?.(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return undefined;
}

/** Whether somebody sees the tab, and may. */
const isWanted = computed(() => isSeen.value && session.value !== "out");

/** Resolves when the stream is wanted, or never will be. */
function untilWanted(signal: AbortSignal): Promise<void> {
  if (isWanted.value || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = isWanted.subscribe((is) => {
      if (is) queueMicrotask(done);
    });
    signal.addEventListener("abort", done);
  });
}

/** A signal that is also given when nobody has seen the tab for a while, or its session has ended. */
function whileWanted(outer: AbortSignal): { signal: AbortSignal; end: () => void } {
  const attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    clearTimeout(timer);
    if (session.value === "out") attempt.abort();
    else if (!isSeen.value) timer = setTimeout(() => attempt.abort(), unseen);
  });
  const pass = (): void => attempt.abort();
  outer.addEventListener("abort", pass);
  return {
    signal: attempt.signal,
    end() {
      clearTimeout(timer);
      stop();
      outer.removeEventListener("abort", pass);
    },
  };
}

async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: FollowOptions["take"],
): Promise<"done" | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new SseParser();
  let began = performance.now();
  try {
    for (;;) {
      if (performance.now() - began > turn) {
        await new Promise((resolve) => setTimeout(resolve));
        began = performance.now();
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      const events = parser.push(value);
      if (events.length > 0 && take(events) === "done") return "done";
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
