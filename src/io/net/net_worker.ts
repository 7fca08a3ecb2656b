import type { ProbeResult } from "../../core/health_check.ts";
import { addressOf, addressOfUrl } from "../../core/net_uses.ts";
import { durationWords } from "../../core/time_words.ts";
import { messageOf } from "../../fault.ts";
import type { NetJob, NetOutcome } from "./probes.ts";

/** Says that a probe took too long. */
const late = Symbol("late");

/** Does the jobs of the `net` worker: it may connect to anything, and itself keeps to the addresses it was told. */
export function netJobs(): (job: NetJob) => NetOutcome | Promise<NetOutcome> {
  let allowed: ReadonlySet<string> = new Set();
  // A connection that breaks when nobody looks at it any more must not end the worker: there won't be another.
  globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
  // No connection is kept for the next probe: that the port answers is what is asked.
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  return (job) => {
    if (job.do === "allow") {
      allowed = new Set(job.addresses);
      return undefined;
    }
    const address = job.do === "http" ? addressOfUrl(job.url) : addressOf(job.host, job.port);
    if (!allowed.has(address)) {
      return { result: "unknown", why: `${address} is no address of the configuration in force` };
    }
    return job.do === "http" ? probeHttp(job.url, { client, timeout: job.timeout }) : probeTcp(job);
  };
}

async function probeHttp(
  url: string,
  { client, timeout }: { client: Deno.HttpClient; timeout: number },
): Promise<ProbeResult> {
  return await inTime(timeout, async (signal) => {
    const response = await fetch(url, {
      client,
      signal,
      redirect: "manual",
      headers: { "user-agent": "svc" },
    });
    await response.body?.cancel().catch(() => {});
    const { status } = response;
    return status >= 200 && status < 400
      ? { result: "passed" }
      : { result: "failed", why: `status ${status}` };
  });
}

async function probeTcp(
  { host, port, timeout }: { host: string; port: number; timeout: number },
): Promise<ProbeResult> {
  return await inTime(timeout, async (signal) => {
    (await Deno.connect({ hostname: host, port, signal })).close();
    return { result: "passed" };
  });
}

/** Gives a probe up when its time is over (ms; 0: never). */
async function inTime(
  timeout: number,
  probe: (signal: AbortSignal) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  const ending = new AbortController();
  const timer = timeout > 0 ? setTimeout(() => ending.abort(late), timeout) : undefined;
  try {
    return await probe(ending.signal);
  } catch (error) {
    const why = ending.signal.aborted ? `no answer within ${durationWords(timeout)}` : reasonOf(error);
    return { result: "failed", why };
  } finally {
    clearTimeout(timer);
  }
}

/** Without the web address, which `fetch` quotes and which may hold a password: what stands behind it says enough. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const text = messageOf(cause ?? error).replace(/\(https?:\/\/[^\s]*\)/g, "");
  return text.replace(/^error sending request[^:]*: /, "").replace(/^client error \(\w+\): /, "");
}
