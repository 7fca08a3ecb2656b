import { sleep } from "../cli/sleep.ts";
import { SseParser } from "../core/sse_parser.ts";
import type { RunJson } from "../http/schemas/run.ts";
import { type Hands, load } from "./perform.ts";
import { viewOf } from "./state.ts";

/** Before a broken connection is made again, ms. */
const betweenTries = 1000;
/** Without a sign of life for so long (the daemon gives one each 15 s) a connection is broken, ms. */
const longestSilence = 40_000;

/** Reads the daemon's events until the signal; a connection that breaks is made again where it was. */
export async function watchEvents(hands: Hands, signal: AbortSignal): Promise<void> {
  const { api, hear } = hands;
  let lastId: string | undefined;
  while (!signal.aborted) {
    const connection = new AbortController();
    const stop = (): void => connection.abort();
    signal.addEventListener("abort", stop);
    const silence = setInterval(() => {
      if (performance.now() - heardAt > longestSilence) stop();
    }, 5000);
    let heardAt = performance.now();
    try {
      const body = await api.events({
        ...(lastId === undefined ? {} : { lastId }),
        signal: connection.signal,
      });
      // What happened meanwhile may be more than the daemon remembers.
      await catchUp(hands);
      for await (const event of eventsOf(body)) {
        heardAt = performance.now();
        lastId = event.id ?? lastId;
        await tell(event, hands);
      }
    } catch {
      // Told below: whatever broke it, the daemon can't be heard.
    } finally {
      clearInterval(silence);
      signal.removeEventListener("abort", stop);
      connection.abort();
    }
    if (signal.aborted) return;
    hear({ is: "link", link: "away" });
    await sleep(betweenTries, signal);
  }
}

async function catchUp(hands: Hands): Promise<void> {
  const { api, hear, refresh } = hands;
  const [daemon, count] = await Promise.all([api.daemon(), api.unread()]);
  hear({ is: "daemon", daemon });
  hear({ is: "unread", count });
  refresh();
  await load(hands).catch(() => {});
}

async function tell({ name, data }: { name: string; data: string }, hands: Hands): Promise<void> {
  const { hear, refresh, get } = hands;
  if (name === "ping") return;
  const body = JSON.parse(data);
  switch (name) {
    case "run.created":
    case "run.started":
    case "run.updated":
    case "run.completed":
    case "run.failed":
      hear({ is: "run", run: body.run as RunJson });
      return refresh();
    case "run.deleted":
      return hear({ is: "run deleted", id: body.run_id });
    case "tasks.changed":
      return refresh();
    case "config.stale":
      return hear({ is: "stale", isStale: body.stale });
    case "daemon.refusing":
      return hear({ is: "refusing", refusing: body.refusing ?? undefined });
    case "resync":
      return await catchUp(hands);
    case "system.sample":
      if (viewOf(get()).kind === "system") await load(hands).catch(() => {});
      return;
    case "notification.created":
    case "notification.updated":
    case "notification.unread_count":
      hear({ is: "unread", count: body.unread_count });
      if (viewOf(get()).kind === "notices" && name !== "notification.unread_count") {
        await load(hands).catch(() => {});
      }
      return;
  }
}

/** Reads the daemon's own log until the signal. */
export async function watchDaemonLog({ api, hear }: Hands, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const body = await api.daemonLog({ signal });
      let isFresh = true;
      for await (const lines of linesOf(body)) {
        hear({ is: "daemon lines", lines, isFresh });
        isFresh = false;
      }
    } catch {
      // The line at the bottom tells that the daemon is away.
    }
    await sleep(betweenTries, signal);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  for await (const events of piecesOf(body)) {
    const lines = events.filter(({ name }) => name === "line").map(({ data }) =>
      String(JSON.parse(data).line)
    );
    if (lines.length > 0) yield lines;
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>) {
  for await (const events of piecesOf(body)) yield* events;
}

async function* piecesOf(body: ReadableStream<Uint8Array>) {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  for await (const piece of body) yield parser.push(decoder.decode(piece, { stream: true }));
}
