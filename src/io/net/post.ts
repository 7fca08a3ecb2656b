import type { Post } from "../../core/notify/outgoing.ts";
import { reasonWords, type Verdict, verdictOf } from "../../core/notify/verdict.ts";
import type { Send } from "./direct.ts";
import { causeOf, endingAfter } from "./ending.ts";

/** The most that is read of an answer, bytes. */
const longestAnswer = 65_536;

/** Sends a request and judges the answer; no redirect is followed. `timeout` in ms, 0: none. */
export async function sendPost(
  post: Post,
  { send, timeout }: { send: Send; timeout: number },
): Promise<Verdict> {
  const { url, body } = post;
  let headers: Headers;
  try {
    headers = new Headers({ "user-agent": "svc", ...post.headers, ...await signatureOf(post) });
  } catch {
    return { is: "refused", why: "a header of the request holds a character that none may hold" };
  }
  using ending = endingAfter(timeout);
  try {
    const { signal } = ending;
    const response = await send(url, { method: "POST", headers, body, signal });
    const retryAfter = response.headers.get("retry-after");
    const location = response.headers.get("location");
    return verdictOf({
      status: response.status,
      ...(retryAfter === null ? {} : { retryAfter }),
      ...(location === null ? {} : { location: URL.parse(location, url)?.href ?? "" }),
      body: await beginning(response),
    }, Date.now());
  } catch (error) {
    return { is: "again", why: ending.words() ?? reasonWords(causeOf(error)) };
  }
}

/** HMAC-SHA256 over time and body, so that a receiver can tell who sent it, and that it is no old one sent again. */
async function signatureOf({ secret, body }: Post): Promise<Record<string, string>> {
  if (secret === undefined) return {};
  const timestamp = String(Math.floor(Date.now() / 1000));
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`${timestamp}.${body}`));
  return {
    "x-svc-timestamp": timestamp,
    "x-svc-signature": `sha256=${new Uint8Array(signature).toHex()}`,
  };
}

/** The beginning of an answer that has something to explain, or what of it came in time: its status counts anyway. */
async function beginning(response: Response): Promise<string> {
  const { body } = response;
  if (body === null) return "";
  if (response.ok) {
    await body.cancel().catch(() => {});
    return "";
  }
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for await (const chunk of body) {
      const part = chunk.subarray(0, longestAnswer - size);
      text += decoder.decode(part, { stream: true });
      size += part.length;
      if (size >= longestAnswer) break;
    }
  } catch {
    // Cut off, or out of time.
  }
  return text;
}
