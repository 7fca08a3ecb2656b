import type { Context } from "@hono/hono";
import { type ByteRange, parseByteRange } from "../core/byte_range.ts";
import { withoutEscapes } from "../core/log/plain.ts";
import type { LogLine } from "../types.ts";
import { problem } from "./problems.ts";
import type { Env } from "./router.ts";
import { isoTime } from "./run_json.ts";

/** Bytes that can be had in parts; to be closed. */
export interface Download {
  size: number;
  bytes(range: ByteRange): AsyncIterable<Uint8Array>;
  close(): void;
}

const headers = {
  "content-type": "text/plain; charset=utf-8",
  // A length that was told must hold, and a log may hold secrets: nobody on the way packs or keeps it.
  "cache-control": "no-store, no-transform",
};

/** Answers with a download, or the part of it that a Range header asks for. */
export function answerDownload(c: Context<Env>, download: Download): Response {
  const { size } = download;
  // There is nothing by which a condition on the range could be checked, so that the whole is right.
  const wanted = c.req.header("if-range") === undefined ? c.req.header("range") : undefined;
  const range = parseByteRange(wanted, size);
  if (range === "unsatisfiable") {
    download.close();
    const detail = `the log has ${size} bytes, and none of them is in "${wanted}"`;
    return problem(c, "no_such_range", { detail, headers: { "content-range": `bytes */${size}` } });
  }
  const { start, end } = range ?? { start: 0, end: size };
  const own = {
    ...headers,
    "accept-ranges": "bytes",
    "content-length": String(end - start),
    ...(range === undefined ? {} : { "content-range": `bytes ${start}-${end - 1}/${size}` }),
  };
  const status = range === undefined ? 200 : 206;
  if (c.req.method === "HEAD") {
    download.close();
    return c.body(null, status, own);
  }
  return c.body(bodyOf(download.bytes({ start, end }), () => download.close()), status, own);
}

/** Answers with lines as text: with their time and stream before them, or without terminal commands, or both. */
export function answerText(
  c: Context<Env>,
  lines: AsyncIterable<LogLine[]>,
  { timestamps, plain }: { timestamps: boolean; plain: boolean },
): Response {
  const own = { ...headers, "accept-ranges": "none" };
  if (c.req.method === "HEAD") return c.body(null, 200, own);
  const encoder = new TextEncoder();
  const textOf = ({ at, stream, text }: LogLine): string =>
    `${timestamps ? `${isoTime(at)} ${stream} ` : ""}${plain ? withoutEscapes(text) : text}\n`;
  async function* texts(): AsyncGenerator<Uint8Array> {
    for await (const some of lines) {
      if (some.length > 0) yield encoder.encode(some.map(textOf).join(""));
    }
  }
  return c.body(bodyOf(texts(), () => {}), 200, own);
}

/** A body that takes pieces when the client does; `release` is called once, at the end of any kind. */
function bodyOf(pieces: AsyncIterable<Uint8Array>, release: () => void): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        throw error;
      }
    },
    async cancel() {
      await iterator.return?.();
      release();
    },
  }, { highWaterMark: 0 });
}
