import { createApp } from "../../src/http/app.ts";
import type { DaemonFacts } from "../../src/http/facts.ts";
import type { Peer } from "../../src/http/router.ts";
import { type DaemonLines, Streams } from "../../src/http/streams/streams.ts";
import { FairShare } from "../../src/http/streams/fair_share.ts";
import { EventReader } from "./event_reader.ts";
import type { TestEngine } from "./make_engine.ts";
import { counted } from "./seams.ts";

/** Streams that have read for long rest in real time; who waits for quiet waits for the end of that, too. */
class CountedShare extends FairShare {
  override wait(): Promise<void> {
    return counted(super.wait());
  }
}

/** HTTP in memory over an engine, for answers that are read as they come. */
export interface StreamApp {
  streams: Streams;
  fetch(path: string, options?: { peer?: Peer; headers?: Record<string, string>; method?: string }): Promise<
    Response
  >;
  /** Opens a stream of events. */
  open(path: string, options?: { lastId?: string; peer?: Peer }): Promise<EventReader>;
}

export function makeStreams(test: TestEngine, options: { daemonLines?: DaemonLines } = {}): StreamApp {
  const facts: DaemonFacts = {
    version: "1.2.3",
    fingerprint: "f00d",
    pid: 4711,
    dataDir: "/data",
    configPath: "/etc/test/svc.toml",
    socketPath: "/data/svc.sock",
    port: () => 8420,
    serviceManaged: false,
    authDisabled: true,
    capabilities: [],
    isConfigStale: () => false,
    process: () => ({
      versions: { deno: "2.0.0", v8: "13.0" },
      memory: { rss: 70e6, heapTotal: 20e6, heapUsed: 15e6, external: 1e6 },
      connections: [{ listener: "the control socket", open: 1 }],
    }),
    report: (error) => reportError(error),
  };
  const streams = new Streams(test.engine, { ...options, share: new CountedShare() });
  const app = createApp(test.engine, facts, { streams });
  const fetch: StreamApp["fetch"] = async (path, { peer, headers = {}, method = "GET" } = {}) =>
    await app.request(path, { method, headers }, { peer: peer ?? { kind: "socket" } });
  return {
    streams,
    fetch,
    async open(path, { lastId, peer } = {}) {
      const headers = lastId === undefined ? {} : { headers: { "last-event-id": lastId } };
      const response = await fetch(path, { ...headers, ...peer === undefined ? {} : { peer } });
      if (response.status !== 200) throw new RangeError(await response.text());
      return new EventReader(response.body);
    },
  };
}
