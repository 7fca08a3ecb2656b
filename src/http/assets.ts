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

/** A file of the page, and its two forms, each made when it is first wanted. */
class Asset {
  readonly #text: string;
  readonly #headers: Record<string, string>;
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
    const headers = { ...this.#headers, etag: await (this.#etag ??= etagOf(this.#text)) };
    if (c.req.header("if-none-match") === headers.etag) return new Response(null, { status: 304, headers });
    if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return new Response(this.#text, { headers });
    const packed = await (this.#packed ??= gzip(this.#text));
    return new Response(packed, { headers: { ...headers, "content-encoding": "gzip" } });
  };
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function etagOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `"${new Uint8Array(hash).slice(0, 12).toHex()}"`;
}

/** The page itself, the same for each of its views. */
export const pageAnswer = new Asset("index.html", page).answer;

/** The page and its files; they are part of the program. */
export function assetRoutes() {
  const routes = newRouter()
    .get("/", pageAnswer)
    .get("/docs", new Asset("docs.html", docsPage).answer);
  const all = { ...files, "docs.css": docsStyle, "icon.svg": icon };
  for (const [name, text] of Object.entries(all)) routes.get(`/assets/${name}`, new Asset(name, text).answer);
  return routes;
}
