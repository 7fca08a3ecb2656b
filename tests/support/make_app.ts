import type { TestEngine } from "./make_engine.ts";
import { createApp } from "../../src/http/app.ts";
import type { DaemonFacts } from "../../src/http/facts.ts";
import type { Peer } from "../../src/http/router.ts";

/** An answer, read. */
export interface Answer {
  status: number;
  // deno-lint-ignore no-explicit-any -- a test looks into any body
  body: any;
  /** What the body says of its schema; it is left out of `body`. */
  schema: string | undefined;
  headers: Headers;
}

/** What a test may say of a request. */
export interface Ask {
  method?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  text?: string;
  headers?: Record<string, string>;
  peer?: Peer;
}

/** HTTP in memory over an engine: `(path, options)` to answer. Errors that are the daemon's own are thrown. */
export function makeApp(
  test: TestEngine,
  own: Partial<DaemonFacts> = {},
): (path: string, ask?: Ask) => Promise<Answer> {
  const facts = testFacts(own);
  const app = createApp(test.engine, facts);
  return async (path, ask = {}) => {
    const headers = new Headers(ask.headers);
    const init: RequestInit = { method: ask.method ?? "GET", headers };
    if (ask.json !== undefined) {
      init.body = JSON.stringify(ask.json);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
    }
    if (ask.text !== undefined) init.body = ask.text;
    const response = await app.request(path, init, { peer: ask.peer ?? { kind: "socket" } });
    const text = await response.text();
    const isJson = text !== "" && /json/.test(response.headers.get("content-type") ?? "");
    if (!isJson) return { status: response.status, body: text, schema: undefined, headers: response.headers };
    const { $schema: schema, ...body } = JSON.parse(text);
    return { status: response.status, body, schema, headers: response.headers };
  };
}

/** What an app of a test knows of its daemon. Errors that are the daemon's own are thrown. */
export function testFacts(own: Partial<DaemonFacts> = {}): DaemonFacts {
  return {
    version: "1.2.3",
    fingerprint: "f00d",
    pid: 4711,
    dataDir: "/data",
    configPath: "/etc/test/svc.toml",
    socketPath: "/data/svc.sock",
    port: () => 8420,
    serviceManaged: false,
    authDisabled: true,
    capabilities: [{ name: "docker", available: false }],
    isConfigStale: () => false,
    process: () => ({
      versions: { deno: "2.0.0", v8: "13.0" },
      memory: { rss: 70e6, heapTotal: 20e6, heapUsed: 15e6, external: 1e6 },
      connections: [{ listener: "the control socket", open: 1 }],
    }),
    report: (error) => reportError(error),
    ...own,
  };
}
