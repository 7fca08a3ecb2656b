import { keeperPath, type KeeperWords } from "../../core/keeper.ts";
import { readTroubles } from "./launch_notes.ts";
import type { Bell } from "./bell.ts";
import { KeptHandle } from "./kept_handle.ts";
import { KeptOutput } from "./kept_output.ts";
import { keptProcess } from "./kept_process.ts";
import { KeptRuns } from "./kept_runs.ts";
import type { KeptRun, LaunchedProcess, ProcessSink, SpoolPositions, Swept } from "./processes.ts";

/** What `AdoptedRuns` needs. */
export interface AdoptedRunsOptions {
  keepers: string;
  spools: string;
  /** Asks the warden; undefined where it does not answer. */
  ask: (question: string) => Promise<string[] | undefined>;
  say: (text: string) => void;
  /** Whether this daemon has started a run itself. */
  isOwn: (runId: string) => boolean;
}

/** Keepers of other daemons are looked for so often, ms. */
const lookEvery = 10_000;
/** How a process ended of which nobody tells. */
const unseen = { code: 255, signal: "unknown" };

/** Takes over the runs that an earlier daemon of this data folder has left with their keepers. */
export class AdoptedRuns {
  /** What reads kept runs, this daemon's own, too. */
  readonly output: KeptOutput;
  /** By which keepers call; nothing is adopted without one. */
  bell: Bell | undefined;
  readonly #options: AdoptedRunsOptions;
  readonly #kept: KeptRuns;
  readonly #live = new Map<string, KeptHandle>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: AdoptedRunsOptions) {
    this.#options = options;
    this.#kept = new KeptRuns(options);
    const liveReaders = (): Promise<ReadonlySet<number> | undefined> => this.#kept.liveReaders();
    this.output = new KeptOutput(options.spools, { liveReaders, say: options.say });
  }

  /** See `Processes.findKept`. */
  async find(runIds: readonly string[]): Promise<KeptRun[]> {
    return this.bell === undefined ? [] : await this.#kept.find(runIds);
  }

  /** Whose keeper a run has that was found, and was not adopted yet. */
  wordsOf(runId: string): KeeperWords | undefined {
    return this.#kept.found(runId)?.file.words;
  }

  /** See `Processes.adopt`. */
  adopt(runId: string, sink: ProcessSink, positions: SpoolPositions): LaunchedProcess {
    const { bell } = this;
    const found = this.#kept.take(runId);
    const keeper = found?.file.record.keeper;
    if (bell === undefined || found === undefined || keeper === undefined) {
      throw new Error(`nothing is kept of run "${runId}"`);
    }
    const { hasKeeper, left, troubles } = found;
    const { note } = found.file.words;
    const file = keeperPath(this.#options.keepers, runId);
    const exited = sink.exited.bind(sink);
    const handle = new KeptHandle({ runId, keeper, file, note, bell, exited });
    const pipes = this.output.adopted({ runId, keeper, sink }, { left, hasKeeper, positions });
    this.#live.set(runId, handle);
    this.#timer ??= this.#lookNowAndThen();
    // Whoever adopts it has it in hand before it ends.
    queueMicrotask(() => hasKeeper ? handle.look() : handle.lost(unseen));
    return keptProcess(handle, {
      ...{ pipes, sink },
      troubles: () => [...troubles.splice(0), ...readTroubles(note)],
      dismissed: () => void this.#live.delete(runId),
    });
  }

  /** See `KeptRuns.drop`. */
  async drop(): Promise<Swept & { orphans: string[] }> {
    if (this.bell === undefined) return { killed: [], left: [], orphans: [] };
    const { ended: _, ...swept } = await this.#kept.drop(this.#options.isOwn);
    return swept;
  }

  /** Looks at what the keeper of an adopted run has written down; its call may not have been heard. */
  look(pid: number): void {
    for (const handle of this.#live.values()) if (handle.pid === pid) handle.look();
  }

  close(): void {
    clearInterval(this.#timer);
    this.output.close();
  }

  /** Nobody tells of the end of a keeper that another daemon has started. */
  #lookNowAndThen(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => void this.#findLost().catch(reportError), lookEvery);
    Deno.unrefTimer(timer);
    return timer;
  }

  async #findLost(): Promise<void> {
    const asked = [...this.#live.values()].filter(({ isOver }) => !isOver);
    if (asked.length === 0) return;
    const alive = await this.#kept.alive(new Map(asked.map(({ runId, keeper }) => [runId, keeper])));
    if (alive === undefined) return;
    for (const handle of asked) {
      if (alive.has(handle.runId)) handle.look();
      else handle.lost(unseen);
    }
  }
}
