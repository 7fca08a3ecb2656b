import type { InstanceInfoJson } from "../../src/http/schemas/daemon.ts";

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
    new URL("../../main.ts", import.meta.url).pathname,
  ];
}

/** Writes a configuration into `folder` (a new one unless given), starts a daemon on it, and waits until it is ready. */
export async function startDaemonProcess(
  config: string,
  options: { folder?: string; env?: Record<string, string>; args?: string[] } = {},
): Promise<DaemonProcess> {
  const folder = options.folder ?? await Deno.makeTempDir({ prefix: "svc-test-" });
  const dataDir = `${folder}/.svc`;
  await Deno.writeTextFile(`${folder}/svc.toml`, config);
  await Deno.remove(`${dataDir}/daemon.json`).catch(() => {});
  const [program, ...args] = svcCommand();
  const child = new Deno.Command(program!, {
    args: [...args, "daemon", "-c", `${folder}/svc.toml`, "--port", "0", ...options.args ?? []],
    // Tests that are about something else come in without a password.
    env: options.env?.SVC_PASSWORD === undefined ? { SVC_AUTH: "off", ...options.env } : options.env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  let ended = false;
  const status = child.status.then((end) => {
    ended = true;
    return end;
  });
  const exitCode = async (): Promise<number> => {
    const end = await status;
    await reading;
    return end.signal === null ? end.code : -1;
  };
  const info = await readyInfo(`${dataDir}/daemon.json`, () => ended);
  if (info === undefined) {
    await reading;
    throw new Error(`the daemon did not start:\n${log}`);
  }
  return {
    folder,
    dataDir,
    url: info.url,
    pid: info.pid,
    log: () => log,
    request: (path, init) => fetch(info.url + path, init),
    async end(signal = "SIGTERM") {
      if (!ended) child.kill(signal);
      return await exitCode();
    },
    ended: exitCode,
  };
}

async function readyInfo(
  path: string,
  gaveUp: () => boolean,
): Promise<InstanceInfoJson & { url: string; port: number } | undefined> {
  const deadline = Date.now() + 20_000;
  while (!gaveUp() && Date.now() < deadline) {
    try {
      return JSON.parse(await Deno.readTextFile(path));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return undefined;
}
