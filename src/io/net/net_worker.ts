import type { ProbeResult } from "../../core/health_check.ts";
import { addressOf, addressOfUrl } from "../../core/net_uses.ts";
import type { Mail, Post } from "../../core/notify/outgoing.ts";
import { withoutSecrets } from "../../core/notify/secrets.ts";
import type { Verdict } from "../../core/notify/verdict.ts";
import { isOwnMachine } from "../../core/proxy_rules.ts";
import { type Send, sendDirect } from "./direct.ts";
import { sendMail } from "./mail.ts";
import type { NetJob, NetOutcome } from "./net.ts";
import { sendPost } from "./post.ts";
import { probeHttp, probeTcp } from "./probe.ts";

/** Does the jobs of the `net` worker: it may connect to anything, and itself keeps to the addresses it was told. */
export function netJobs(): (job: NetJob) => NetOutcome | Promise<NetOutcome> {
  let allowed: ReadonlySet<string> = new Set();
  // A connection that breaks when nobody looks at it any more must not end the worker: there won't be another.
  globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
  // No connection is kept for the next time: that the port answers is what is asked, and messages are rare.
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const sendByFetch: Send = (url, request) => fetch(url, { ...request, client, redirect: "manual" });
  /** What asks this machine, and whether something is healthy: never a proxy, which `fetch` takes where there is one. */
  let sendPast = sendByFetch;

  async function probe(job: NetJob & { do: "http" | "tcp" }): Promise<ProbeResult> {
    const address = job.do === "http" ? addressOfUrl(job.url) : addressOf(job.host, job.port);
    if (!allowed.has(address)) return { result: "unknown", why: closed(address) };
    return await (job.do === "http"
      ? probeHttp(job.url, { send: sendPast, timeout: job.timeout })
      : probeTcp(job));
  }

  async function deliver(outgoing: Post | Mail, timeout: number): Promise<Verdict> {
    const address = outgoing.do === "post"
      ? addressOfUrl(outgoing.url)
      : addressOf(outgoing.host, outgoing.port);
    if (!allowed.has(address)) return { is: "refused", why: closed(address) };
    const verdict = outgoing.do === "post"
      ? await sendPost(outgoing, { send: isOwnMachine(outgoing.url) ? sendPast : sendByFetch, timeout })
      : await sendMail(outgoing, { timeout });
    return withoutSecrets(verdict, outgoing);
  }

  return (job) => {
    switch (job.do) {
      case "allow":
        allowed = new Set(job.addresses);
        sendPast = job.hasProxy ? sendDirect : sendByFetch;
        return undefined;
      case "deliver":
        return deliver(job.outgoing, job.timeout);
      default:
        return probe(job);
    }
  };
}

function closed(address: string): string {
  return `${address} is no address of the configuration in force`;
}
