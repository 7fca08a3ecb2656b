import type { Sendmail } from "../core/notify/outgoing.ts";
import type { Verdict } from "../core/notify/verdict.ts";
import type { Clock } from "../io/clock.ts";
import type { ConfigLoader } from "../io/config_loader.ts";
import type { DaemonLog } from "../io/daemon_log.ts";
import type { Docker } from "../io/docker.ts";
import type { LogSearcher } from "../io/logs/searcher.ts";
import type { LogStore } from "../io/logs/store.ts";
import type { Net } from "../io/net/net.ts";
import type { Processes } from "../io/process/processes.ts";
import type { RunLister } from "../io/store/run_lister.ts";
import type { Store } from "../io/store/store.ts";
import type { Refusals } from "./refusals.ts";
import type { Tracer } from "../io/otel_tracer.ts";

/** Everything outside the engine that it acts on; made once in src/daemon/daemon.ts, or by a test. */
export interface World {
  clock: Clock;
  processes: Processes;
  store: Store;
  logs: LogStore;
  searcher: LogSearcher;
  lister: RunLister;
  /** Bytes that are free where the logs are; undefined where it can't be told. */
  freeSpace: () => Promise<number | undefined>;
  /** Absent when the configuration at start had no use for the network: it can't be had later. */
  net?: Net;
  /** Absent where nobody collects traces. */
  tracer?: Tracer;
  /** Hands a mail to a program of this machine; `timeout` in ms, 0: none. Does not fail as a promise. */
  sendmail: (outgoing: Sendmail, options: { timeout: number }) => Promise<Verdict>;
  /** What runs in containers. */
  docker: Docker;
  /** What this machine is called in messages. */
  hostName: string;
  /** Sortable unique ids. */
  newId: () => string;
  log: DaemonLog;
  /** Whoever can't store something, and tries again, says so here. */
  refusals: Refusals;
  /** Reads and checks the configuration file anew. */
  loader: ConfigLoader;
  /** IANA name of the host's time zone as it is now. Throws `Fault` where its name can't be told. */
  hostTimezone: () => string;
}

/** What the life of one run needs of it. */
export type RunWorld = Pick<
  World,
  "clock" | "processes" | "store" | "logs" | "log" | "refusals" | "tracer" | "docker"
>;
