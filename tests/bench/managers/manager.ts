/** A program that keeps services running, as the comparison drives it. */
export interface Manager {
  name: string;
  /** Makes sure that it is there; its version, or why it can't take part. */
  prepare(): Promise<{ version: string } | { missing: string }>;
  /** Starts it on units, in a folder that may have been used before by the same; resolves once it answers. */
  start(units: readonly ManagedUnit[], place: Place): Promise<Running>;
  /** What its users do so that it has its services again after its death. */
  save?(place: Place): Promise<void>;
  /** Starts it again where one was killed, in the way in which its users do that. */
  startAgain(place: Place): Promise<Running>;
}

/** What is to be run: a service, or what is started by request only. */
export interface ManagedUnit {
  name: string;
  /** A program and arguments, by single spaces, without anything that a shell would see. */
  run: string;
  instances?: number;
  /** When it is due, for managers that have schedules. */
  cron?: string;
  /** Whether it starts with its manager and is started again whenever it ends. */
  isService: boolean;
  /** A service that is started again at once, where a manager waits unless told otherwise. */
  atOnce?: boolean;
}

/** Where one run of a manager lives. */
export interface Place {
  folder: string;
  /** Part of the environment of all that is started. */
  env: Record<string, string>;
}

/** A manager that runs. */
export interface Running {
  /** The process that is killed when it is to die. */
  pid: number;
  /** Starts a unit that is no service, and resolves once it can be started again. */
  run(name: string): Promise<void>;
  /** Asks for the start of a unit that is no service. */
  begin(name: string): Promise<void>;
  /** Bytes of a unit's output that are stored, as the manager's users would find them. */
  stored(name: string): Promise<number>;
  /** Ends what talks to it; itself is ended by its mark. */
  leave(): Promise<void>;
}

/** A port of loopback that nobody listened on a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Runs a command to its end; its output, or an error that quotes what it said. */
export async function call(command: readonly string[], options: Deno.CommandOptions = {}): Promise<string> {
  const [program, ...args] = command;
  const { success, stdout, stderr } = await new Deno.Command(program!, { stdin: "null", ...options, args })
    .output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${command.join(" ")}: ${decoder.decode(stderr)}${decoder.decode(stdout)}`);
  return decoder.decode(stdout);
}

/** Size of a file, bytes; 0 where there is none. */
export async function sizeOf(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => undefined))?.size ?? 0;
}
