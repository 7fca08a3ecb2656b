import type { ProbeResult } from "../../core/health_check.ts";
import { messageOf } from "../../fault.ts";
import { workerClient } from "../workers/client.ts";

/** Looks over the network whether somebody answers. A probe never fails as a promise. */
export interface NetProbes {
  /** From now on connections lead to these addresses ("host:port") and to no other. */
  allow(addresses: readonly string[]): void;
  /** A request; a status from 200 to 399 passes, and no redirect is followed. `timeout` in ms, 0: none. */
  http(url: string, options: { timeout: number }): Promise<ProbeResult>;
  /** A connection, which is closed at once. `timeout` in ms, 0: none. */
  tcp(host: string, options: { port: number; timeout: number }): Promise<ProbeResult>;
  close(): void;
}

/** What the `net` worker is asked for. */
export type NetJob =
  | { do: "allow"; addresses: readonly string[] }
  | { do: "http"; url: string; timeout: number }
  | { do: "tcp"; host: string; port: number; timeout: number };

/** What it answers: nothing but to a probe. */
export type NetOutcome = ProbeResult | undefined;

/**
 * Probes in a worker, which is started now, while the main thread may still hand on the permission `net`, and lives
 * for good. `entry` is the address of the program. Should the worker break down, `broke` is told of it once, and
 * every probe is `unknown` from then on.
 */
export function workerProbes(
  { entry, addresses, broke }: { entry: string; addresses: readonly string[]; broke: (why: string) => void },
): NetProbes {
  const worker = workerClient<NetJob, NetOutcome>({ entry, name: "net", net: true, lasting: { broke } });
  const probe = (job: NetJob): Promise<ProbeResult> =>
    worker.ask(job).then(
      (outcome) => outcome ?? { result: "unknown", why: "the probe was not answered" },
      (error) => ({ result: "unknown", why: messageOf(error) }),
    );
  const allow = (list: readonly string[]): void => void probe({ do: "allow", addresses: list });
  allow(addresses);
  return {
    allow,
    http: (url, { timeout }) => probe({ do: "http", url, timeout }),
    tcp: (host, { port, timeout }) => probe({ do: "tcp", host, port, timeout }),
    close: () => worker.close(),
  };
}
