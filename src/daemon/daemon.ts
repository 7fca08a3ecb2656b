import { Engine } from "../engine/engine.ts";
import type { World } from "../engine/world.ts";
import { Fault, messageOf } from "../fault.ts";
import { createApp } from "../http/app.ts";
import type { DaemonFacts, Peer } from "../http/facts.ts";
import { instanceInfo } from "../http/routes/daemon.ts";
import { type Listener, serveSocket, serveTcp } from "../http/serve.ts";
import { systemClock } from "../io/clock.ts";
import { loadConfigFile } from "../io/config_files.ts";
import { isConfigStale } from "../io/config_stale.ts";
import type { DaemonLog } from "../io/daemon_log.ts";
import { ulidSource } from "../io/ids.ts";
import { LogStore } from "../io/logs/store.ts";
import { systemProcesses } from "../io/process/system.ts";
import { Store } from "../io/store/store.ts";
import type { Places } from "../local/places.ts";
import type { Config, Problem } from "../types.ts";
import { version } from "../version.ts";
import { takeDataFolder, takeSocketFolder, writeAtomically } from "./data_folder.ts";
import { capabilities, isServiceManaged } from "./surroundings.ts";

/** What a daemon is started with. */
export interface DaemonOptions {
  places: Places;
  host: string;
  /** 0: any free one. */
  port: number;
  log: DaemonLog;
}

/** A daemon that runs. */
export interface Daemon {
  engine: Engine;
  url: string;
  port: number;
  /** Ends everything in order; resolves when it is safe to exit. */
  stop(): Promise<void>;
}

/** A configuration that can't be used, with everything that is wrong with it. */
export class InvalidConfig extends Error {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super(`${problems.length} problems in the configuration`);
    this.problems = problems;
  }
}

/**
 * Starts a daemon: configuration, data folder, listeners, then recovery and the units, so that whatever can
 * be refused is refused before anything runs. Throws `Fault` or `InvalidConfig`.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { places, log } = options;
  refuseOpenHost(options.host);
  const config = checkedConfig(places.configPath, log);
  const folder = takeDataFolder(places.dataDir);
  let store: Store | undefined;
  const listeners: Listener[] = [];
  try {
    store = new Store(`${folder.path}/svc.db`);
    if (store.unclean) log.warn("the daemon before this one did not end in order; its database is intact");
    const world = makeWorld(options, store);
    const facts = factsOf(options, store, () => listeners[0]!.port);
    const { promise: ready, resolve: open } = Promise.withResolvers<ReturnType<typeof createApp>>();
    // Requests that come before the units are up wait for them.
    const door = {
      fetch: async (request: Request, env: { peer: Peer }) => (await ready).fetch(request, env),
    };
    listeners.push(serveTcp(door, options));
    if (places.socketFolder !== undefined) takeSocketFolder(places.socketFolder);
    listeners.push(serveSocket(door, places.socketPath));
    // Accepted connections go on; from here on the main thread can't open any.
    await Deno.permissions.revoke({ name: "net" });
    const engine = await Engine.start(world, config);
    facts.isConfigStale = () => isConfigStale(engine.config);
    open(createApp(engine, facts));
    const port = listeners[0]!.port;
    const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`;
    writeAtomically(
      `${folder.path}/daemon.json`,
      JSON.stringify({ ...instanceInfo(facts), port, url }) + "\n",
    );
    log.info("ready", { url, socket: places.socketPath, units: config.units.length });
    const stop = once(async () => {
      await engine.stop();
      await Promise.all(listeners.map((listener) => listener.close()));
      await world.processes.close();
      await world.logs.settle();
      store!.close();
      removeSocket(places.socketPath);
      folder.release();
    });
    return { engine, url, port, stop };
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    store?.close();
    folder.release();
    throw error;
  }
}

function checkedConfig(path: string, log: DaemonLog): Config {
  const { config, errors, warnings } = loadConfigFile(path);
  if (config === undefined || errors.length > 0) throw new InvalidConfig(errors);
  for (const { file, line, column, key, message } of warnings) {
    log.warn(message, { key: key || undefined, at: line > 0 ? `${file}:${line}:${column}` : file });
  }
  return config;
}

/** Authentication is not there yet, so nobody but this machine may reach the daemon. */
function refuseOpenHost(host: string): void {
  if (host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)) return;
  throw new Fault(
    "forbidden",
    `cannot listen on "${host}": this version has no authentication and listens on loopback only; use --host 127.0.0.1`,
  );
}

function makeWorld({ places, log }: DaemonOptions, store: Store): World {
  return {
    clock: systemClock,
    processes: systemProcesses(`${places.dataDir}/notes`),
    store,
    logs: new LogStore(`${places.dataDir}/logs`, systemClock),
    newId: ulidSource(() => Date.now()),
    log,
    loadConfig: () => loadConfigFile(places.configPath),
    hostTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function factsOf({ places, log }: DaemonOptions, store: Store, port: () => number): DaemonFacts {
  return {
    version,
    fingerprint: store.setting("fingerprint", () => crypto.randomUUID().replaceAll("-", "")),
    pid: Deno.pid,
    dataDir: places.dataDir,
    configPath: places.configPath,
    socketPath: places.socketPath,
    port,
    serviceManaged: isServiceManaged(),
    authDisabled: true,
    capabilities: capabilities(),
    isConfigStale: () => false,
    report: (error) =>
      log.error("internal error while answering a request", { error: error.stack ?? messageOf(error) }),
  };
}

function removeSocket(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function once(f: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => done ??= f();
}
