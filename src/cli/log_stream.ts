import type { LogLineJson } from "../http/schemas/run.ts";
import { SseParser } from "../core/sse_parser.ts";
import { Fault, type FaultCode } from "../fault.ts";
import type { Client } from "./client.ts";
import { sleep } from "./sleep.ts";

/** What a feed gives: lines in order, or the news that some were dropped before they could be read. */
export interface FeedPart {
  lines: LogLineJson[];
  /** Lines that are gone, in front of these. */
  dropped: number;
  /** What is being redrawn by now, the newest of each stream that has changed; no line yet. */
  regions?: readonly FeedRegion[];
}

/** Rows of a stream that are being redrawn; none when they are gone. */
export interface FeedRegion {
  stream: string;
  rows: readonly string[];
}

/** How a stream of a log has ended: with the log, because the caller is done, or it can't be had. */
export interface StreamEnd {
  /** Number of the line that comes next. */
  next: number;
  isDone: boolean;
}

/**
 * The lines of a run from number `from` on, as they come, each once. A connection that breaks is made again where
 * it was. Returns not done where the daemon has no stream to give: then there is asking for pages. Throws
 * `Unreachable` when the daemon has gone.
 */
export async function* streamOf(
  client: Client,
  runId: string,
  { from, signal }: { from: number; signal?: AbortSignal },
): AsyncGenerator<FeedPart, StreamEnd> {
  let next = from;
  for (;;) {
    const body = await open(client, runId, { from: next, ...(signal === undefined ? {} : { signal }) });
    if (body === undefined) return { next, isDone: signal?.aborted ?? false };
    try {
      for await (const { lines, dropped, regions, isDone } of partsOf(body)) {
        next = (lines.at(-1)?.n ?? next + dropped - 1) + 1;
        if (lines.length > 0 || dropped > 0 || regions.length > 0) yield { lines, dropped, regions };
        if (isDone) return { next, isDone: true };
      }
    } catch (error) {
      if (error instanceof Fault) throw error;
    }
    // The connection is broken, or the daemon stops: the next question tells.
    await sleep(betweenTries, signal);
    if (signal?.aborted) return { next, isDone: true };
  }
}

/** Why there is none for this run, or at the moment, or at this daemon, which may be an older one. */
const withoutStream: ReadonlySet<FaultCode> = new Set([
  ...["busy", "stopping", "unavailable", "not_found", "no_route", "wrong_method"] as const,
]);

/** Before a broken connection is made again, ms. */
const betweenTries = 200;

/** Opens the stream; undefined where that is no use. */
async function open(
  client: Client,
  runId: string,
  options: { from: number; signal?: AbortSignal },
): Promise<ReadableStream<Uint8Array> | undefined> {
  try {
    return await client.logStream(runId, options);
  } catch (error) {
    if (options.signal?.aborted) return undefined;
    if (error instanceof Fault && withoutStream.has(error.code)) return undefined;
    throw error;
  }
}

/** What each piece of the stream brings. */
async function* partsOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamPart> {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  for await (const piece of body) {
    const part: StreamPart = { lines: [], dropped: 0, regions: [], isDone: false };
    for (const { name, data } of parser.push(decoder.decode(piece, { stream: true }))) {
      if (name === "line") part.lines.push(JSON.parse(data));
      else if (name === "dropped") part.dropped += Number(JSON.parse(data).count);
      else if (name === "region") part.regions.push(regionOf(data));
      else if (name === "done") part.isDone = true;
    }
    yield part;
  }
}

interface StreamPart extends FeedPart {
  regions: FeedRegion[];
  isDone: boolean;
}

function regionOf(data: string): FeedRegion {
  const { stream, rows } = JSON.parse(data);
  return { stream, rows: rows ?? [] };
}
