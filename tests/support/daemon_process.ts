import type { InstanceInfoJson } from "../../src/http/schemas/daemon.ts";
import { v8Flags } from "../../src/local/service/program.ts";

/** A daemon in a process of its own, on a folder of its own. */
export interface DaemonProcess {
  folder: string;
  dataDir: string;
  url: string;
  pid: number;
  /** Everything it has written to standard error so far. */
  log: () => string;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a signal and resolves with the exit code; -1 for an end by signal. */
  end(signal?: Deno.Signal): Promise<number>;
  /** Resolves with the exit code once it has ended by itself. */
  ended(): Promise<number>;
}

/** The command that runs svc here: `SVC_BINARY`, or the source. */
export function svcCommand(): string[] {
  const binary = Deno.env.get("SVC_BINARY");
  if (binary) return [binary];
  return [
    Deno.execPath(),
    "run",
    "-A",
    "--no-prompt",
    "-q",
    v8Flags,
    new URL("../../main.ts", import.meta.url).pathname,
  ];
}

/** A daemon in a process of its own from its first moment, ready or not. */
export interface SpawnedDaemon {
  dataDir: string;
  pid: number;
  log: () => string;
  /** Resolves once it is ready; undefined when it ended before that, or took more than a minute. */
  ready(): Promise<DaemonProcess | undefined>;
  end(signal?: Deno.Signal): Promise<number>;
  ended(): Promise<number>;
}

/** What a daemon is started with. */
export interface StartOptions {
  /** A new one unless given. */
  folder?: string;
  /** `.svc` in the folder unless given. */
  dataDir?: string;
  env?: Record<string, string>;
  args?: string[];
  /** What a shell does before it becomes the daemon, e.g. "ulimit -n 128". */
  first?: string;
  /** Nobody reads its standard error: `log` stays empty. */
  unread?: boolean;
  /** It may be killed while it writes down which code was covered, and half of that would be no use to anybody. */
  leavesNoCoverage?: boolean;
}

/** Writes a configuration into `folder` (a new one unless given), starts a daemon on it, and waits until it is ready. */
export async function startDaemonProcess(
  config: string,
  options: StartOptions = {},
): Promise<DaemonProcess> {
  const folder = options.folder ?? await Deno.makeTempDir({ prefix: "svc-test-" });
  const spawned = await spawnDaemonProcess(config, { ...options, folder });
  const daemon = await spawned.ready();
  if (daemon !== undefined) return daemon;
  await spawned.end("SIGKILL");
  throw new Error(`the daemon did not start:\n${spawned.log()}`);
}

/** Writes a configuration into `folder` and starts a daemon on it. */
export async function spawnDaemonProcess(
  config: string,
  options: StartOptions & { folder: string },
): Promise<SpawnedDaemon> {
  const { folder } = options;
  const dataDir = options.dataDir ?? `${folder}/.svc`;
  await Deno.writeTextFile(`${folder}/svc.toml`, config);
  await Deno.remove(`${dataDir}/daemon.json`).catch(() => {});
  const { first } = options;
  const [program, ...args] = first === undefined
    ? svcCommand()
    : ["/bin/sh", "-c", `${first}; exec "$@"`, "sh", ...svcCommand()];
  const child = new Deno.Command(program!, {
    args: [
      ...args,
      "daemon",
      "-c",
      `${folder}/svc.toml`,
      "--data",
      dataDir,
      "--port",
      "0",
      ...options.args ?? [],
    ],
    clearEnv: true,
    env: {
      ...ownEnvironment(options.leavesNoCoverage ?? false),
      // Tests that are about something else come in without a password.
      ...(options.env?.SVC_PASSWORD === undefined ? { SVC_AUTH: "off" } : {}),
      ...options.env,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = (async () => {
    if (options.unread) return;
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  let ended = false;
  const status = child.status.then(async (end) => {
    ended = true;
    if (options.unread) await child.stderr.cancel();
    return end;
  });
  const exitCode = async (): Promise<number> => {
    const end = await status;
    await reading;
    return end.signal === null ? end.code : -1;
  };
  const common = {
    dataDir,
    log: () => log,
    async end(signal: Deno.Signal = "SIGTERM"): Promise<number> {
      if (!ended) child.kill(signal);
      return await exitCode();
    },
    ended: exitCode,
  };
  return {
    ...common,
    pid: child.pid,
    async ready() {
      const info = await readyInfo(`${dataDir}/daemon.json`, { pid: child.pid, gaveUp: () => ended });
      if (info === undefined) {
        if (ended) await reading;
        return undefined;
      }
      return {
        ...common,
        folder,
        url: info.url,
        pid: info.pid,
        request: (path, init) => fetch(info.url + path, init),
      };
    },
  };
}

/** What the daemon of this process says of itself; what a dead one left where nothing can be removed is not it. */
async function readyInfo(
  path: string,
  { pid, gaveUp }: { pid: number; gaveUp: () => boolean },
): Promise<InstanceInfoJson & { url: string; port: number } | undefined> {
  const deadline = Date.now() + 60_000;
  while (!gaveUp() && Date.now() < deadline) {
    try {
      const info = JSON.parse(await Deno.readTextFile(path));
      if (info.pid === pid) return info;
    } catch {
      // It is not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}

function ownEnvironment(leavesNoCoverage: boolean): Record<string, string> {
  const { DENO_COVERAGE_DIR: folder, ...rest } = Deno.env.toObject();
  return leavesNoCoverage || folder === undefined ? rest : { ...rest, DENO_COVERAGE_DIR: folder };
}
