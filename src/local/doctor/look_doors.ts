import type { DaemonSeen, Identity, PortSeen } from "../../core/doctor/doors.ts";
import type { Refusing } from "../../core/refusal.ts";
import { holderOf } from "../../io/folder_lock.ts";
import { readRegular } from "../../io/read_regular.ts";

/** How long a door may take to answer, ms. */
const patience = 3_000;

/** What a running daemon says of itself beside its identity, as far as this program knows it. */
export interface DaemonWord {
  isManaged: boolean;
  hasGroups: boolean;
  /** Its database refuses what it has to store. */
  refusing?: Refusing;
}

/** Looks who holds the data folder, and who listens at its control socket; `version` is that of this program. */
export async function lookAtDaemon(
  { dataDir, socketPath, version }: { dataDir: string; socketPath: string; version: string },
): Promise<{ seen: DaemonSeen; word: DaemonWord | undefined }> {
  const holder = dataDir === "" ? undefined : lockHolder(dataDir);
  const found = await lookAtSocket(socketPath);
  return {
    seen: {
      dataDir,
      ...(holder === undefined ? {} : { holder }),
      socketPath,
      socket: found.socket,
      ...(found.identity === undefined ? {} : { identity: found.identity }),
      version,
    },
    word: found.word,
  };
}

/** Looks at an address; `isUp`: the daemon that is meant should be the one that answers there. */
export async function lookAtPort(
  { host, port, isUp }: { host: string; port: number; isUp: boolean },
): Promise<PortSeen> {
  if (isUp) return { host, port, state: await answers(reachable(host), port) ? "answers" : "silent" };
  try {
    Deno.listen({ hostname: host, port }).close();
    return { host, port, state: "free" };
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      const by = await identityAt(fetch, `http://${bracketed(reachable(host))}:${port}`);
      return { host, port, state: "taken", ...(by === undefined ? {} : { by }) };
    }
    return { host, port, state: error instanceof Deno.errors.PermissionDenied ? "forbidden" : "no_address" };
  }
}

/** The port in the address of a daemon. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

/** No daemon writes down more of itself, in bytes. */
const largestRecord = 65_536;

/** What the daemon wrote down of itself; a dead one may have left it. */
export function recordIn(dataDir: string): { socketPath?: string; url?: string } {
  try {
    const bytes = readRegular(`${dataDir}/daemon.json`, largestRecord);
    if (typeof bytes === "string") return {};
    const record = JSON.parse(new TextDecoder().decode(bytes));
    return {
      ...(typeof record.socket_path === "string" ? { socketPath: record.socket_path } : {}),
      ...(typeof record.url === "string" && URL.canParse(record.url) ? { url: record.url } : {}),
    };
  } catch {
    return {};
  }
}

function lockHolder(dataDir: string): string | undefined {
  try {
    return holderOf(dataDir);
  } catch {
    // Somebody else's: the look at the folder tells.
    return undefined;
  }
}

async function lookAtSocket(
  path: string,
): Promise<{ socket: DaemonSeen["socket"]; identity?: Identity; word?: DaemonWord }> {
  try {
    if (Deno.statSync(path).isSocket === false) return { socket: "no_socket" };
  } catch (error) {
    const isAbsent = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
    return { socket: isAbsent ? "absent" : "forbidden" };
  }
  try {
    (await Deno.connect({ transport: "unix", path })).close();
  } catch (error) {
    return { socket: error instanceof Deno.errors.PermissionDenied ? "forbidden" : "stale" };
  }
  using client = Deno.createHttpClient({ proxy: { transport: "unix", path } });
  const ask: typeof fetch = (input, init) => fetch(input, { ...init, client });
  const identity = await identityAt(ask, "http://localhost");
  if (identity === undefined) return { socket: await isSilent(ask) ? "silent" : "other" };
  const info = await answerOf(ask, "http://localhost/api/daemon");
  const word = info === undefined ? undefined : {
    isManaged: info.service_managed === true,
    hasGroups: Array.isArray(info.capabilities) &&
      info.capabilities.some((one) => one?.name === "cgroup" && one.available === true),
    ...refusingIn(info.refusing),
  };
  return { socket: "svc", identity, ...(word === undefined ? {} : { word }) };
}

function refusingIn(told: unknown): { refusing?: Refusing } {
  if (typeof told !== "object" || told === null || !("since" in told && "why" in told)) return {};
  const since = Date.parse(String(told.since));
  return Number.isNaN(since) ? {} : { refusing: { since, why: String(told.why) } };
}

async function identityAt(ask: typeof fetch, base: string): Promise<Identity | undefined> {
  const answer = await answerOf(ask, `${base}/api/daemon/identity`);
  if (answer?.app !== "svc") return undefined;
  return { version: String(answer.version), pid: Number(answer.pid), dataDir: String(answer.data_dir) };
}

async function answerOf(ask: typeof fetch, url: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await ask(url, { signal: AbortSignal.timeout(patience) });
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? body as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}

async function isSilent(ask: typeof fetch): Promise<boolean> {
  try {
    await (await ask("http://localhost/health", { signal: AbortSignal.timeout(patience) })).body?.cancel();
    return false;
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError";
  }
}

async function answers(hostname: string, port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname, port })).close();
    return true;
  } catch {
    return false;
  }
}

/** By which address a listener is reached from here. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return /^[0:]+$/.test(host) ? "::1" : host;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
