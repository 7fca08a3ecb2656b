import type { LimitName } from "../../core/limits.ts";
import type { LocalConnection } from "../../core/peer_owner.ts";
import type { NamedProcess } from "../../core/pid_words.ts";
import type { Exit, Sweep } from "../../core/run_machine.ts";
import type { SystemReading } from "../../core/system_sample.ts";
import type { SpoolPosition, SpoolPositions } from "../../core/spool_position.ts";
import type { UsageReading } from "../../core/usage.ts";
import type { Limits, LogStream } from "../../types.ts";

export type { SpoolPosition, SpoolPositions } from "../../core/spool_position.ts";

/** What is to be started. Everything is decided; only the machine can still refuse. */
export interface LaunchSpec {
  runId: string;
  /** The unit's name: `$0` of the script. */
  name: string;
  shell: string;
  /** A pipe fails with any of its parts. */
  pipefail?: boolean;
  /** A program that must be found in PATH: without it the run can't be started. */
  needs?: string;
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
  /** Those that the machine can't hold are passed over. */
  limits: Limits;
  /** A later daemon is to be able to take it over; passed over where `keeping` says that it can't be had. */
  keep?: KeepOrder;
}

/** What a run is kept with, so that it outlives the daemon (docs/behaviour.md#life-beyond-the-daemon). */
export interface KeepOrder {
  /** A random word that stands in the run's row, too: a row alone makes nobody touch a process. */
  nonce: string;
  /** What the next daemon wants to know, secrets among it: it stands in the keeper's file alone. */
  about: string;
  /** From its first output on it goes by way of files: nothing of it is lost when the daemon dies. */
  isLong: boolean;
  /** Called before it is started without a keeper after all; what that throws keeps it from being started. */
  unkept: () => void;
}

/** Whether runs outlive the daemon here, and why not. */
export interface KeepAbility {
  available: boolean;
  why?: string;
}

/** A run that an earlier daemon of this data folder left with its keeper. */
export interface KeptRun {
  runId: string;
  nonce: string;
  about: string;
  /** The leader of its session. */
  pid: number;
  /** How long it has run by the machine's clock, ms; undefined where it has ended, or that can't be told. */
  ranFor?: number;
  /** How and when (Unix ms) it ended; absent while it lives. */
  ended?: { exit: ProcessExit; at: number };
}

/** Where the life of a process is told. `exited` comes once; `drained` once, when both pipes have ended. */
export interface ProcessSink {
  /**
   * Takes as much of what came as it can at once; answers how many bytes that were, one at least. The rest comes again.
   * `position`: behind all of the chunk that came, where it came by way of files.
   */
  output(stream: Exclude<LogStream, "system">, chunk: Uint8Array, position?: SpoolPosition): number;
  exited(exit: ProcessExit): void;
  pipesClosed(): void;
}

/** How a process ended; `failure` says why a launcher could not get as far as the script. */
export type ProcessExit = Exit;

/** A process that was started: leader of its own session and group. */
export interface LaunchedProcess {
  /** Of a kept run, that of its keeper until `started` resolves. */
  readonly pid: number;
  /** Resolves once `pid` is that of the run itself, or it has ended before; never rejects. */
  readonly started: Promise<void>;
  /**
   * Sends a signal to the whole group, and lets what was suspended go on, so that it hears it; nothing happens when the
   * group is gone. Throws `Fault` where the machine does not allow it.
   */
  signal(name: string): void;
  /** Stops reading pipes that a stray holds open; `drained` follows. */
  abandon(): void;
  /**
   * Reads nothing any more, and leaves all of it as it is to the next daemon: `drained` does not follow. Resolves once all
   * that was read has arrived; never rejects.
   */
  leave(): Promise<void>;
  /** Goes on reading pipes that strays hold open, and throws away what comes; nobody hears of it any more. */
  release(): void;
  /** What could not be done for the run although it started: a sentence each, each told once. */
  troubles(): string[];
  /** Its end is stored, or nobody waits for it: its keeper, what that has written down, and its spools may go. */
  dismiss(): void;
}

/** What tells the processes of a run from others. */
export interface RunMark {
  runId: string;
  /** The leader of its session. */
  pid: number;
}

/** What the daemon may do with control groups on this machine. */
export interface GroupAbility {
  /** Every run gets a group of its own. */
  available: boolean;
  /** Limits that can be held. */
  limits: ReadonlySet<LimitName>;
  /** The group of the second version that the daemon shares with others, where that is what keeps it from more. */
  shared?: string;
}

/** A process that still lives of a run. */
export interface RunProcess extends NamedProcess {
  /** Its process group. */
  group: number;
}

/** Whether a signal to a process group of which nothing else is known arrived: `refused`, it is another user's by now. */
export type Reach = "sent" | "gone" | "refused";

/** What a sweep for a run's processes found. */
export interface Swept {
  killed: NamedProcess[];
  left: NamedProcess[];
  /** Set where the machine did not tell, so that more may be left: why. */
  untold?: string;
}

/** What was left of a run at its end, and what all of it has used, where that can be told. */
export interface Finished extends Swept {
  usage?: UsageReading;
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
  /** Finds out what can be done here; to be waited for before anything else is asked. */
  prepare(): Promise<GroupAbility>;
  /** What `prepare` has found. */
  readonly groups: GroupAbility;
  /** What `prepare` has found. */
  readonly keeping: KeepAbility;
  /** When the daemon before this one was gone, Unix ms, as `prepare` has found it; undefined where nobody saw that. */
  readonly diedAt?: number | undefined;
  /** What is there of runs that an earlier daemon left with their keepers; those of which nothing can be told are not among it. */
  findKept(runIds: readonly string[]): Promise<KeptRun[]>;
  /** Takes over a run that `findKept` has found: its output from a place on, and its end. */
  adopt(runId: string, sink: ProcessSink, positions: SpoolPositions): LaunchedProcess;
  /** Ends what keepers have of runs that nobody has taken over, and removes what they wrote down; tells of the processes. */
  dropKept(): Promise<Swept>;
  /** Keeps variables of the daemon's own environment from what is launched from now on; gives back their values. */
  hide(variables: readonly string[]): string[];
  /** Starts a process; throws `Fault` when shell, folder, user or the machine refuses. */
  launch(spec: LaunchSpec, sink: ProcessSink): LaunchedProcess;
  /** The boot that this is (UUID text; empty where it can't be told). */
  bootId(): Promise<string>;
  /** Start time of a live process in ticks after boot; undefined when it is gone. */
  startTicks(pid: number): Promise<string | undefined>;
  /** Whether a process that was launched here, and whose end was not told, lives; undefined where that can't be told. */
  lives(pid: number): Promise<boolean | undefined>;
  /** Sends SIGKILL to a process group of an earlier daemon. */
  killGroup(pid: number): Reach;
  /** What still lives of a run whose process has ended; undefined where that can't be told. */
  left(run: RunMark): Promise<RunProcess[] | undefined>;
  /** Sends a signal to processes that were seen just now; who is gone, or another's, is passed over. */
  signal(processes: readonly NamedProcess[], name: string): void;
  /** Kills all that a run has at this moment, wherever it went. */
  killAll(run: RunMark): Promise<void>;
  /** Looks at what is left of a run whose process has ended; it is killed unless `what` is "spare". */
  finish(run: RunMark, what: Sweep): Promise<Finished>;
  /** What runs use at this moment, in one look at all of them; a run that can't be read has no entry. */
  usage(runs: readonly RunMark[]): Promise<Map<string, UsageReading>>;
  /**
   * Kills what an earlier daemon of this installation left: what sits in its groups, apart from strays that it
   * let go, and what carries one of the run ids in its environment.
   */
  killLeftovers(runIds: readonly string[]): Promise<Swept>;
  /** Live processes that carry a run id: pid to run id. */
  carriers(): Promise<Map<number, string>>;
  /** The machine's counters of processors and memory; undefined where they can't be read. */
  systemReading(): Promise<SystemReading | undefined>;
  /** The user at the other end of a connection of this machine to itself; undefined where that can't be told soon. */
  peerOwner(connection: LocalConnection): Promise<number | undefined>;
  /** Bytes that the file system of a folder has left for this user; undefined where it can't be told. */
  freeSpace(folder: string): Promise<number | undefined>;
  machine(): Machine;
  /** Resident memory of this process itself, bytes. */
  residentMemory(): number;
  /** `isLeft`: what runs goes on, and is looked after until another daemon comes. */
  close(options?: { isLeft: boolean }): Promise<void>;
}
