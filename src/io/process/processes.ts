import type { SystemReading } from "../../core/system_sample.ts";
import type { LogStream } from "../../types.ts";

/** What is to be started. Everything is decided; only the machine can still refuse. */
export interface LaunchSpec {
  runId: string;
  /** The unit's name: `$0` of the script. */
  name: string;
  shell: string;
  script: string;
  args: string[];
  /** Absolute, or beginning with `~`. */
  cwd: string;
  /** `inherit`: the daemon's own variables (less its `SVC_*`) lie beneath `env`; `clean`: a bare set does. */
  envBase: "inherit" | "clean";
  env: Record<string, string>;
  /** Octal text. */
  umask?: string;
  /** "name" or "name:group". */
  user?: string;
}

/** Where the life of a process is told. `exited` comes once; `drained` once, when both pipes have ended. */
export interface ProcessSink {
  output(stream: Exclude<LogStream, "system">, chunk: Uint8Array): void;
  exited(exit: ProcessExit): void;
  drained(): void;
}

/** How a process ended; `failure` says why a launcher could not get as far as the script. */
export interface ProcessExit {
  code: number;
  signal?: string;
  failure?: string;
}

/** A process that was started: leader of its own session and group. */
export interface LaunchedProcess {
  readonly pid: number;
  /** Sends a signal to the whole group; nothing happens when the group is gone. */
  signal(name: string): void;
  /** Stops reading pipes that a stray holds open; `drained` follows. */
  abandon(): void;
}

/** What a sweep for a run's processes found. Pids. */
export interface Swept {
  killed: number[];
  left: number[];
}

/** What does not change about the machine. */
export interface Machine {
  /** Its name. */
  host: string;
  /** e.g. "linux", "darwin". */
  os: string;
  /** e.g. "amd64", "arm64". */
  arch: string;
  cores: number;
  /** The daemon's working folder. */
  workDir: string;
}

/** The machine's processes, as far as a supervisor must know them. */
export interface Processes {
  /** Starts a process; throws `Fault` when shell, folder, user or the machine refuses. */
  launch(spec: LaunchSpec, sink: ProcessSink): LaunchedProcess;
  /** The boot that this is (UUID text; empty where it can't be told). */
  bootId(): Promise<string>;
  /** Start time of a live process in ticks after boot; undefined when it is gone. */
  startTicks(pid: number): Promise<string | undefined>;
  /** Sends SIGKILL to a process group of an earlier daemon. */
  killGroup(pid: number): void;
  /** Kills every process that carries one of the run ids in its environment, wherever it went. */
  sweep(runIds: readonly string[]): Promise<Swept>;
  /** Live processes that carry a run id: pid to run id. */
  carriers(): Promise<Map<number, string>>;
  /** The machine's counters of processors and memory; undefined where they can't be read. */
  systemReading(): Promise<SystemReading | undefined>;
  machine(): Machine;
  /** Resident memory of this process itself, bytes. */
  residentMemory(): number;
  close(): Promise<void>;
}
