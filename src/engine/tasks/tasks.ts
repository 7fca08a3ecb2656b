import { admit, type Occupant } from "../../core/admit.ts";
import { gateWaiterOf } from "../../core/jitter_gate.ts";
import { endUnexecuted } from "../../core/unexecuted.ts";
import { maskedText } from "../runs/masking.ts";
import type { DueRetry } from "../../io/store/retries.ts";
import type { EndReason, Run, Task, Trigger } from "../../types.ts";
import { type Bus, publishEnd } from "../bus.ts";
import { Retries } from "./retries.ts";
import type { Runner } from "../runs/runner.ts";
import { StartLine } from "./start_line.ts";
import { storeUnexecutedEnd } from "../runs/late_end.ts";
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

/** A task with its runs that are not ended. */
interface TaskEntry {
  task: Task;
  /** Hold a place: they execute, or wait only for the daemon-wide limit. In order of creation. */
  places: Run[];
  queue: Run[];
  /** Runs that a restart waits for: until they have ended nothing is taken from the queue. */
  restarting: Set<string>;
  /** Set while the queue is being worked off, so that a run that ends at once does not nest. */
  pumping: boolean;
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
  readonly #entries = new Map<string, TaskEntry>();
  readonly #line: StartLine<TaskEntry>;
  /** Active runs that a user has stopped: however they end, nothing is tried again. */
  readonly #stopped = new Set<string>();
  #draining = false;

  constructor(world: World, bus: Bus, options: { runner: Runner; maxParallelRuns: number }) {
    this.#world = world;
    this.#bus = bus;
    this.#runner = options.runner;
    this.#line = new StartLine(world, {
      maxParallel: options.maxParallelRuns,
      execute: (run, entry) => this.#execute(run, entry),
    });
    this.retries = new Retries(world, (retry, record) => this.#retry(retry, record));
  }

  /** Takes a task in, or its new definition: active runs finish under the old one, queued ones take the new. */
  put(task: Task): void {
    const entry = this.#entries.get(task.name);
    if (entry === undefined) {
      // Runs of a former task of this name may still execute: they hold their places.
      this.#entries.set(task.name, {
        task,
        places: this.#runner.runsOf(task.name).filter(({ trigger }) => trigger !== "service"),
        queue: [],
        restarting: new Set(),
        pumping: false,
      });
      return;
    }
    entry.task = task;
    this.#giveBackPlaces(entry);
    this.#pump(entry);
  }

  /** Where there are fewer places now, who only waits for its turn goes back to the head of the queue. */
  #giveBackPlaces({ task, places, queue }: TaskEntry): void {
    for (const run of places.filter(({ id }) => !this.#runner.isActive(id)).reverse()) {
      if (places.length <= task.maxConcurrent) return;
      take(places, run.id);
      this.#line.stepBack(run);
      queue.unshift(run);
    }
  }

  /** Forgets a task whose stored retries are gone: runs that wait end as `stopped`, those that execute finish. */
  remove(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#dropWaiting(entry);
    this.retries.forget(name);
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

  /** Runs of a task that are not ended: those that hold a place, and queued ones, oldest first. */
  pending(name: string): { places: Run[]; queue: Run[] } {
    const entry = this.#entries.get(name);
    return { places: [...entry?.places ?? []], queue: [...entry?.queue ?? []] };
  }

  /**
   * Makes one run of a task, and answers it as it was made; it may start at once, wait, or end without executing.
   * Throws only where it can't be stored, and then there is none.
   */
  trigger(name: string, options: TriggerOptions): Run {
    const entry = this.#entries.get(name)!;
    const run = this.#newRun(entry.task, options);
    const occupants: Occupant[] = entry.places.map(({ id }) => ({
      id,
      stopping: this.#runner.isStopping(id),
    }));
    const decision = admit(entry.task, { occupants, waiting: entry.queue.map(({ id }) => id) });
    if (decision.verdict === "skip") {
      const why = decision.reason === "queue_full"
        ? `its queue is full: ${entry.queue.length} of its runs wait already`
        : `it was running at its limit already: ${occupants.map(({ id }) => id).join(", ")}`;
      this.#insertEnded(entry.task, run, { reason: decision.reason, why, record: options.record });
      return run;
    }
    this.#insert(run, options.record);
    const made = { ...run };
    if (options.catchUp) this.#line.markCatchUp(run.id);
    entry.queue.push(run);
    if (decision.verdict === "replace") {
      this.stopRun(decision.victim, `a newer run took its place: ${run.id}`);
    }
    this.#pump(entry);
    return made;
  }

  /** Stores a run that ends without executing: dst_skipped, missed. `note` goes to its log, `why` is a sentence. */
  recordUnexecuted(
    name: string,
    options: TriggerOptions & { reason: EndReason; failure?: boolean; note?: string; why?: string },
  ): Run {
    const { task } = this.#entries.get(name)!;
    const run = this.#newRun(task, options);
    this.#insertEnded(task, run, options);
    return run;
  }

  /** Takes up a run that an earlier daemon left pending. One of the schedule is late, so it starts as catch-up runs do. */
  resume(run: Run): void {
    const entry = this.#entries.get(run.unit)!;
    if (run.trigger === "cron" && run.retryAttempt === 0) this.#line.markCatchUp(run.id);
    entry.queue.push(run);
    this.#pump(entry);
  }

  /** Stops one run, wherever it is; `why` is a sentence. Answers whether there was one to stop. */
  stopRun(id: string, why?: string): boolean {
    if (this.#runner.isActive(id)) {
      this.#stopActive(id, why);
      return true;
    }
    for (const entry of this.#entries.values()) {
      const run = take(entry.queue, id) ?? take(entry.places, id);
      if (run === undefined) continue;
      this.#line.leave(run);
      this.#endUnexecuted(entry.task, run, why);
      this.#pump(entry);
      return true;
    }
    return false;
  }

  /** Stops what is active, drops what waits, ends retry chains. */
  stop(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.retries.cancel(name);
    this.#dropWaiting(entry);
    for (const run of [...entry.places]) this.#stopActive(run.id);
  }

  /** Stops what is active, drops what waits, and makes exactly one run, which starts once the others have ended. */
  restart(name: string, options: TriggerOptions): Run {
    const entry = this.#entries.get(name)!;
    this.stop(name);
    const run = this.#newRun(entry.task, options);
    this.#insert(run, options.record);
    const made = { ...run };
    entry.restarting = new Set(entry.places.map(({ id }) => id));
    entry.queue.push(run);
    this.#pump(entry);
    return made;
  }

  #stopActive(id: string, why?: string): void {
    this.#stopped.add(id);
    this.#runner.stop(id, "stopped", why);
  }

  #newRun(task: Task, options: TriggerOptions): Run {
    const run: Run = {
      id: this.#world.newId(),
      unit: task.name,
      status: "pending",
      exitCode: 0,
      trigger: options.trigger,
      createdAt: options.createdAt ?? this.#world.clock.now(),
      isFailure: false,
      retryAttempt: options.retryAttempt ?? 0,
      instance: 0,
    };
    if (options.retryOf !== undefined) run.retryOf = options.retryOf;
    if (options.params !== undefined && Object.keys(options.params).length > 0) run.params = options.params;
    return run;
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

  #pump(entry: TaskEntry): void {
    if (entry.pumping || entry.restarting.size > 0) return;
    entry.pumping = true;
    try {
      this.#work(entry);
    } finally {
      entry.pumping = false;
    }
  }

  #work(entry: TaskEntry): void {
    while (!this.#draining && entry.places.length < entry.task.maxConcurrent && entry.queue.length > 0) {
      const run = entry.queue.shift()!;
      entry.places.push(run);
      this.#line.join(run, entry, gateWaiterOf(run, entry.task));
    }
  }

  #execute(run: Run, entry: TaskEntry): void {
    const { task } = entry;
    let retry: DueRetry | undefined;
    this.#runner.start(run, task, {
      record: (ended) => {
        const isOver = this.#stopped.has(ended.id) || !this.#entries.has(task.name);
        retry = isOver ? undefined : this.retries.record(task, ended);
      },
      ended: (ended) => {
        this.#stopped.delete(ended.id);
        if (retry !== undefined) this.retries.schedule(retry);
        this.#line.left(ended);
        const current = this.#entries.get(task.name) ?? entry;
        take(current.places, ended.id);
        current.restarting.delete(ended.id);
        this.#pump(current);
        this.#line.pump();
      },
    });
  }

  #dropWaiting(entry: TaskEntry): void {
    const inLine = entry.places.filter((run) => !this.#runner.isActive(run.id));
    for (const run of inLine) take(entry.places, run.id);
    for (const run of [...inLine, ...entry.queue.splice(0)]) {
      this.#line.leave(run);
      this.#endUnexecuted(entry.task, run);
    }
  }

  #insert(run: Run, record?: () => void): void {
    this.#store(run, record);
    this.#bus.publish({ type: "run.created", run: { ...run } });
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
  ): void {
    const at = this.#world.clock.now();
    endUnexecuted(task, run, { ...end, at });
    if (end.note !== undefined) this.#note(run, maskedText(task, end.note));
    try {
      this.#store(run, end.record);
    } catch (error) {
      if (end.note !== undefined) this.#world.logs.remove(task.name, run.id);
      throw error;
    }
    this.#bus.publish({ type: "run.created", run: { ...run } });
    publishEnd(this.#bus, run);
  }

  /** The daemon's word on a run without output; stored before its row, so that there is never one without. */
  #note(run: Run, text: string): void {
    const log = this.#world.logs.writer(run.unit, run.id, { maxSize: 0, onFull: "drop_new" });
    log.system(text, this.#world.clock.now());
    log.close();
  }

  #endUnexecuted(task: Task, run: Run, why?: string): void {
    const at = this.#world.clock.now();
    endUnexecuted(task, run, { reason: "stopped", at, ...(why === undefined ? {} : { why }) });
    storeUnexecutedEnd(this.#world, this.#bus, { run, isOver: () => false });
  }
}

function take(list: Run[], id: string): Run | undefined {
  const at = list.findIndex((run) => run.id === id);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}
