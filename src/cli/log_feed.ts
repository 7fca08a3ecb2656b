import type { Client } from "./client.ts";
import { type FeedPart, streamOf } from "./log_stream.ts";
import { sleep } from "./sleep.ts";

/** Where a feed begins: at the start of the log, a number of lines before its end, or at a time (RFC 3339). */
export interface FeedStart {
  tail?: number;
  since?: string;
}

/**
 * The log of a run: page by page, with `follow` as a stream where the daemon has one. Each line comes once, whole;
 * with `follow` the feed ends when the run has, or soon after `signal`.
 */
export async function* feedOf(
  client: Client,
  runId: string,
  { start, follow, signal }: { start: FeedStart; follow: boolean; signal?: AbortSignal },
): AsyncGenerator<FeedPart> {
  let next = await firstLine(client, runId, { start, follow });
  if (follow) {
    const end = yield* streamOf(client, runId, { from: next, ...(signal === undefined ? {} : { signal }) });
    if (end.isDone) return;
    next = end.next;
  }
  let pause = shortestPause;
  while (true) {
    const page = await client.log(runId, { from: next, limit: pageSize });
    const lines = page.lines ?? [];
    // Lines that have begun but not ended have numbers of the future: they come again when they are whole.
    const whole = lines.filter(({ n }) => n < page.total_lines);
    const reached = whole.length > 0 ? (whole.at(-1)?.n ?? 0) + 1 : Math.max(next, page.first_available);
    const dropped = Math.max(0, (whole[0]?.n ?? reached) - next);
    if (whole.length > 0 || dropped > 0) {
      pause = shortestPause;
      yield { lines: whole, dropped };
    }
    next = reached;
    if (next < page.total_lines) continue;
    if (page.finalized) return;
    if (!follow) {
      const begun = lines.filter(({ n }) => n >= page.total_lines);
      if (begun.length > 0) yield { lines: begun, dropped: 0 };
      return;
    }
    await sleep(pause, signal);
    if (signal?.aborted) return;
    pause = Math.min(longestPause, pause * 1.6);
  }
}

/** Lines that one request asks for; a page may hold fewer. */
const pageSize = 5000;
/** Between two looks for new lines, in ms. */
const shortestPause = 10;
const longestPause = 200;

async function firstLine(
  client: Client,
  runId: string,
  { start: { tail, since }, follow }: { start: FeedStart; follow: boolean },
): Promise<number> {
  if (since === undefined && tail === undefined) return 0;
  // The number of the last line shows how many have begun only.
  const end = await client.log(runId, { from: -1, limit: 1 });
  const total = end.total_lines;
  const begun = follow ? 0 : Math.max(0, (end.lines?.at(-1)?.n ?? 0) + 1 - total);
  const byTail = tail === undefined ? 0 : total + begun - tail;
  if (since === undefined) return Math.max(end.first_available, byTail);
  const page = await client.log(runId, { since, limit: 1 });
  return Math.max(page.lines?.[0]?.n ?? total, byTail);
}
