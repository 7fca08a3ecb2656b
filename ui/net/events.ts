/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { type SseEvent, SseParser } from "../../src/core/sse_parser.ts";
import { pathTo, session } from "./api.ts";
import { outside } from "./base.ts";

/** How the page hears of the daemon; `replaced`: it has said that another is about to take its place. */
export const link = signal<"connecting" | "live" | "away" | "replaced">("connecting");

/** Events are handed out together, this many ms apart, so that many of them cost no more than one. */
const together = 100;
/** Between two attempts to reach the daemon, ms: at first, and at most. */
const retry = { first: 500, most: 5000 };
/** A stream that brings nothing for so many ms is dead: the daemon sends a ping every 15 s. */
const silence = 40_000;
/** The next daemon has so long to come before its absence is a fault, ms; it is asked for so often. */
const replacement = { patience: 30_000, ask: 300 };
const channelName = "svc-events";

type Listener = (events: readonly SseEvent[]) => void;
/** What the tab with the stream tells the others. */
type Message =
  | { event: SseEvent }
  | { link: typeof link.value }
  | { ask: true }
  | { session: "in" | "out" };

const listeners = new Set<Listener>();
let waiting: SseEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let lastId: string | undefined;
let isLeader = false;
let channel: BroadcastChannel | undefined;
/** When the daemon said that another takes its place, as `performance.now()` has it. */
let replacedAt = -Infinity;
/** Ends the stream that is being read. */
let broken = new AbortController();

/**
 * Calls `listener` with the events of the daemon, in order, some at a time; `resync` means that some are missing and
 * all has to be read again. The result ends that.
 */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Opens the one event stream that all tabs share: whichever holds the lock has it, and tells the others. Where a
 * browser has no locks (plain HTTP beyond this machine), each tab has its own.
 */
export function startEvents(): void {
  const shared = channel = new BroadcastChannel(channelName);
  shared.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("session" in data) session.value = data.session;
    else if ("ask" in data) {
      if (isLeader) shared.postMessage({ link: link.value } satisfies Message);
    } else if (isLeader) return;
    else if ("event" in data) take(data.event);
    else link.value = data.link;
  };
  session.subscribe((state) => {
    if (state === "out") broken.abort();
    if (state !== "unknown") shared.postMessage({ session: state } satisfies Message);
  });
  if (navigator.locks === undefined) {
    isLeader = true;
    void follow();
    return;
  }
  shared.postMessage({ ask: true } satisfies Message);
  void navigator.locks.request(channelName, async () => {
    isLeader = true;
    await follow();
  });
}

/** Keeps a stream open for as long as the tab lives. */
async function follow(): Promise<void> {
  for (let wait = retry.first;; wait = Math.min(retry.most, wait * 2)) {
    if (session.value === "out") {
      await new Promise<void>((resolve) => {
        const stop = session.subscribe((value) => {
          if (value !== "in") return;
          queueMicrotask(() => stop());
          resolve();
        });
      });
    }
    const began = performance.now();
    await readStream().catch(() => {});
    const isReplaced = performance.now() - replacedAt < replacement.patience;
    show(isReplaced ? "replaced" : "away");
    if (performance.now() - began > retry.most) wait = retry.first;
    await new Promise((resolve) => setTimeout(resolve, isReplaced ? replacement.ask : wait));
  }
}

/** Whether what is not replayed may be missing: news of notifications, samples of the machine. */
export function isGap({ name }: SseEvent): boolean {
  return name === "resync" || name === "reconnected";
}

/** Said by the page itself: the stream had broken, and what has an id is replayed now. */
const reconnected: SseEvent = { name: "reconnected", data: "{}" };
let isAgain = false;

/** Reads one stream to its end. */
async function readStream(): Promise<void> {
  const attempt = broken = new AbortController();
  const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
  const response = await fetch(outside(pathTo("/api/events/stream")), {
    headers,
    signal: attempt.signal,
  });
  if (response.status === 401) session.value = "out";
  if (!response.ok || response.body === null) return attempt.abort();
  show("live");
  replacedAt = -Infinity;
  // News of notifications and samples are not replayed: who needs them reads them again.
  if (isAgain) {
    channel?.postMessage({ event: reconnected } satisfies Message);
    push(reconnected);
  }
  isAgain = true;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new SseParser();
  let alive = setTimeout(() => attempt.abort(), silence);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(alive);
      alive = setTimeout(() => attempt.abort(), silence);
      for (const event of parser.push(value)) {
        channel?.postMessage({ event } satisfies Message);
        take(event);
      }
    }
  } finally {
    clearTimeout(alive);
  }
}

function show(state: typeof link.value): void {
  link.value = state;
  channel?.postMessage({ link: state } satisfies Message);
}

function take(event: SseEvent): void {
  if (event.id !== undefined) lastId = event.id;
  if (event.name === "ping") return;
  if (event.name === "daemon.handover") replacedAt = performance.now();
  push(event);
}

function push(event: SseEvent): void {
  waiting.push(event);
  timer ??= setTimeout(() => {
    const events = waiting;
    waiting = [];
    timer = undefined;
    for (const listener of listeners) listener(events);
  }, together);
}
