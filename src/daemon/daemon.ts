import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { Engine } from "../engine/engine.ts";
import { Refusals } from "../engine/refusals.ts";
import type { World } from "../engine/world.ts";
import { parseHostPort } from "../core/config/formats.ts";
import { connectionShares } from "../core/listen/shares.ts";
import { netUses } from "../core/net_uses.ts";
import { stopMargin } from "../core/service_file.ts";
import { createApp } from "../http/app.ts";
import type { DaemonFacts } from "../http/facts.ts";
import { instanceInfo } from "../http/routes/daemon.ts";
import { createMetricsApp } from "../http/routes/metrics.ts";
import { serveSocket, serveTcp, type TcpOptions } from "../http/serve.ts";
import type { Door, Listener } from "../http/listen/door.ts";
import { Streams } from "../http/streams/streams.ts";
import { isPrivateHost } from "../core/addresses.ts";
import { systemClock } from "../io/clock.ts";
import { loadConfigFile } from "../io/config_files.ts";
import { workerLoader } from "../io/config_loader.ts";
import { ConfigWatcher } from "../io/config_watcher.ts";
import type { DaemonLog } from "../io/daemon_log.ts";
import { descriptorLimit } from "../io/descriptor_limit.ts";
import { removeIfPossible } from "../io/folder_lock.ts";
import { lostVariables } from "../io/lost_variables.ts";
import { ulidSource } from "../io/ids.ts";
import { workerLister } from "../io/store/run_lister.ts";
import { workerSearcher } from "../io/logs/searcher.ts";
import { LogStore } from "../io/logs/store.ts";
import { hostTimezone } from "../io/machine_places.ts";
import { type Net, workerNet } from "../io/net/net.ts";
import { missingHelpers } from "../io/programs.ts";
import { docker } from "../io/docker.ts";
import { sendmail } from "../io/sendmail.ts";
import { ownAccount } from "../io/process/accounts.ts";
import { systemProcesses } from "../io/process/system.ts";
import { systemTracer } from "../io/tracer.ts";
import type { RecentLines } from "../io/recent_lines.ts";
import { type ServiceManager, serviceManager, watchedBy } from "../io/service_manager/service_manager.ts";
import { Store } from "../io/store/store.ts";
import type { Places } from "../local/places.ts";
import type { Config, Problem } from "../types.ts";
import { version } from "../version.ts";
import { startedBy } from "./again.ts";
import { type Access, accessOf, authSetup, certificateOf, originOf } from "./access.ts";
import { readPassword } from "./given_password.ts";
import { claimSocketFolder, lockDataFolder, lookAtSocketPlace, prepareFile } from "./data_folder.ts";
import { closedDoor, heldDoor } from "./doors.ts";
import { errorReport } from "./error_report.ts";
import { FolderWatch } from "./folder_watch.ts";
import { Holdings } from "./holdings.ts";
import { capabilities, isServiceManaged, placeWarning } from "./surroundings.ts";
import { askForTrial, beginTrial, endTrial, longestTrial } from "./upgrades.ts";

/** What a daemon is started with. */
export interface DaemonOptions {
  places: Places;
  host: string;
  /** 0: any free one. */
  port: number;
  log: DaemonLog;
  /** What the command line says of the log, for who starts another in this one's place. */
  told?: { logLevel?: string; logFormat?: string };
  /** What `log` has written of late. */
  lines: RecentLines;
  /** Address of the program: it serves as a worker when it finds itself in one. */
  entry: string;
  /** Resolves when a stop in order is asked for, which may be before the daemon is there. */
  stopAsked?: Promise<unknown>;
}

/** A daemon that runs. */
export interface Daemon {
  engine: Engine;
  url: string;
  port: number;
  /** Ends everything in order; resolves when it is safe to exit. */
  stop(): Promise<void>;
  /** The same, but that what runs goes on, for the next daemon. */
  leave(): Promise<void>;
}

/** How long clients may take to receive their last answer when the daemon stops, ms. */
const longestGoodbye = 800;

/** A configuration that can't be used, with everything that is wrong with it. */
export class InvalidConfig extends Error {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super(`${problems.length} ${problems.length === 1 ? "problem" : "problems"} in the configuration`);
    this.problems = problems;
  }
}

/**
 * Starts a daemon: configuration, data folder, listeners, then recovery and the units, so that whatever can
 * be refused is refused before anything runs. Throws `Fault` or `InvalidConfig`.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const config = await checkedConfig(options.places.configPath, options.log);
  const { env, isExposed } = readPassword(Deno.env.toObject());
  if (isExposed) {
    options.log.warn(
      "the password stands in this process's environment, where runs of the same user can read it: put it into a file, " +
        "and name that in SVC_PASSWORD_FILE",
    );
  }
  // Refused before anything is touched.
  if (config.daemon.timezone === undefined) hostTimezone();
  const access = accessOf(config.daemon, env);
  const holdings = new Holdings(systemClock, options.log);
  try {
    return await start(options, { config, access, holdings });
  } catch (error) {
    await holdings.end();
    throw error;
  }
}

/** Takes one thing after the other, and says of each at once how it is given back. */
async function start(
  options: DaemonOptions,
  { config, access, holdings }: { config: Config; access: Access; holdings: Holdings },
): Promise<Daemon> {
  const { places, log, host } = options;
  let manager: ServiceManager | undefined = undefined;
  holdings.add("what speaks to the service manager", () => manager?.close());
  const folder = lockDataFolder(places.dataDir);
  holdings.add("the hold of the data folder", () => folder.release());
  const markStop = (): void => {
    const why = folder.markStop();
    if (why !== undefined) log.warn("this stop can't be noted in the data folder", { error: why });
  };
  void options.stopAsked?.then(markStop);
  const descriptors = descriptorLimit();
  const lost = lostVariables();
  manager = serviceManager(watchedBy(Deno.env.toObject(), Deno.pid), {
    entry: options.entry,
    clock: systemClock,
    folder: places.dataDir,
    failed: (why) => log.warn("the service manager can't be told how the daemon is", { error: why }),
  });
  await manager.starting();
  const isOnTrial = await beginTrial(folder.path, log);
  const store = new Store(`${folder.path}/svc.db`);
  holdings.add("the database", () => store.close());
  if (store.unclean) log.warn("the daemon before this one did not end in order; its database is intact");
  const certificate = await certificateOf(access, {
    dataDir: places.dataDir,
    host,
    externalUrl: config.daemon.externalUrl,
    now: systemClock.now(),
    warn: (sentence) => log.warn(sentence),
  });
  const net = netOf(options, config);
  holdings.add("the network", () => net?.close());
  const tracer = await systemTracer();
  const world: World = {
    ...makeWorld(options, { store, fingerprint: fingerprintOf(store) }),
    ...(net === undefined ? {} : { net }),
    ...(tracer === undefined ? {} : { tracer }),
  };
  const { processes, searcher, lister, loader, logs } = world;
  holdings.add("the logs", () => logs.synced());
  let isLeaving = false;
  holdings.add("the helpers that look at processes", () => processes.close({ isLeft: isLeaving }));
  for (const [what, worker] of Object.entries({ loader, lister, searcher })) {
    holdings.add(`the ${what}`, () => worker.close());
  }
  const users = config.units.some(({ user }) => user !== undefined);
  for (const sentence of missingHelpers({ users })) log.warn(sentence);
  const warning = placeWarning(Deno.pid);
  if (warning !== undefined) log.warn(warning);
  for (const name of await lost) {
    log.warn("a variable of the daemon is not UTF-8, and runs will not have it: set it in UTF-8", { name });
  }
  const groups = processes.prepare();
  const listeners: Listener[] = [];
  let isSocketBound = false;
  holdings.add("the control socket's file", () => {
    if (isSocketBound && folder.isHeld()) removeIfPossible(places.socketPath);
  });
  holdings.add("the listeners", () => Promise.all(listeners.map((listener) => listener.close())), {
    ms: longestGoodbye,
    isTold: false,
  });
  const port = (): number => listeners[0]!.port;
  const origin = (): string => originOf({ host, port: port(), isTls: certificate !== undefined });
  let engine: Engine | undefined;
  const facts: DaemonFacts = {
    ...factsOf(options, { store, port, listeners }),
    askForTrial: () => askForTrial(folder.path, store),
    authDisabled: access.auth.mode === "off",
    auth: authSetup(access, {
      store,
      clock: systemClock,
      // Nobody comes in before it is there.
      ageNow: () => engine!.ageNow(),
      ownerOf: (connection) => processes.peerOwner(connection),
      origin,
    }),
  };
  const { door, open } = closedDoor();
  const shares = connectionShares(await descriptors);
  const tcp = { host, port: options.port, log, ...(certificate === undefined ? {} : { certificate }) };
  listeners.push(await serve(door, { ...tcp, connections: shares.tcp }));
  const metrics = closedDoor();
  const metricsAddress = metricsAddressOf(config);
  if (metricsAddress !== undefined) {
    listeners.push(await serve(metrics.door, { ...tcp, ...metricsAddress, connections: shares.metrics }));
  }
  if (places.socketFolder !== undefined) claimSocketFolder(places.socketFolder);
  lookAtSocketPlace(places, { warn: (sentence) => log.warn(sentence) });
  listeners.push(
    await serveSocket(door, {
      path: places.socketPath,
      keptAs: `${folder.path}/svc.sock.kept`,
      connections: shares.socket,
      log,
    }),
  );
  isSocketBound = true;
  // Accepted connections go on; from here on the main thread can't open any.
  await Deno.permissions.revoke({ name: "net" });
  const { available, limits } = await groups;
  facts.capabilities = capabilities({ ...config.daemon, cgroup: available });
  const url = origin();
  const announce = prepareFile(
    `${folder.path}/daemon.json`,
    JSON.stringify({
      ...instanceInfo(facts),
      port: port(),
      url,
      started_by: startedBy({ ...places, host, port: port(), ...options.told }),
    }) + "\n",
  );
  // What is asked of the system is asked by now.
  processes.machine();
  ownAccount();
  await Deno.permissions.revoke({ name: "sys" });
  let streams: Streams | undefined = undefined;
  // Who follows the last run still hears of its end; who takes nothing more in is not waited for.
  holdings.add("the streams", () => streams?.close());
  const started = engine = await Engine.start(world, config, {
    ...(isOnTrial ? { trial: { ms: longestTrial, confirmed: () => endTrial(folder.path) } } : {}),
  });
  holdings.add("the units", () => isLeaving ? started.leave() : started.stop(), { ms: 0 });
  const watcher = new ConfigWatcher(systemClock, {
    current: () => started.config,
    tell: (isStale) => started.tellStale(isStale),
    warn: (sentence) => log.warn(sentence),
  });
  holdings.add("the watch of the configuration", () => watcher.close());
  const folderWatch = new FolderWatch(systemClock, { folder, log });
  holdings.add("the watch of the data folder", () => folderWatch.close());
  facts.isConfigStale = () => watcher.check();
  streams = new Streams(started, { daemonLines: options.lines });
  const app = createApp(started, facts, { streams });
  open(heldDoor(app, () => isLeaving ? "leaving" : started.trial === undefined ? undefined : "on_trial"));
  metrics.open(createMetricsApp(started, facts));
  started.watch();
  watcher.start();
  folderWatch.start();
  announce();
  manager.ready(`units: ${config.units.length}; ${url}`);
  const held = [...limits].join(" ") || "none";
  log.info("ready", { url, socket: places.socketPath, units: config.units.length, limits: held });
  tellOfAccess(access, { log, host, isTls: certificate !== undefined, config });
  const stop = once(async () => {
    if (isLeaving) manager.leaving();
    else {
      markStop();
      manager.stopping(started.config.daemon.shutdownTimeout + stopMargin);
    }
    await holdings.end();
  });
  const leave = (): Promise<void> => {
    isLeaving = true;
    return stop();
  };
  return { engine: started, url, port: port(), stop, leave };
}

async function serve(door: Door, options: TcpOptions): Promise<Listener> {
  if (isPrivateHost(options.host)) return await serveTcp(door, options);
  // Its server takes 5 MB of memory, which only who listens to others has a use for.
  const { servePublic } = await import("../http/serve_public.ts");
  return servePublic(door, options);
}

/** Where metrics are served beside the main listener; undefined: nowhere. */
function metricsAddressOf({ daemon }: Config): Pick<TcpOptions, "host" | "port" | "chosenBy"> | undefined {
  if (!daemon.metrics || daemon.metricsListen === undefined) return undefined;
  return { ...parseHostPort(daemon.metricsListen)!, chosenBy: "metrics_listen in [daemon]" };
}

async function checkedConfig(path: string, log: DaemonLog): Promise<Config> {
  const { config, errors, warnings } = await loadConfigFile(path);
  if (config === undefined || errors.length > 0) throw new InvalidConfig(errors);
  for (const { file, line, column, key, message } of warnings) {
    log.warn(message, { key: key || undefined, at: line > 0 ? `${file}:${line}:${column}` : file });
  }
  return config;
}

/** What an operator should know of who can come in. */
function tellOfAccess(
  { auth }: Access,
  { log, host, isTls, config }: { log: DaemonLog; host: string; isTls: boolean; config: Config },
): void {
  const isOpen = !isPrivateHost(host);
  if (auth.mode === "off") {
    log.warn(`authentication is off: everybody who can reach ${host} controls this daemon`);
    return;
  }
  if (auth.password === undefined) log.info('the page asks for a password: "svc password" prints it');
  if (isOpen && !isTls && !config.daemon.externalUrl.startsWith("https:")) {
    log.warn(
      `plain HTTP on ${host}: who can listen on the network can take over a session; ` +
        'set tls = "auto", or put a proxy that speaks TLS before it',
    );
  }
}

/** The worker that opens connections for the daemon, which must be made before the main thread gives that up; undefined: no need. */
function netOf({ entry, log }: DaemonOptions, config: Config): Net | undefined {
  const addresses = netUses(config).map(({ address }) => address);
  if (addresses.length === 0) return undefined;
  return workerNet({
    entry,
    addresses,
    broke: (error) =>
      log.error(
        "the worker for the network broke down: until the daemon is restarted, health checks by http and tcp tell " +
          "nothing, and no notification or ping leaves the machine",
        { error },
      ),
  });
}

function makeWorld(
  { places, log, entry }: DaemonOptions,
  { store, fingerprint }: { store: Store; fingerprint: string },
): World {
  // A copy of the data folder must not be taken for the original, nor two folders of one machine for each other.
  const key = sha256(utf8ToBytes(`${fingerprint} ${Deno.realPathSync(places.dataDir)}`)).toHex();
  const processes = systemProcesses({
    noteFolder: `${places.dataDir}/notes`,
    keepers: { keepers: `${places.dataDir}/keepers`, spools: `${places.dataDir}/spools` },
    key: key.slice(0, 16),
    say: (text) => log.warn(text),
  });
  return {
    clock: systemClock,
    processes,
    store,
    logs: new LogStore(`${places.dataDir}/logs`, systemClock, { journals: `${places.dataDir}/journals` }),
    searcher: workerSearcher({ entry, root: `${places.dataDir}/logs` }),
    lister: workerLister(store.runs, { entry, path: `${places.dataDir}/svc.db` }),
    freeSpace: () => processes.freeSpace(places.dataDir),
    sendmail,
    docker,
    hostName: Deno.hostname(),
    newId: ulidSource(() => Date.now()),
    log,
    refusals: new Refusals({ clock: systemClock, log }),
    loader: workerLoader({ entry, path: places.configPath }),
    hostTimezone,
  };
}

function factsOf(
  { places, log }: DaemonOptions,
  { store, port, listeners }: { store: Store; port: () => number; listeners: readonly Listener[] },
): Omit<DaemonFacts, "auth" | "authDisabled"> {
  return {
    version,
    fingerprint: fingerprintOf(store),
    pid: Deno.pid,
    dataDir: places.dataDir,
    configPath: places.configPath,
    socketPath: places.socketPath,
    port,
    serviceManaged: isServiceManaged(),
    capabilities: [],
    isConfigStale: () => false,
    process: () => ({
      versions: Deno.version,
      memory: Deno.memoryUsage(),
      connections: listeners.map(({ name, open }) => ({ listener: name, open })),
    }),
    report: errorReport(log, () => performance.now()),
  };
}

function fingerprintOf(store: Store): string {
  return store.setting("fingerprint", () => crypto.randomUUID().replaceAll("-", ""));
}

function once(f: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => done ??= f();
}
