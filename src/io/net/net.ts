import type { ProbeResult } from "../../core/health_check.ts";
import type { Mail, Post } from "../../core/notify/outgoing.ts";
import type { Verdict } from "../../core/notify/verdict.ts";
import { namesProxy } from "../../core/proxy_rules.ts";
import { messageOf } from "../../fault.ts";
import { restoreProgram } from "../restore_program.ts";
import { workerClient } from "../workers/client.ts";

/** All that the daemon wants of the network: whether somebody answers, and that somebody is told. Nothing fails as a promise. */
export interface Net {
  /** From now on connections lead to these addresses ("host:port") and to no other. */
  allow(addresses: readonly string[]): void;
  /** A request; a status from 200 to 399 passes, and no redirect is followed. `timeout` in ms, 0: none. */
  http(url: string, options: { timeout: number }): Promise<ProbeResult>;
  /** A connection, which is closed at once. `timeout` in ms, 0: none. */
  tcp(host: string, options: { port: number; timeout: number }): Promise<ProbeResult>;
  /** Sends what a receiver is to be told; no redirect is followed. `timeout` in ms, 0: none. */
  deliver(outgoing: Post | Mail, options: { timeout: number }): Promise<Verdict>;
  close(): void;
}

/** What the `net` worker is asked for. */
export type NetJob =
  /** `hasProxy`: the environment, which the worker can't see, sends requests through a proxy. */
  | { do: "allow"; addresses: readonly string[]; hasProxy: boolean }
  | { do: "http"; url: string; timeout: number }
  | { do: "tcp"; host: string; port: number; timeout: number }
  | { do: "deliver"; outgoing: Post | Mail; timeout: number };

/** What it answers: nothing where it is only told something. */
export type NetOutcome = ProbeResult | Verdict | undefined;

/**
 * The network behind a worker, which is started now, while the main thread may still hand on the permission `net`, and
 * lives for good. `entry` is the address of the program. Should the worker break down, `broke` is told of it once;
 * from then on every probe is `unknown`, and nothing can be sent.
 */
export function workerNet(
  { entry, addresses, broke }: { entry: string; addresses: readonly string[]; broke: (why: string) => void },
): Net {
  const worker = workerClient<NetJob, NetOutcome>({ entry, name: "net", net: true, lasting: { broke } });
  const probe = (job: NetJob): Promise<ProbeResult> =>
    worker.ask(job).then(
      (outcome) =>
        outcome !== undefined && "result" in outcome
          ? outcome
          : { result: "unknown", why: "the probe was not answered" },
      (error) => ({ result: "unknown", why: messageOf(error) }),
    );
  const hasProxy = namesProxy(Deno.env.toObject());
  const allow = (list: readonly string[]): void => void probe({ do: "allow", addresses: list, hasProxy });
  allow(addresses);
  return {
    allow,
    http: (url, { timeout }) => probe({ do: "http", url, timeout }),
    tcp: (host, { port, timeout }) => probe({ do: "tcp", host, port, timeout }),
    deliver: (outgoing, { timeout }) =>
      // The worker loads what sends mails for the first one, and can't look after its files itself.
      Promise.resolve(outgoing.do === "mail" ? restoreProgram() : undefined).then(() =>
        worker.ask({ do: "deliver", outgoing, timeout })
      ).then(
        (outcome): Verdict =>
          outcome !== undefined && "is" in outcome
            ? outcome
            : { is: "again", why: "the delivery was not answered" },
        (error): Verdict => ({ is: "again", why: messageOf(error) }),
      ),
    close: () => worker.close(),
  };
}
