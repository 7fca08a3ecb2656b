import type { Context } from "@hono/hono";
import docsStyle from "../../ui/docs.css" with { type: "text" };
import docsPage from "../../ui/docs.html" with { type: "text" };
import { files } from "../../ui/dist/files.ts";
import icon from "../../ui/icon.svg" with { type: "text" };
import page from "../../ui/index.html" with { type: "text" };
import { newRouter } from "./router.ts";

const types = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
} as const;

/** Files whose names change with what they hold. */
const hashed = /-[a-z0-9]{8}\.js$/;

/** How much of a file is handed over at a time, bytes: a client that takes nothing costs no more. */
const pieceSize = 16 * 1024;

/** A file of the page, and its two forms, each made when it is first wanted. */
class Asset {
  readonly #text: string;
  readonly #headers: Record<string, string>;
  #plain: Uint8Array<ArrayBuffer> | undefined;
  #packed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  #etag: Promise<string> | undefined;

  constructor(name: string, text: string) {
    this.#text = text;
    this.#headers = {
      "content-type": types[name.split(".").pop() as keyof typeof types],
      "cache-control": hashed.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
    };
  }

  /** Compressed where the client can; 304 where it has it already. */
  readonly answer = async (c: Context): Promise<Response> => {
    const plain = this.#plain ??= new TextEncoder().encode(this.#text);
    const headers = { ...this.#headers, etag: await (this.#etag ??= etagOf(plain)) };
    if (c.req.header("if-none-match") === headers.etag) return new Response(null, { status: 304, headers });
    if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return inPieces(plain, headers);
    const packed = await (this.#packed ??= gzip(plain));
    return inPieces(packed, { ...headers, "content-encoding": "gzip" });
  };
}

/** The bytes themselves: an answer of their text would be a copy for each client that has not taken it. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at += pieceSize));
      else controller.close();
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { ...headers, "content-length": String(bytes.length) } });
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function etagOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return `"${new Uint8Array(hash).slice(0, 12).toHex()}"`;
}

/** The page in views of so many steps below the first one; the last is for what is no view, however deep. */
const pages = [...[0, 1, 2, 3].map((steps) => linkedFrom(page, steps)), page].map((text) =>
  new Asset("index.html", text)
);

/**
 * The page itself, the same for each of its views but for the way to its files: that is told from the view, so that it
 * holds below whatever path a proxy puts the daemon.
 */
export function pageAnswer(c: Context): Promise<Response> {
  const steps = c.req.path.split("/").length - 2;
  return pages[Math.min(steps, pages.length - 1)]!.answer(c);
}

function linkedFrom(text: string, steps: number): string {
  return text.replaceAll('"/assets/', `"${"../".repeat(steps) || "./"}assets/`);
}

/** The page and its files; they are part of the program. */
export function assetRoutes() {
  const routes = newRouter()
    .get("/", pageAnswer)
    .get("/docs", new Asset("docs.html", linkedFrom(docsPage, 0)).answer);
  const all = { ...files, "docs.css": docsStyle, "icon.svg": icon };
  for (const [name, text] of Object.entries(all)) routes.get(`/assets/${name}`, new Asset(name, text).answer);
  return routes;
}
