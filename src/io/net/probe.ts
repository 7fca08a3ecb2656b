import type { ProbeResult } from "../../core/health_check.ts";
import type { Send } from "./direct.ts";
import { causeOf, endingAfter } from "./ending.ts";

/** Whether a request is answered by a status from 200 to 399; no redirect is followed, no body read. */
export async function probeHttp(
  url: string,
  { send, timeout }: { send: Send; timeout: number },
): Promise<ProbeResult> {
  return await inTime(timeout, async (signal) => {
    const response = await send(url, { signal, headers: { "user-agent": "svc" } });
    await response.body?.cancel().catch(() => {});
    const { status } = response;
    return status >= 200 && status < 400
      ? { result: "passed" }
      : { result: "failed", why: `status ${status}` };
  });
}

/** Whether a port takes a connection, which is closed at once. */
export async function probeTcp(
  { host, port, timeout }: { host: string; port: number; timeout: number },
): Promise<ProbeResult> {
  return await inTime(timeout, async (signal) => {
    (await Deno.connect({ hostname: host, port, signal })).close();
    return { result: "passed" };
  });
}

async function inTime(
  timeout: number,
  probe: (signal: AbortSignal) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  using ending = endingAfter(timeout);
  try {
    return await probe(ending.signal);
  } catch (error) {
    return { result: "failed", why: ending.words() ?? causeOf(error) };
  }
}
