import { svcCommand } from "./daemon_process.ts";

/** What a call of svc has come to. */
export interface Called {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CallOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** With the rights that the shipped program has, and no more: the runtime keeps things from it then. */
  asShipped?: boolean;
}

/** What this process's environment says of a daemon is not meant for those of tests. */
export const plainEnv = {
  LC_ALL: "C.UTF-8",
  NO_COLOR: "1",
  SVC_URL: "",
  SVC_SOCKET: "",
  SVC_DATA: "",
  SVC_CONFIG: "",
};

/** svc as a process of its own, which is ended when it hangs. */
export function svcProcess(args: readonly string[], options: CallOptions = {}): Deno.Command {
  return piped([...commandOf(options), ...args], options);
}

/** Runs svc as a process of its own. */
export async function svc(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  return await calledBy(svcProcess(args, options));
}

/** Runs a shell line in which `$SVC` stands for the program. */
export async function svcShell(line: string, options: CallOptions = {}): Promise<Called> {
  const words = commandOf(options).map((word) => `'${word}'`).join(" ");
  return await calledBy(piped(["/bin/sh", "-c", line.replaceAll("$SVC", words)], options));
}

function commandOf({ asShipped = false }: CallOptions): string[] {
  return svcCommand().map((word) => word === "-A" && asShipped ? "-P=svc" : word);
}

function piped([program = "", ...args]: readonly string[], { cwd, env }: CallOptions): Deno.Command {
  return new Deno.Command(program, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...plainEnv, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(30_000),
  });
}

async function calledBy(command: Deno.Command): Promise<Called> {
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Reads a stream until it holds a text; answers all that came. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  text: string,
): Promise<string> {
  let all = "";
  const decoder = new TextDecoder();
  while (!all.includes(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    all += decoder.decode(value, { stream: true });
  }
  return all;
}
