import { headEnd, parseHead, Unchunker } from "../../core/http_answer.ts";

/** Sends a request as `fetch` does, as far as it is used here. */
export type Send = (
  url: string,
  request: { method?: string; headers: HeadersInit; body?: string; signal: AbortSignal },
) => Promise<Response>;

/** The most that the head of an answer may take, bytes. */
const longestHead = 65_536;
/** Answers that have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends a request by HTTP/1.1 straight to where it is for, whatever proxies the environment names: no option keeps
 * `fetch` from these. No redirect is followed. The body of the answer is read up to its end or that of the connection.
 */
export const sendDirect: Send = async (url, request) => {
  const { signal } = request;
  const connection = await connect(new URL(url), signal);
  const close = (): void => {
    signal.removeEventListener("abort", close);
    try {
      connection.close();
    } catch {
      // It is closed already.
    }
  };
  signal.addEventListener("abort", close);
  try {
    signal.throwIfAborted();
    await writeAll(connection, requestOf(new URL(url), request));
    const { status, headers, begun } = await readHead(connection);
    if (bodiless.has(status)) {
      close();
      return new Response(null, { status, headers });
    }
    return new Response(bodyOf(connection, { begun, close, ...framingOf(headers) }), { status, headers });
  } catch (error) {
    close();
    throw error;
  }
};

async function connect({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<Deno.Conn> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const isTls = protocol === "https:";
  const tcp = await Deno.connect({ hostname: host, port: Number(port || (isTls ? 443 : 80)), signal });
  if (!isTls) return tcp;
  const giveUp = (): void => tcp.close();
  signal.addEventListener("abort", giveUp);
  try {
    const tls = await Deno.startTls(tcp, { hostname: host });
    await tls.handshake();
    return tls;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function requestOf(
  { host, pathname, search, username, password }: URL,
  { method = "GET", headers: given, body }: Parameters<Send>[1],
): Uint8Array {
  const headers = new Headers(given);
  if (!headers.has("accept")) headers.set("accept", "*/*");
  if (username !== "" || password !== "") {
    const pair = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    headers.set("authorization", `Basic ${pair.toBase64()}`);
  }
  const bytes = new TextEncoder().encode(body ?? "");
  if (body !== undefined) {
    headers.set("content-length", String(bytes.length));
    if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
  }
  headers.set("host", host);
  headers.set("connection", "close");
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
  ];
  // Values of headers are bytes, written as characters up to 255.
  const head = Uint8Array.from(`${lines.join("\r\n")}\r\n\r\n`, (char) => char.charCodeAt(0));
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** Reads up to the end of the head, and what came of the body with it; heads that announce another are passed over. */
async function readHead(
  connection: Deno.Conn,
): Promise<{ status: number; headers: Headers; begun: Uint8Array }> {
  const latin1 = (bytes: Uint8Array): string =>
    Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const buffer = new Uint8Array(4_096);
  let text = "";
  for (let read = 0; read <= longestHead;) {
    const end = headEnd(text);
    if (end === undefined) {
      const count = await connection.read(buffer);
      if (count === null) throw new Error("the connection was closed before the answer");
      read += count;
      text += latin1(buffer.subarray(0, count));
      continue;
    }
    const head = parseHead(text.slice(0, end.length));
    if (head === undefined) throw new Error("invalid HTTP version parsed");
    text = text.slice(end.rest);
    if (head.status < 200) continue;
    const headers = new Headers(head.headers);
    return { status: head.status, headers, begun: Uint8Array.from(text, (char) => char.charCodeAt(0)) };
  }
  throw new Error("the head of the answer is longer than 64 KiB");
}

interface Framing {
  /** Bytes of the body; Infinity: up to the end of the connection. */
  length: number;
  isChunked: boolean;
}

function framingOf(headers: Headers): Framing {
  const length = headers.get("content-length") ?? "";
  return {
    isChunked: /chunked\s*$/i.test(headers.get("transfer-encoding") ?? ""),
    length: /^\d{1,15}$/.test(length) ? Number(length) : Infinity,
  };
}

/** The body, pulled as it is wanted. */
function bodyOf(
  connection: Deno.Conn,
  { begun, close, length, isChunked }: Framing & { begun: Uint8Array; close: () => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = isChunked ? new Unchunker() : undefined;
  let left = isChunked ? Infinity : length;
  let waiting: Uint8Array | undefined = begun;
  const buffer = new Uint8Array(16_384);
  return new ReadableStream({
    async pull(control) {
      while (left > 0 && chunks?.hasEnded !== true) {
        const count = waiting?.length ?? await connection.read(buffer);
        if (count === null) break;
        const bytes = (waiting ?? buffer).subarray(0, Math.min(count, left));
        waiting = undefined;
        left -= bytes.length;
        const body = chunks === undefined ? Uint8Array.from(bytes) : chunks.push(bytes);
        if (body.length === 0) continue;
        control.enqueue(body);
        return;
      }
      close();
      control.close();
    },
    cancel: close,
  });
}
