import type { Sweep } from "../../core/run_machine.ts";
import type { Finished, ProcessSink, RunProcess } from "../../io/process/processes.ts";
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
}

export interface LaunchOptions {
  unit: Unit;
  /** The trace that the run belongs to. */
  traceparent: string | undefined;
  sink: ProcessSink;
  /** A program that must be there. */
  needs?: string;
  /** Says in the log of the run what is worth telling. */
  say: (text: string) => void;
}

/** What a run executes, from its start until it is cleared up after. Whoever asks one behind `BoundedExecutor` has an answer within bounds. */
export interface Execution {
  /** The process that carries it on this machine. */
  readonly pid: number;
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
  /** Goes on reading pipes that strays hold open, and throws away what comes. */
  release(): void;
  /** What could not be done for it although it started: a sentence each, each told once. */
  troubles(): string[];
}
