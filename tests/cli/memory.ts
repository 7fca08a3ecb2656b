import { runCli, type Surroundings } from "../../src/cli/cli.ts";
import type { Locals } from "../../src/cli/locals.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { createApp } from "../../src/http/app.ts";
import type { DaemonFacts } from "../../src/http/facts.ts";
import type { Peer } from "../../src/http/router.ts";
import type { TestEngine } from "../support/make_engine.ts";

/** A terminal that keeps what is written. */
export interface MemoryTerminal extends Terminal {
  /** All that went to standard output, and to standard error. */
  stdout: string;
  stderr: string;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

export function memoryTerminal(
  options: { isTerminal?: boolean; width?: number; env?: Record<string, string>; secret?: string } = {},
): MemoryTerminal {
  const listeners = new Set<() => void>();
  const isTerminal = options.isTerminal ?? false;
  const terminal: MemoryTerminal = {
    stdout: "",
    stderr: "",
    out: {
      isTerminal,
      write: (text) => void (terminal.stdout += text),
      copy: (text) => terminal.out.write(text),
      writeBytes: (bytes) => void (terminal.stdout += new TextDecoder("latin1").decode(bytes)),
    },
    err: {
      isTerminal,
      write: (text) => void (terminal.stderr += text),
      copy: (text) => terminal.err.write(text),
      writeBytes: (bytes) => void (terminal.stderr += new TextDecoder("latin1").decode(bytes)),
    },
    width: options.width ?? Infinity,
    env: options.env ?? { LANG: "C.UTF-8" },
    readSecret: () => Promise.resolve(options.secret),
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt: () => listeners.forEach((listener) => listener()),
  };
  return terminal;
}

/** What works without a daemon, where a test says nothing else: nothing does. */
export function fakeLocals(own: Partial<Locals> = {}): Locals {
  const missing = (): Promise<never> => Promise.reject(new Error("not in this test"));
  return {
    commit: "source",
    version: "9.8.7",
    schema: () => Promise.resolve(7),
    upgradeTools: missing,
    findDaemon: () => Promise.resolve({ dataDir: "/data", socketPath: "/data/svc.sock" }),
    findConfig: () => Promise.resolve("/etc/svc.toml"),
    readPassword: missing,
    runDaemon: missing,
    validate: missing,
    renderValidation: missing,
    readConfig: missing,
    configSchema: missing,
    planService: missing,
    installService: missing,
    uninstallService: missing,
    serviceState: missing,
    reap: missing,
    prepareDemo: missing,
    restore: missing,
    examine: missing,
    importUnits: missing,
    runStandalone: missing,
    openTui: missing,
    prepareStarter: missing,
    startBackground: missing,
    ...own,
  };
}

/** Runs a command line; answers its code and what it wrote. */
export async function call(
  args: readonly string[],
  options: Surroundings & { locals?: Partial<Locals>; terminal?: MemoryTerminal } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const terminal = options.terminal ?? memoryTerminal();
  const surroundings = { timezone: "UTC", ...options, terminal };
  const code = await runCli(args, fakeLocals(options.locals), surroundings);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

/** The routes of a real engine as a fetch, without a network. */
export function fetchFrom(
  test: TestEngine,
  { facts: own = {}, peer = { kind: "socket" } }: { facts?: Partial<DaemonFacts>; peer?: Peer } = {},
): typeof fetch {
  const facts: DaemonFacts = {
    version: "9.8.7",
    fingerprint: "00ff",
    pid: 4711,
    dataDir: "/data",
    configPath: "/data/svc.toml",
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
    report: (error) => {
      throw error;
    },
    ...own,
  };
  const app = createApp(test.engine, facts);
  return async (input, init) =>
    await app.fetch(new Request(input instanceof URL ? input.href : input, init), { peer });
}

/** Lets everything else go on until a condition holds; throws when it doesn't in 10,000 turns. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve));
  }
  throw new RangeError(`never: ${holds}`);
}
