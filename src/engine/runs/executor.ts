import type { Sweep } from "../../core/run_machine.ts";
import type {
  Finished,
  KeepOrder,
  ProcessSink,
  RunProcess,
  SpoolPositions,
} from "../../io/process/processes.ts";
import type { Run, Unit } from "../../types.ts";

/**
 * What starts runs: on this machine, in containers. It may be slow, lose answers, and tell an end twice or never:
 * `BoundedExecutor` stands before each.
 */
export interface Executor {
  /**
   * Starts what a run executes; `sink` hears of its output and its end, also where nobody waits for it any more.
   * Throws in words for the user where it can't be started, and then nothing of it is there.
   */
  launch(run: Run, options: LaunchOptions): Execution;
  /** Goes on with what an earlier daemon started for a run that this machine still has; throws as `launch` does. */
  adopt(run: Run, options: AdoptOptions): Execution;
}

/** What is needed however a run gets its execution. */
interface CommonOptions {
  unit: Unit;
  sink: ProcessSink;
  /** Says in the log of the run what is worth telling. */
  say: (text: string) => void;
}

export interface LaunchOptions extends CommonOptions {
  /** The trace that the run belongs to. */
  traceparent: string | undefined;
  /** A program that must be there. */
  needs?: string;
  /** What it is started with that may outlive this daemon. */
  keep?: KeepOrder | undefined;
}

export interface AdoptOptions extends CommonOptions {
  /** From there on its output is to come. */
  positions: SpoolPositions;
}

/** What a run executes, from its start until it is cleared up after. Whoever asks one behind `BoundedExecutor` has an answer within bounds. */
export interface Execution {
  /** The process that carries it on this machine; it may be another until `started` resolves. */
  readonly pid: number;
  /** Resolves once `pid` is final, or it has ended before; never rejects. */
  readonly started: Promise<void>;
  /** Asks all of it to end, or whatever the signal means to it. */
  signal(name: string): Promise<void>;
  /** Ends all of it at once, wherever it went. */
  kill(): Promise<void>;
  /** Whether its process lives of whose end nobody was told; undefined where that can't be told. */
  lives(): Promise<boolean | undefined>;
  /** What of it still lives after its process has ended; undefined where that can't be told. */
  look(): Promise<RunProcess[] | undefined>;
  /** A signal to what was seen last, as far as the first signal did not reach it. */
  signalRest(name: string): void;
  /** Ends what was seen last, and all else of it. */
  killRest(): Promise<void>;
  /** Clears up after it once its process has ended. */
  finish(what: Sweep): Promise<Finished>;
  /** Stops reading pipes that a stray holds open; the sink hears that they have ended. */
  abandon(): void;
  /** Reads nothing any more, and leaves all of it as it is to the next daemon. Resolves once what was read has arrived. */
  leave(): Promise<void>;
  /** Goes on reading pipes that strays hold open, and throws away what comes. */
  release(): void;
  /** What could not be done for it although it started: a sentence each, each told once. */
  troubles(): string[];
  /** Its end is stored: what only a later daemon would need may go. */
  dismiss(): void;
}
