import type { KeeperRecord } from "../../core/keeper.ts";
import { exitOfCode } from "../../core/signal_codes.ts";
import type { Bell } from "./bell.ts";
import { readRecord, removeKeeperFile } from "./keeper_file.ts";
import { sendSignal } from "./launch.ts";
import { exitOf } from "./launch_notes.ts";
import { launcherFailed } from "./launcher.ts";
import type { ProcessExit } from "./processes.ts";
import { signalGroup } from "./reach.ts";

/** What a run that has a keeper is known by. */
export interface KeptOptions {
  runId: string;
  /** Pid of the keeper. */
  keeper: number;
  /** Path of the keeper's file. */
  file: string;
  /** Where the launcher leaves word. */
  note: string | undefined;
  bell: Bell;
  /** Hears of the run's end, once. */
  exited: (exit: ProcessExit) => void;
}

/** A run by what its keeper writes down: its pid, its end. Whoever makes one looks once, or waits for the bell. */
export class KeptHandle {
  readonly runId: string;
  readonly keeper: number;
  readonly started: Promise<void>;
  readonly #options: KeptOptions;
  readonly #isStarted = Promise.withResolvers<void>();
  #record: KeeperRecord = {};
  /** Signals that came before there was anybody to hear them. */
  readonly #owed: string[] = [];
  #isOver = false;
  #isDismissed = false;
  #isKeeperGone = false;

  constructor(options: KeptOptions) {
    this.#options = options;
    this.runId = options.runId;
    this.keeper = options.keeper;
    this.started = this.#isStarted.promise;
    options.bell.listen(options.runId, () => this.look());
  }

  /** That of the run; until it is known that of its keeper. */
  get pid(): number {
    return this.#record.pid ?? this.keeper;
  }

  /** Whether its end was told. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isDismissed(): boolean {
    return this.#isDismissed;
  }

  /** Reads what has been written down since, and tells of it. */
  look(): void {
    if (this.#isOver || this.#isDismissed) return;
    const record = readRecord(this.#options.file);
    if (record === undefined || record.keeper !== this.keeper) return;
    this.#takeIn(record);
    if (record.end !== undefined) this.#end(endOfRecord(record, this.#options.note));
  }

  /** Signals the run's group as `LaunchedProcess.signal` does, or as soon as there is one. Throws `Fault`. */
  signal(name: string): void {
    this.look();
    if (this.#record.pid === undefined) {
      if (!this.#isOver) this.#owed.push(name);
    } else sendSignal(this.#record.pid, { name, leaderLives: !this.#isOver });
  }

  /** The keeper has ended, which it does not do by itself: with it the run is lost, unless its end was written down. */
  lost(how: ProcessExit): void {
    this.#isKeeperGone = true;
    this.look();
    if (this.#isOver || this.#isDismissed) return;
    const { pid } = this.#record;
    if (pid === undefined) {
      // What it may just have started is in its group until it is the run, and looks for the file before it goes on.
      removeKeeperFile(this.#options.file);
      signalGroup(this.keeper, { name: "SIGKILL", leaderLives: false });
      const failure = `its keeper could not start it (${how.signal ?? `exit code ${how.code}`})`;
      return this.#end({ code: launcherFailed, failure });
    }
    signalGroup(pid, { name: "SIGKILL", leaderLives: true });
    this.#end({ code: 255, signal: "unknown", untold: "its keeper was killed" });
  }

  /** See `LaunchedProcess.dismiss`. */
  dismiss(): void {
    if (this.#isDismissed) return;
    this.#isDismissed = true;
    this.#options.bell.forget(this.#options.runId);
    // With what it has started and what is no run yet.
    if (!this.#isKeeperGone) signalGroup(this.keeper, { name: "SIGKILL", leaderLives: true });
    removeKeeperFile(this.#options.file);
    this.#isStarted.resolve();
  }

  #takeIn(record: KeeperRecord): void {
    const isNew = this.#record.pid === undefined && record.pid !== undefined;
    this.#record = record;
    if (!isNew) return;
    for (const name of this.#owed.splice(0)) this.#send(name, record.end === undefined);
    this.#isStarted.resolve();
  }

  #send(name: string, leaderLives: boolean): void {
    try {
      sendSignal(this.pid, { name, leaderLives });
    } catch {
      // Whoever asked for it has gone on, and sees that the run lives.
    }
  }

  #end(exit: ProcessExit): void {
    this.#isOver = true;
    this.#isStarted.resolve();
    this.#options.exited(exit);
  }
}

/** How a run has ended whose keeper has written that down; `note`: where its launcher may have left word. */
export function endOfRecord(record: KeeperRecord, note: string | undefined): ProcessExit {
  const exit = exitOfCode(record.end!);
  if (record.isShutOut) return { ...exit, failure: "not allowed to use its working_dir" };
  return exitOf(exit, note);
}
