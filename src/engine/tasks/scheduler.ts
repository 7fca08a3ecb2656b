import { nextTick, type Tick } from "../../core/cron/next.ts";
import { parseCron, type Schedule } from "../../core/cron/parse.ts";
import { type Zone, zoneOf } from "../../core/cron/zone.ts";
import { Heap } from "../../core/heap.ts";
import { mostCounted, planMissed } from "../../core/missed.ts";
import { elapsed, type MonotonicMs } from "../../core/time.ts";
import { nextRunningTick } from "../../core/upcoming.ts";
import { whyNotExecuted } from "../../core/words.ts";
import type { ScheduleState } from "../../io/store/schedules.ts";
import type { Task } from "../../types.ts";
import type { Tasks } from "./tasks.ts";
import { retryAfter } from "../retry_after.ts";
import type { World } from "../world.ts";
import { standstill, UnseenTime } from "./unseen_time.ts";

/** The longest sleep, so that a moved clock is noticed (docs/behaviour.md#downtime), in ms. */
const longestSleep = 30_000;
/** What is due may hold up everything else for this long at a time, in ms. */
const longestTurn = 25;

interface Entry {
  task: Task;
  schedule: Schedule;
  zone: Zone;
  state: ScheduleState;
  /** Stands in for the stored mark while that lies so far ahead that the clock must have been wrong. */
  position?: number;
  next?: Tick;
  /** When what is due was refused for the first and for the last time. */
  refused?: { first: MonotonicMs; last: MonotonicMs };
}

/** One sleeper over a heap of all schedules. Each tick becomes a row, in one transaction with the mark that it is handled. */
export class Scheduler {
  readonly #world: World;
  readonly #tasks: Tasks;
  readonly #entries = new Map<string, Entry>();
  /** Entries by next tick, then name; one whose `at` is no longer its entry's next is passed over. */
  readonly #heap = new Heap<{ at: number; name: string; entry: Entry }>();
  #daemonZone: string;
  #cancel: () => void = () => {};
  /** Ticks in times that went by unseen are missed where they are not dealt with yet; all others are late. */
  readonly #unseen: UnseenTime;
  /** What the database refused, by the name of the task: it is put aside, so that it holds up nothing else. */
  readonly #refused = new Map<string, Entry>();
  /** Marks of schedules that were removed in this life: one that comes back fires no tick twice. */
  readonly #former = new Map<string, number>();
  #running = false;

  constructor(world: World, tasks: Tasks, daemonZone: string) {
    this.#world = world;
    this.#tasks = tasks;
    this.#daemonZone = daemonZone;
    this.#unseen = new UnseenTime(world);
  }

  /**
   * Takes all tasks in at boot, deals with the ticks that were missed up to `since` (Unix ms; now), and begins to wait:
   * those that came since then are late.
   */
  boot(tasks: readonly Task[], since: number = this.#world.clock.now()): void {
    const now = Math.min(since, this.#world.clock.now());
    this.#unseen.sleep(0);
    const stored = new Map(this.#world.store.schedules.all().map((state) => [state.unit, state]));
    const { schedules } = this.#world.store;
    const entries = tasks.flatMap((task) =>
      this.#newEntry(task, { stored: stored.get(task.name), daemonZone: this.#daemonZone }) ?? []
    );
    this.#world.store.transaction(() => {
      for (const { task, state } of entries) {
        if (state !== stored.get(task.name)) schedules.put(state);
        stored.delete(task.name);
      }
      // A task that is gone and comes back later has not missed its absence.
      for (const unit of stored.keys()) schedules.remove(unit);
    });
    for (const entry of entries) this.#add(entry);
    this.#running = true;
    for (const entry of entries) {
      if (entry.state.pausedAt === undefined) this.#attempt(entry, () => this.#missed(entry, now));
    }
    // What was refused just now is missed when it is tried again.
    if (this.#refused.size > 0) this.#unseen.add(-Infinity, now);
    this.#arm();
  }

  /**
   * Stores that tasks have new definitions, or are gone; the result puts that into force. An unchanged schedule keeps
   * its anchor, a changed one misses nothing. `daemonZone` is the zone of tasks that name none.
   */
  change(to: { put: readonly Task[]; remove: readonly string[]; daemonZone: string }): () => void {
    const { schedules } = this.#world.store;
    const gone = to.remove.flatMap((name) => this.#entries.get(name) ?? []);
    const fresh = to.put.flatMap((task) => {
      const known = this.#entries.get(task.name);
      const entry = this.#newEntry(task, { stored: known?.state, daemonZone: to.daemonZone });
      if (entry === undefined && known !== undefined) gone.push(known);
      if (entry !== undefined && entry.state !== known?.state) schedules.put(entry.state);
      else if (entry !== undefined && known !== undefined) keepPlace(entry, known);
      return entry ?? [];
    });
    for (const { task } of gone) schedules.remove(task.name);
    return () => {
      for (const { task, state } of gone) {
        this.#entries.delete(task.name);
        this.#former.set(task.name, state.handled);
      }
      for (const entry of fresh) this.#add(entry);
      this.#daemonZone = to.daemonZone;
      this.#arm();
    };
  }

  isScheduled(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The first tick of a task after a time (Unix ms) that will run. */
  nextRunAfter(name: string, after: number): number | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    return nextRunningTick(entry.schedule, entry.zone, { after, anchor: entry.state.anchor });
  }

  pausedAt(name: string): number | undefined {
    return this.#entries.get(name)?.state.pausedAt;
  }

  /** Holds a schedule; ticks meanwhile are neither run nor missed. Stored. */
  pause(name: string): void {
    const entry = this.#entries.get(name)!;
    if (entry.state.pausedAt !== undefined) return;
    this.#storeState(entry, { ...entry.state, pausedAt: this.#world.clock.now() });
  }

  resume(name: string): void {
    const entry = this.#entries.get(name)!;
    if (entry.state.pausedAt === undefined) return;
    const { pausedAt: _, ...state } = entry.state;
    const now = this.#world.clock.now();
    this.#storeState(entry, { ...state, handled: Math.max(state.handled, now) });
    if (entry.position === undefined) return;
    entry.position = Math.max(entry.position, now);
    this.#enqueue(entry);
  }

  #storeState(entry: Entry, state: ScheduleState): void {
    this.#world.store.schedules.put(state);
    entry.state = state;
    this.#enqueue(entry);
    this.#arm();
  }

  /** The next tick that will run (Unix ms); undefined when there is none or the schedule is paused. */
  nextRunAt(name: string): number | undefined {
    const entry = this.#entries.get(name);
    if (entry?.next === undefined) return undefined;
    if (entry.next.note !== "repeat") return entry.next.at;
    return nextRunningTick(entry.schedule, entry.zone, { after: entry.next.at, anchor: entry.state.anchor });
  }

  /** Schedule, zone and anchor of a task, to list its ticks. */
  scheduleOf(name: string): { schedule: Schedule; zone: Zone; anchor: number } | undefined {
    const entry = this.#entries.get(name);
    return entry && { schedule: entry.schedule, zone: entry.zone, anchor: entry.state.anchor };
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** What a task's schedule begins with; undefined for a task without one. `stored` is what is known of it. */
  #newEntry(
    task: Task,
    { stored, daemonZone }: { stored: ScheduleState | undefined; daemonZone: string },
  ): Entry | undefined {
    if (task.cron === undefined) return undefined;
    const zone = zoneOf(task.timezone ?? daemonZone);
    const definition = `${task.cron} ${zone.name}`;
    const schedule = parseCron(task.cron);
    if (stored?.definition === definition) return { task, schedule, zone, state: stored };
    const now = this.#world.clock.now();
    const paused = stored?.pausedAt === undefined ? {} : { pausedAt: stored.pausedAt };
    const former = stored?.handled ?? this.#former.get(task.name) ?? now;
    const handled = isFarAhead(former, now) ? now : Math.max(former, now);
    return { task, schedule, zone, state: { unit: task.name, definition, anchor: now, handled, ...paused } };
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.task.name, entry);
    this.#enqueue(entry);
  }

  #enqueue(entry: Entry): void {
    delete entry.next;
    const { state, refused } = entry;
    delete entry.refused;
    if (state.pausedAt !== undefined) return;
    const now = this.#world.clock.now();
    if (entry.position === undefined && isFarAhead(state.handled, now)) {
      entry.position = now;
      this.#world.log.warn(
        `the clock was far ahead: the schedule of "${entry.task.name}" goes on from now`,
        { handled: new Date(state.handled).toISOString() },
      );
    }
    const next = nextTick(entry.schedule, entry.zone, {
      after: entry.position ?? state.handled,
      anchor: state.anchor,
    });
    if (next === undefined) return;
    entry.next = next;
    if (refused !== undefined && next.at <= now) entry.refused = refused;
    this.#heap.push({ at: next.at, name: entry.task.name, entry });
  }

  #arm(): void {
    this.#cancel();
    if (!this.#running) return;
    // Somebody else may come first when the daemon goes on after a standstill, or after the clock was moved.
    this.#lookAtClock();
    const next = this.#live()?.at ?? Infinity;
    const longest = this.#refused.size > 0 ? retryAfter : longestSleep;
    const sleep = Math.min(longest, Math.max(0, next - this.#world.clock.now()));
    this.#unseen.sleep(sleep);
    this.#cancel = this.#world.clock.after(sleep, () => this.#wake());
  }

  #wake(): void {
    this.#lookAtClock();
    for (const entry of this.#refused.values()) {
      if (this.#entries.get(entry.task.name) === entry) this.#enqueue(entry);
    }
    this.#refused.clear();
    this.#dealWithDue();
    this.#arm();
  }

  #lookAtClock(): void {
    const isBack = this.#unseen.look();
    if (isBack) { for (const entry of this.#entries.values()) this.#enqueue(entry); }
  }

  /** Does something for one entry. Where the disk or the database refuses, that is due again in a second, and the others go on. */
  #attempt(entry: Entry, f: () => void): void {
    try {
      f();
      delete entry.refused;
    } catch (error) {
      const last = this.#world.clock.monotonic();
      entry.refused = { first: entry.refused?.first ?? last, last };
      this.#world.refusals.note("cannot store what is due", { error, facts: { unit: entry.task.name } });
      this.#refused.set(entry.task.name, entry);
    }
  }

  /** Deals with what is due; where that is much, in turns with everything else. */
  #dealWithDue(): void {
    const { clock } = this.#world;
    const begun = clock.monotonic();
    const now = clock.now();
    this.#tasks.shutGate(true);
    for (let due = this.#live(); due !== undefined && due.at <= now; due = this.#live()) {
      if (elapsed(begun, clock.monotonic()) > longestTurn) return;
      const { entry, at } = due;
      this.#attempt(entry, () => {
        const to = wasRefusedLong(entry) ? now : this.#unseen.endOf(at);
        if (to !== undefined) this.#missed(entry, to);
        else this.#fire(entry, entry.next!);
      });
    }
    // What was refused is still missed when it is tried again.
    if (this.#refused.size === 0) this.#unseen.forget();
    this.#tasks.shutGate(false);
  }

  /** The first heap item that still speaks for its entry. */
  #live(): { at: number; entry: Entry } | undefined {
    for (let top = this.#heap.peek(); top !== undefined; top = this.#heap.peek()) {
      const { entry, at } = top;
      const { name } = entry.task;
      const isPutAside = this.#refused.get(name) === entry;
      if (entry.next?.at === at && this.#entries.get(name) === entry && !isPutAside) return top;
      this.#heap.pop();
    }
    return undefined;
  }

  #fire(entry: Entry, tick: Tick): void {
    const options = {
      trigger: "cron" as const,
      createdAt: tick.at,
      record: () => this.#store(entry, tick.at),
    };
    if (this.#hasFired(entry, tick.at)) {
      // Nothing more is to be done for it.
    } else if (tick.note === "repeat") {
      this.#tasks.recordUnexecuted(entry.task.name, { ...options, reason: "dst_skipped" });
    } else {
      this.#tasks.trigger(entry.task.name, { ...options, params: defaultsOf(entry.task) });
    }
    this.#pass(entry, tick.at);
  }

  /** After the clock was far ahead, ticks up to the stored mark may have been dealt with or not: their rows tell. */
  #hasFired(entry: Entry, tick: number): boolean {
    return entry.position !== undefined && tick <= entry.state.handled &&
      this.#world.store.runs.hasTick(entry.task.name, tick);
  }

  /** A tick is dealt with, and that is stored: goes on to the one after it. */
  #pass(entry: Entry, tick: number): void {
    if (entry.position !== undefined) entry.position = tick;
    if (tick >= entry.state.handled) delete entry.position;
    entry.state.handled = Math.max(entry.state.handled, tick);
    this.#enqueue(entry);
  }

  /** Each row is stored with the mark up to where it answers for the ticks, so that a crash between two rows doubles nothing. */
  #missed(entry: Entry, now: number): void {
    const { task, schedule, zone, state } = entry;
    // What was dealt with while the clock was ahead is not missed when it gets there.
    if (!isFarAhead(state.handled, now)) delete entry.position;
    const from = entry.position ?? state.handled;
    if (from >= now) return this.#enqueue(entry);
    const plan = planMissed(schedule, zone, { ...task, from, to: now, anchor: state.anchor });
    if (plan.record !== undefined) {
      const { newest, count, isFailure } = plan.record;
      const many = count >= mostCounted ? `${mostCounted} or more` : String(count);
      this.#tasks.recordUnexecuted(task.name, {
        trigger: "cron",
        createdAt: newest,
        reason: "missed",
        ...(isFailure ? {} : { failure: false }),
        note: `missed ticks: ${many}`,
        ...(count === 1 ? {} : { why: `${whyNotExecuted("missed")} for ${many} of its ticks` }),
        record: () => this.#store(entry, newest),
      });
      this.#pass(entry, newest);
    }
    for (const createdAt of plan.run) {
      if (this.#hasFired(entry, createdAt)) {
        this.#pass(entry, createdAt);
        continue;
      }
      this.#tasks.trigger(task.name, {
        trigger: "cron",
        createdAt,
        params: defaultsOf(task),
        catchUp: true,
        record: () => this.#store(entry, createdAt),
      });
      this.#pass(entry, createdAt);
    }
    if (entry.next === undefined || entry.next.at > now) return;
    // What is left are repeats of a fixed-time schedule, which were never to run.
    this.#store(entry, now);
    this.#pass(entry, now);
  }

  #store({ task }: Entry, tick: number): void {
    this.#world.store.schedules.setHandled(task.name, tick);
  }
}

/** An unchanged schedule goes on from where it was. */
function keepPlace(entry: Entry, { position, refused }: Entry): void {
  if (position !== undefined) entry.position = position;
  if (refused !== undefined) entry.refused = refused;
}

/** What the database has refused for long is missed, and with it what came due meanwhile: nobody waits for all of it any more. */
function wasRefusedLong({ refused }: Entry): boolean {
  return refused !== undefined && elapsed(refused.first, refused.last) > standstill;
}

/** Further than the clock of a machine is ever set back in good order. */
function isFarAhead(mark: number, now: number): boolean {
  return mark - now > 86_400_000;
}

function defaultsOf(task: Task): Record<string, string> {
  return Object.fromEntries(
    task.params.flatMap(({ key, default: value }) => value === undefined ? [] : [[key, value]]),
  );
}
