import { folderOf } from "../core/config/path.ts";
import { absolutePath } from "../io/machine_places.ts";
import { findConfigFile, usualConfigFiles } from "../io/find_config.ts";
import { Fault } from "../fault.ts";
import { demandTrusted, distrusted, wordsOf } from "../io/trust.ts";

/** What the global flags say of places; an absent one falls to its variable, then to the default. */
export interface PlaceFlags {
  config?: string;
  data?: string;
  socket?: string;
}

/** Where a daemon's things are; all absolute. */
export interface Places {
  configPath: string;
  dataDir: string;
  socketPath: string;
  /** What names the socket, where it is named. */
  socketNamedBy?: "--socket" | "SVC_SOCKET";
  /** Set where the socket needs a folder of its own, which the daemon makes. */
  socketFolder?: string;
}

/** The longest path that a unix socket can have on every system that svc runs on. */
const longestSocketPath = 100;

/** Where a daemon listens with these flags and variables; the port is undefined where SVC_PORT names none. */
export function listenAddress(
  { host, port }: { host?: string; port?: number },
  env: Readonly<Record<string, string | undefined>>,
): { host: string; port: number | undefined } {
  const named = Number(env["SVC_PORT"] || "8420");
  const isPort = Number.isInteger(named) && named >= 0 && named < 65536;
  return { host: host ?? (env["SVC_HOST"] || "127.0.0.1"), port: port ?? (isPort ? named : undefined) };
}

/** Resolves configuration file, data folder and control socket (docs/configuration.md#where-the-file-is-looked-for). Throws `Fault` when there is no configuration. */
export function findPlaces(flags: PlaceFlags, env: Record<string, string> = Deno.env.toObject()): Places {
  const configPath = findConfigFile({ ...(flags.config === undefined ? {} : { flag: flags.config }), env });
  const dataDir = absolutePath(flags.data || env.SVC_DATA || defaultDataDir(configPath));
  return { configPath, dataDir, ...socketOf(dataDir, flags, env) };
}

/** The data folder and socket alone, for commands that need no configuration file when the folder is named. */
export function findDaemon(
  flags: PlaceFlags,
  env: Record<string, string> = Deno.env.toObject(),
): Omit<Places, "configPath"> {
  const socket = flags.socket || env.SVC_SOCKET;
  const data = flags.data || env.SVC_DATA;
  if (data) return { dataDir: absolutePath(data), ...socketOf(absolutePath(data), flags, env) };
  if (socket) return { dataDir: "", socketPath: absolutePath(socket) };
  return findPlaces(flags, env);
}

/**
 * The same for commands that speak to a daemon: its socket may be another than the default, as it wrote down at its
 * start. Throws `Fault` (forbidden) where somebody else could listen there, since what is sent there may be a secret;
 * where the flag names that very socket, `doubt` says so.
 */
export function findSocket(
  flags: PlaceFlags,
  env: Record<string, string> = Deno.env.toObject(),
): Omit<Places, "configPath"> & { doubt?: string } {
  const found = findDaemonStill(flags, env);
  if (flags.socket) {
    const distrust = distrusted(found.socketPath);
    if (distrust === undefined) return found;
    const why = wordsOf(distrust, found.socketPath);
    return { ...found, doubt: `control socket "${found.socketPath}": ${why}, and may hear what is sent` };
  }
  const socketPath = env.SVC_SOCKET || found.dataDir === ""
    ? found.socketPath
    : recordedSocket(found.dataDir) ?? found.socketPath;
  demandTrusted(socketPath, {
    attempt: `will not speak to control socket "${socketPath}"`,
    mend:
      "run svc as the daemon's user, or name the socket with --socket if that user is to hear what you send",
  });
  return { ...found, socketPath };
}

/** Where a daemon is, also one whose configuration has been removed from its place while it runs. */
function findDaemonStill(flags: PlaceFlags, env: Record<string, string>): Omit<Places, "configPath"> {
  try {
    return findDaemon(flags, env);
  } catch (error) {
    const isUnnamed = !flags.config && !env.SVC_CONFIG;
    if (!(error instanceof Fault) || error.code !== "not_found" || !isUnnamed) throw error;
    return leftBehind(error, env);
  }
}

/** The first data folder of a place without its configuration that has a control socket; where there is none, throws `gone`. */
function leftBehind(gone: Fault, env: Record<string, string>): Omit<Places, "configPath"> {
  for (const dataDir of usualConfigFiles({ env }).map(defaultDataDir)) {
    const { socketPath } = socketOf(dataDir, {}, env);
    if (!isSocket(socketPath)) continue;
    const distrust = distrusted(socketPath);
    if (distrust === undefined) return { dataDir, socketPath };
    throw new Fault(
      "not_found",
      `${gone.message}; there is a control socket "${socketPath}", but ${wordsOf(distrust, socketPath)}: ` +
        "name it with --socket if that user is to hear what you send",
    );
  }
  throw gone;
}

function isSocket(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSocket === true;
  } catch {
    return false;
  }
}

/** The socket that the running daemon says it has, where it is the daemon who says so. */
function recordedSocket(dataDir: string): string | undefined {
  const path = `${dataDir}/daemon.json`;
  if (distrusted(path) !== undefined) return undefined;
  try {
    const record: unknown = JSON.parse(Deno.readTextFileSync(path));
    if (typeof record !== "object" || record === null || !("socket_path" in record)) return undefined;
    return typeof record.socket_path === "string" ? record.socket_path : undefined;
  } catch {
    return undefined;
  }
}

function socketOf(
  dataDir: string,
  flags: PlaceFlags,
  env: Record<string, string>,
): Pick<Places, "socketPath" | "socketFolder" | "socketNamedBy"> {
  const named = flags.socket || env.SVC_SOCKET;
  if (named) {
    return { socketPath: absolutePath(named), socketNamedBy: flags.socket ? "--socket" : "SVC_SOCKET" };
  }
  const path = `${dataDir}/svc.sock`;
  if (path.length <= longestSocketPath) return { socketPath: path };
  const socketFolder = `${env.XDG_RUNTIME_DIR || env.TMPDIR || "/tmp"}/svc-${shortHash(dataDir)}`;
  return { socketPath: `${socketFolder}/svc.sock`, socketFolder };
}

function defaultDataDir(configPath: string): string {
  const folder = folderOf(configPath);
  return folder === "/etc/svc" ? "/var/lib/svc" : `${folder}/.svc`;
}

/** A few characters that differ for different texts (FNV-1a), good enough for a file name. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
