import { freshPlan, planSpool, type SpoolStream } from "../../core/spool.ts";
import type { LeftSpools } from "./kept_files.ts";
import { type OutputPipe, readMovable } from "./output.ts";
import type { ProcessSink, SpoolPositions } from "./processes.ts";
import { followSpool } from "./spool.ts";
import { AdoptedReaders } from "./spool_readers.ts";
import { SpoolWatch } from "./spool_watch.ts";

/** A run that has written for so long (ms), or so much (bytes), goes by way of files from its next output on. */
const longRun = 300;
const muchOutput = 16 * 1024;

const streams = ["stdout", "stderr"] as const;

/** Whose output is read. */
export interface OutputOf {
  runId: string;
  keeper: number;
  sink: ProcessSink;
}

/** Reads what kept runs write: directly at first, then by way of files that outlive the daemon. */
export class KeptOutput {
  readonly #folder: string;
  readonly #watch: SpoolWatch;
  readonly #adopted: AdoptedReaders;
  readonly #say: (text: string) => void;
  /** Resolves when the last of those that were taken over begins. */
  #turn: Promise<void> = Promise.resolve();

  /** `liveReaders`: those that copy into the folder; undefined where that can't be told. */
  constructor(
    folder: string,
    { liveReaders, say }: {
      liveReaders: () => Promise<ReadonlySet<number> | undefined>;
      say: (text: string) => void;
    },
  ) {
    this.#folder = folder;
    this.#watch = new SpoolWatch(folder);
    this.#adopted = new AdoptedReaders(liveReaders);
    this.#say = say;
  }

  /** Reads a run that was started just now. `isOver`: whether it has ended, and there is no more to come than what is in its pipes. */
  launched(
    child: Pick<Deno.ChildProcess, "stdout" | "stderr">,
    { isLong, isOver, ...of }: OutputOf & { isLong: boolean; isOver: () => boolean },
  ): OutputPipe[] {
    const begun = performance.now();
    let read = 0;
    const isTime = (): boolean =>
      !isOver() && (isLong || read >= muchOutput || performance.now() - begun >= longRun);
    const { runId, keeper, sink } = of;
    const order = { runId, keeper, plan: freshPlan(), say: this.#say };
    return streams.map((stream) =>
      readMovable(child[stream], (chunk) => {
        const taken = sink.output(stream, chunk);
        read += taken;
        return taken;
      }, {
        isTime,
        moved: () =>
          followSpool(
            { ...order, stream, take: (chunk, position) => sink.output(stream, chunk, position) },
            this.#places,
          ),
      })
    );
  }

  /** Goes on with what an earlier daemon left of a run; `hasKeeper`: there is more in its pipes, or to come. */
  adopted(
    { runId, keeper, sink }: OutputOf,
    { left, hasKeeper, positions }: { left: LeftSpools; hasKeeper: boolean; positions: SpoolPositions },
  ): OutputPipe[] {
    const begin = this.#begin();
    return streams.map((stream: SpoolStream) => {
      const { files, readers } = left[stream];
      const plan = planSpool({ files, readers: [...readers.keys()], position: positions[stream] });
      return followSpool({
        ...{ runId, stream, keeper, plan, readers, hasPipe: hasKeeper, begin },
        take: (chunk, position) => sink.output(stream, chunk, position),
        say: this.#say,
      }, this.#places);
    });
  }

  close(): void {
    this.#watch.close();
    this.#adopted.close();
  }

  get #places(): { folder: string; watch: SpoolWatch; adopted: AdoptedReaders } {
    return { folder: this.#folder, watch: this.#watch, adopted: this.#adopted };
  }

  /** Resolves when it is a run's turn to begin: its readers have one of the event loop to themselves, since each takes a start. */
  #begin(): Promise<void> {
    return this.#turn = this.#turn.then(() => new Promise((resolve) => setTimeout(resolve)));
  }
}
