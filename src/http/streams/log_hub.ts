import type { Engine } from "../../engine/engine.ts";
import type { EngineEvent } from "../../engine/bus.ts";
import type { Run } from "../../types.ts";
import { type LogStart, LogStream } from "./log_stream.ts";
import { LogTail } from "./log_tail.ts";
import { pingEvery } from "./sse.ts";
import { FairShare } from "./fair_share.ts";

/** All clients that read logs of runs as they come. */
export class LogHub {
  readonly #engine: Engine;
  readonly #unsubscribe: () => void;
  readonly #tails = new Map<string, LogTail>();
  readonly #streams = new Set<LogStream>();
  readonly #share: FairShare;
  #cancelPing: (() => void) | undefined;

  /** `share`: what all streams together have of the main thread. */
  constructor(engine: Engine, share = new FairShare()) {
    this.#engine = engine;
    this.#share = share;
    this.#unsubscribe = engine.bus.subscribe((event) => this.#tails.get(runIdOf(event) ?? "")?.change());
  }

  /** Opens a stream of a run's log. `onEnd` is called once, when it ends. */
  open(run: Run, { start, onEnd }: { start: LogStart; onEnd: () => void }): LogStream {
    const tail = this.#tails.get(run.id) ?? new LogTail(this.#engine, run);
    this.#tails.set(run.id, tail);
    const stream: LogStream = new LogStream(tail, {
      start,
      share: this.#share,
      onEnd: () => {
        this.#streams.delete(stream);
        if (!tail.isRead) this.#tails.delete(run.id);
        if (this.#streams.size === 0) this.#stopPings();
        onEnd();
      },
    });
    this.#streams.add(stream);
    this.#cancelPing ??= this.#pingLater();
    return stream;
  }

  /** Ends all streams when their clients have what is there. */
  close(): void {
    this.#unsubscribe();
    for (const stream of [...this.#streams]) stream.end();
  }

  #pingLater(): () => void {
    return this.#engine.after(pingEvery, () => {
      this.#cancelPing = this.#pingLater();
      for (const stream of [...this.#streams]) stream.ping();
    });
  }

  #stopPings(): void {
    this.#cancelPing?.();
    this.#cancelPing = undefined;
  }
}

function runIdOf(event: EngineEvent): string | undefined {
  return "run" in event ? event.run.id : "runId" in event ? event.runId : undefined;
}
