import { admit, type Occupant } from "../../core/admit.ts";
import { gateWaiterOf } from "../../core/jitter_gate.ts";
import { endUnexecuted } from "../../core/unexecuted.ts";
import { maskedText } from "../runs/masking.ts";
import type { DueRetry } from "../../io/store/retries.ts";
import type { EndReason, Run, Task, Trigger } from "../../types.ts";
import { type Bus, publishEnd } from "../bus.ts";
import { Retries } from "./retries.ts";
import type { Ledger, LedgerEntry, TaskRuns } from "../runs/ledger.ts";
import type { LeftRun, Runner, RunOwner } from "../runs/runner.ts";
import { type LineView, StartLine } from "./start_line.ts";
import { storeUnexecutedEnd } from "../runs/unexecuted_end.ts";
import type { World } from "../world.ts";

/** What a fresh run of a task is made from. */
export interface TriggerOptions {
  trigger: Trigger;
  /** Settled parameter values. */
  params?: Record<string, string>;
  /** The tick, for a scheduled run. */
  createdAt?: number;
  retryAttempt?: number;
  retryOf?: string;
  /** Makes up for a missed tick: only a few of these execute at once. */
  catchUp?: boolean;
  /** Stored in one transaction with the row. */
  record?: () => void;
}

interface TaskEntry {
  task: Task;
  /** Set while the queue is being worked off, so that a run that ends at once does not nest. */
  isPumping: boolean;
}

/**
 * All tasks: admission, queues and the daemon-wide limit (docs/behaviour.md#overlap). Every trigger becomes a row, and
 * every row ends.
 */
export class Tasks {
  readonly retries: Retries;
  readonly #world: World;
  readonly #bus: Bus;
  readonly #runner: Runner;
  readonly #ledger: Ledger;
  readonly #entries = new Map<string, TaskEntry>();
  readonly #line: StartLine;
  #draining = false;

  constructor(
    world: World,
    bus: Bus,
    options: { runner: Runner; ledger: Ledger; maxParallelRuns: number },
  ) {
    this.#world = world;
    this.#bus = bus;
    this.#runner = options.runner;
    this.#ledger = options.ledger;
    this.#line = new StartLine(world, {
      ledger: options.ledger,
      maxParallel: options.maxParallelRuns,
      execute: (entry) => this.#execute(entry),
    });
    this.retries = new Retries(world, (retry, record) => this.#retry(retry, record));
  }

  /**
   * Takes a task in, or its new definition: active runs finish under the old one, queued ones take the new. Runs of a
   * former task of this name that still execute hold their slots.
   */
  define(task: Task): void {
    const entry = this.#entries.get(task.name);
    if (entry === undefined) {
      this.#entries.set(task.name, { task, isPumping: false });
      return;
    }
    entry.task = task;
    this.#giveBackSlots(task);
    this.#pump(task.name);
  }

  /** Where there are fewer slots now, who only waits for its turn goes back to the head of the queue. */
  #giveBackSlots({ name, maxConcurrent }: Task): void {
    const tooMany = this.#ledger.of(name).admitted.size - maxConcurrent;
    if (tooMany <= 0) return;
    for (const one of inLine(this.#ledger.of(name)).slice(-tooMany).reverse()) {
      this.#line.leave(one);
      this.#ledger.move(one.id, "queued");
    }
  }

  /** Forgets a task whose stored retries are gone: runs that wait end as `stopped`, those that execute finish. */
  remove(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#dropWaiting(entry.task);
    for (const { id } of this.#ledger.of(name).admitted) this.#ledger.mark(id, "holdsQueue", false);
    this.retries.forget(name);
  }

  /** The start line: who waits in it, and why. */
  line(): LineView {
    return this.#line.view();
  }

  /** 0: no limit. */
  setMaxParallel(limit: number): void {
    this.#line.setMaxParallel(limit);
  }

  /** To be said before the runs of a tick are made, and again when all are: nobody passes the jitter gate meanwhile. */
  shutGate(isShut: boolean): void {
    this.#line.shutGate(isShut);
  }

  /** From now on nothing new starts; what waits stays pending for the next daemon. */
  drain(): void {
    this.#draining = true;
    this.#line.close();
    this.retries.stop();
  }

  /**
   * Makes one run of a task, and answers it as it was made; it may start at once, wait, or end without executing.
   * Throws only where it can't be stored, and then there is none.
   */
  trigger(name: string, options: TriggerOptions): Run {
    const { task } = this.#entries.get(name)!;
    const run = this.#newRun(task, options);
    const { admitted, queued } = this.#ledger.of(name);
    const occupants: Occupant[] = Array.from(admitted, ({ id }) => ({
      id,
      stopping: this.#runner.isStopping(id),
    }));
    const decision = admit(task, { occupants, waiting: Array.from(queued, ({ id }) => id) });
    if (decision.verdict === "skip") {
      const why = decision.reason === "queue_full"
        ? `its queue is full: ${queued.size} of its runs wait already`
        : `it was running at its limit already: ${occupants.map(({ id }) => id).join(", ")}`;
      return this.#insertEnded(task, run, { reason: decision.reason, why, record: options.record });
    }
    this.#insert(run, options);
    if (decision.verdict === "replace") {
      this.stopRun(decision.victim, `a newer run took its place: ${run.id}`);
    }
    this.#pump(name);
    return run;
  }

  /** Stores a run that ends without executing: dst_skipped, missed. `note` goes to its log, `why` is a sentence. */
  recordUnexecuted(
    name: string,
    options: TriggerOptions & { reason: EndReason; failure?: boolean; note?: string; why?: string },
  ): Run {
    const { task } = this.#entries.get(name)!;
    return this.#insertEnded(task, this.#newRun(task, options), options);
  }

  /** Takes up a run that an earlier daemon left pending. One of the schedule is late, so it starts as catch-up runs do. */
  resume(run: Run): void {
    this.#ledger.add(run, "queued", { isCatchUp: run.trigger === "cron" && run.retryAttempt === 0 });
    this.#pump(run.unit);
  }

  /** Stops one run, wherever it is; `why` is a sentence. Nothing happens where it is over. */
  stopRun(id: string, why?: string): void {
    const entry = this.#ledger.get(id);
    if (entry === undefined) return;
    if (!isWaiting(entry)) return this.#stopActive(id, why);
    const { unit } = entry.run;
    this.#endWaiting(this.#entries.get(unit)!.task, entry, why);
    this.#pump(unit);
  }

  /** Stops what is active, drops what waits, ends retry chains. */
  stop(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.retries.cancel(name);
    this.#dropWaiting(entry.task);
    for (const { id } of [...this.#ledger.of(name).admitted]) this.#stopActive(id);
  }

  /** Stops what is active, drops what waits, and makes exactly one run, which starts once the others have ended. */
  restart(name: string, options: TriggerOptions): Run {
    const { task } = this.#entries.get(name)!;
    this.stop(name);
    const run = this.#newRun(task, options);
    this.#insert(run, options);
    for (const { id } of this.#ledger.of(name).admitted) this.#ledger.mark(id, "holdsQueue");
    this.#pump(name);
    return run;
  }

  #stopActive(id: string, why?: string): void {
    this.#ledger.mark(id, "isStopped");
    this.#runner.stop(id, "stopped", why);
  }

  #newRun(task: Task, options: TriggerOptions): Run {
    const { retryOf, params = {} } = options;
    return {
      id: this.#world.newId(),
      unit: task.name,
      status: "pending",
      exitCode: 0,
      trigger: options.trigger,
      createdAt: options.createdAt ?? this.#world.clock.now(),
      isFailure: false,
      retryAttempt: options.retryAttempt ?? 0,
      instance: 0,
      ...(retryOf === undefined ? {} : { retryOf }),
      ...(Object.keys(params).length === 0 ? {} : { params }),
    };
  }

  #retry(retry: DueRetry, record: () => void): void {
    if (!this.#entries.has(retry.unit)) return record();
    this.trigger(retry.unit, {
      trigger: retry.trigger,
      retryAttempt: retry.attempt,
      retryOf: retry.ofRun,
      record,
      ...(retry.params === undefined ? {} : { params: retry.params }),
    });
  }

  #pump(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.isPumping) return;
    entry.isPumping = true;
    try {
      this.#work(entry);
    } finally {
      entry.isPumping = false;
    }
  }

  #work(entry: TaskEntry): void {
    while (!this.#draining) {
      const { task } = entry;
      const { admitted, queued } = this.#ledger.of(task.name);
      const [next] = queued;
      if (next === undefined || admitted.size >= task.maxConcurrent) return;
      if (admitted.values().some(({ holdsQueue }) => holdsQueue)) return;
      this.#line.join(next, gateWaiterOf(next.run, task));
    }
  }

  /**
   * Goes on with a run of an earlier daemon, under the definition that it was started with: it holds its slot, and the gate
   * where it had passed it. Throws where the machine does not give it.
   */
  takeOver(run: Run, left: LeftRun & { unit: Task }): void {
    const { id } = this.#ledger.add(run, "executing");
    if (gateWaiterOf(run, left.unit) !== undefined) this.#ledger.mark(id, "holdsGate");
    if (left.words.run.want === "stopped") this.#ledger.mark(id, "isStopped");
    try {
      this.#runner.takeOver(id, left, this.#ownerOf(id, left.unit));
    } catch (error) {
      this.#ledger.remove(id);
      throw error;
    }
  }

  #execute({ id, run }: LedgerEntry): void {
    const { task } = this.#entries.get(run.unit)!;
    this.#runner.start(id, task, this.#ownerOf(id, task));
  }

  #ownerOf(id: string, task: Task): RunOwner {
    let retry: DueRetry | undefined;
    return {
      record: (ended) => {
        const isOver = this.#ledger.get(id)?.isStopped || !this.#entries.has(task.name);
        retry = isOver ? undefined : this.retries.record(task, ended);
      },
      ended: () => {
        if (retry !== undefined) this.retries.schedule(retry);
        this.#pump(task.name);
        this.#line.pump();
      },
    };
  }

  #dropWaiting(task: Task): void {
    const runs = this.#ledger.of(task.name);
    for (const one of [...inLine(runs), ...runs.queued]) this.#endWaiting(task, one);
  }

  #insert(run: Run, options: Pick<TriggerOptions, "record" | "catchUp">): void {
    this.#store(run, options.record);
    this.#ledger.add(run, "queued", { isCatchUp: options.catchUp ?? false });
    this.#bus.publish({ type: "run.created", run });
  }

  #store(run: Run, record?: () => void): void {
    this.#world.store.transaction(() => {
      this.#world.store.runs.insert(run);
      record?.();
    });
  }

  #insertEnded(
    task: Task,
    run: Run,
    end: {
      reason: EndReason;
      failure?: boolean;
      note?: string;
      why?: string;
      record?: (() => void) | undefined;
    },
  ): Run {
    const ended = endUnexecuted(task, run, { ...end, at: this.#world.clock.now() });
    if (end.note !== undefined) this.#note(run, maskedText(task, end.note));
    try {
      this.#store(ended, end.record);
    } catch (error) {
      if (end.note !== undefined) this.#world.logs.remove(task.name, run.id);
      throw error;
    }
    this.#bus.publish({ type: "run.created", run: ended });
    publishEnd(this.#bus, ended);
    return ended;
  }

  /** The daemon's word on a run without output; stored before its row, so that there is never one without. */
  #note(run: Run, text: string): void {
    const log = this.#world.logs.writer(run.unit, run.id, { maxSize: 0, onFull: "drop_new" });
    log.system(text, this.#world.clock.now());
    log.close();
  }

  #endWaiting(task: Task, entry: LedgerEntry, why?: string): void {
    this.#line.leave(entry);
    this.#ledger.remove(entry.id);
    const at = this.#world.clock.now();
    const run = endUnexecuted(task, entry.run, {
      reason: "stopped",
      at,
      ...(why === undefined ? {} : { why }),
    });
    storeUnexecutedEnd(this.#world, this.#bus, { run, isOver: () => false });
  }
}

function isWaiting({ phase }: LedgerEntry): boolean {
  return phase === "queued" || phase === "in_line";
}

/** Those that hold a slot and wait for their turn. */
function inLine({ admitted }: TaskRuns): LedgerEntry[] {
  return [...admitted].filter(({ phase }) => phase === "in_line");
}
