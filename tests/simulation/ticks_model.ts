import { nextTick, type Tick, ticksBetween } from "../../src/core/cron/next.ts";
import { parseCron, type Schedule } from "../../src/core/cron/parse.ts";
import { type Zone, zoneOf } from "../../src/core/cron/zone.ts";
import type { ScheduleState } from "../../src/io/store/schedules.ts";
import type { Task } from "../../src/types.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import { spared } from "./spared.ts";

interface ScheduleFact {
  definition: string;
  schedule: Schedule;
  zone: Zone;
  anchor: number;
  /** All ticks up to this one have been answered, by rows that were seen. */
  answered: number;
  isPaused: boolean;
  /** What this boot must make of the ticks that were missed. */
  plan?: { record?: { newest: number; count: number }; run: number[] };
  /** A missed row is to be followed by runs at once, so many as this. */
  follow?: { runs: number; at: number };
}

const mostCounted = 10_000;
const wakesEvery = 30_000;

/** Which ticks there are, and that each is answered exactly once (contract 3.2, 3.3). */
export class TicksModel {
  readonly #book: Book;
  readonly #schedules = new Map<string, ScheduleFact>();
  /** Spans of the wall clock that no daemon saw go by. */
  #absences: { from: number; to: number; isSure: boolean }[] = [];
  #lastSeen: number;

  constructor(book: Book) {
    this.#book = book;
    this.#lastSeen = book.now;
  }

  /** A daemon is there for the last time; what was due in its last moments may be left to the next. */
  left(): void {
    const book = this.#book;
    this.#lastSeen = Math.min(book.drainedFrom ?? Infinity, book.stalledFrom ?? book.now) -
      (book.isCalmSince(book.mono - 5000) ? 1 : 5000);
  }

  /** The clock was moved forward under a daemon, or the machine slept; `isSure`: so far that nobody can have taken it for a busy moment. */
  absent(from: number, to: number, { isSure = false } = {}): void {
    this.#absences.push({ from, to, isSure });
  }

  /** The clock is moved back: a daemon may never have seen that it had been moved forward. */
  returned(): void {
    for (const absence of this.#absences) absence.isSure = false;
  }

  /** The first life misses nothing; a later one finds what it must make up for. */
  boot(): void {
    const { now } = this.#book;
    this.absent(this.#lastSeen, now);
    for (const [unit, fact] of this.#schedules) {
      delete fact.plan;
      delete fact.follow;
      const task = this.#book.unit(unit);
      // A changed one, or one that is gone, misses nothing.
      if (task?.kind !== "task" || this.#definitionOf(task) !== fact.definition || fact.isPaused) continue;
      fact.plan = planOf(fact, { task, to: now });
    }
  }

  /** The boot is over: all of each plan is done, and every schedule is known. */
  booted(): void {
    const book = this.#book;
    for (const [unit, { plan }] of this.#schedules) {
      if (plan === undefined) continue;
      if (plan.record !== undefined) {
        book.violate(`the missed ticks of ${unit} are not recorded: ${say(plan)}`);
      }
      if (plan.run.length > 0) book.violate(`missed ticks of ${unit} are not made up for: ${say(plan)}`);
    }
    for (const schedule of this.#schedules.values()) delete schedule.plan;
    this.#checkKnown();
  }

  /** A schedule is stored anew: it is new, has changed, was paused or resumed. */
  stored(state: ScheduleState): void {
    const book = this.#book;
    const known = this.#schedules.get(state.unit);
    const isPaused = state.pausedAt !== undefined;
    if (known?.definition === state.definition) {
      if (known.isPaused && !isPaused) known.answered = Math.max(known.answered, book.now);
      else if (known.isPaused === isPaused) {
        book.violate(`the schedule of ${state.unit} is stored anew for no reason`);
      }
      known.isPaused = isPaused;
      if (state.anchor !== known.anchor) book.violate(`the anchor of ${state.unit} moves`);
      return;
    }
    const task = book.unit(state.unit);
    if (task?.kind !== "task" || this.#definitionOf(task) !== state.definition) {
      return book.violate(`a schedule of ${state.unit} is stored that it does not have: ${state.definition}`);
    }
    if (known !== undefined && known.isPaused !== isPaused) {
      book.violate(`${state.unit} forgets that it is paused`);
    }
    this.#schedules.set(state.unit, {
      definition: state.definition,
      schedule: parseCron(task.cron!),
      zone: zoneOf(task.timezone ?? book.config.daemon.timezone ?? "UTC"),
      anchor: book.now,
      answered: book.now,
      isPaused,
    });
  }

  forgotten(unit: string): void {
    this.#schedules.delete(unit);
  }

  /** A row for a tick is stored. */
  inserted(fact: Fact): void {
    const book = this.#book;
    const { unit, createdAt, endReason } = fact.run;
    const known = this.#schedules.get(unit);
    const task = book.unit(unit);
    if (known === undefined || task?.kind !== "task") return book.violate(`${nameOf(fact)} has no schedule`);
    const what = `the row of ${unit} for ${new Date(createdAt).toISOString()}`;
    if (known.isPaused) book.violate(`${what} is made while the schedule is paused`);
    if (createdAt > book.now) book.violate(`${what} is made before its time`);
    if (createdAt <= known.answered) {
      return book.violate(
        `${what} comes though ticks up to ${new Date(known.answered).toISOString()} are answered`,
      );
    }
    if (endReason === "missed") this.#missed(fact, { known, task, what });
    else this.#answered(fact, { known, what });
    known.answered = createdAt;
  }

  #missed(fact: Fact, { known, task, what }: { known: ScheduleFact; task: Task; what: string }): void {
    const book = this.#book;
    const { id, createdAt, isFailure } = fact.run;
    const { count, isTick } = countIn(known, { from: known.answered, to: createdAt });
    if (!isTick) book.violate(`${what} is missed, and no tick`);
    const note = book.machine.notes.get(id)?.[0];
    const due = `missed ticks: ${count >= mostCounted ? `${mostCounted} or more` : count}`;
    const isNearCap = spared.countNearTheCap && count > mostCounted - 200;
    if (note !== due && !isNearCap) book.violate(`${what} says "${note}", "${due}" was due`);
    if (isFailure !== (task.catchUp !== "latest")) book.violate(`${what} is a failure: ${isFailure}`);
    const slack = spared.missedAfterJumps ? 600_000 : 0;
    if (!this.#absences.some(({ from, to }) => from < createdAt && createdAt <= to + slack)) {
      book.violate(`${what} is missed, and a daemon was there`);
    }
    if (known.plan !== undefined) {
      const { record } = known.plan;
      if (record?.newest !== createdAt || (record.count !== count && count < mostCounted)) {
        book.violate(`${what} is missed with ${count}, the plan was ${say(known.plan)}`);
      }
      delete known.plan.record;
    }
    const runs = task.catchUp === "skip" ? 0 : task.catchUp === "latest" ? 1 : task.maxCatchUpRuns;
    if (runs > 0 && known.plan === undefined) known.follow = { runs, at: book.mono };
  }

  #answered(fact: Fact, { known, what }: { known: ScheduleFact; what: string }): void {
    const book = this.#book;
    const { createdAt, endReason } = fact.run;
    // Repeats of a fixed-time schedule were not to run: who makes up for missed ticks passes them over.
    const isMakingUp = known.plan !== undefined || book.jumpedAt >= book.mono - wakesEvery - 5000 ||
      book.disturbedAt >= book.mono - wakesEvery - 5000;
    let tick = this.#next(known, known.answered);
    while (isMakingUp && tick?.note === "repeat" && tick.at < createdAt) tick = this.#next(known, tick.at);
    if (tick?.at !== createdAt) {
      const due = tick === undefined ? "none" : new Date(tick.at).toISOString();
      book.violate(`${what} is made, and the next tick is ${due}`);
    }
    if ((tick?.note === "repeat") !== (endReason === "dst_skipped")) {
      book.violate(`${what} is ${endReason ?? "run"}, and the tick is "${tick?.note}"`);
    }
    // Whoever wakes after a jump makes up for all that is due by then.
    fact.mayCatchUp = book.jumpedAt >= book.mono - 300_000;
    if (known.plan !== undefined) {
      const first = known.plan.run.shift();
      if (first !== createdAt) book.violate(`${what} is made up for, ${first} was due`);
      if (known.plan.record !== undefined) book.violate(`${what} is made up for before others are recorded`);
      fact.catchUp = fact.run.status === "pending";
    } else if (known.follow !== undefined && known.follow.at === book.mono) {
      known.follow.runs--;
      if (known.follow.runs < 0 && createdAt < book.now) {
        book.violate(`${what} is one too many to make up for`);
      }
      fact.catchUp = fact.run.status === "pending";
    } else if (createdAt !== book.now && book.isCalmSince(book.mono - wakesEvery - 5000)) {
      book.violate(`${what} comes ${book.now - createdAt} ms late`);
    } else if (tick?.note !== "repeat") this.#checkPolicy(fact, { known, what });
  }

  /** A tick of an absence that no plan and no missed row speaks for. */
  #checkPolicy(fact: Fact, { known, what }: { known: ScheduleFact; what: string }): void {
    const book = this.#book;
    const { createdAt, unit } = fact.run;
    const absence = this.#absences.find(({ from, to, isSure }) =>
      isSure && from < createdAt && createdAt <= to
    );
    // Where the clock was moved back too, what a daemon slept through is a matter of when it looked.
    if (absence === undefined || book.jumpedBackAt >= book.mono - wakesEvery - 5000) return;
    const task = book.unit(unit) as Task;
    if (task.catchUp === "skip") {
      book.violate(`${what} was missed, and is made up for though catch_up is skip`);
    }
    const newer = this.#next(known, createdAt);
    if (
      task.catchUp === "latest" && newer !== undefined && newer.note !== "repeat" && newer.at <= absence.to
    ) {
      book.violate(`${what} was missed, and is made up for though a newer one was`);
    }
  }

  /** Between two moves. */
  check(): void {
    const book = this.#book;
    if (book.isDraining) return;
    this.#checkKnown();
    if (!book.isCalmSince(book.mono - wakesEvery - 5000)) return;
    for (const [unit, known] of this.#schedules) {
      if (known.isPaused) continue;
      let tick = this.#next(known, known.answered);
      // The last ticks of an absence may have been repeats.
      const isInAbsence = ({ at }: Tick): boolean =>
        this.#absences.some(({ from, to }) => from < at && at <= to);
      while (tick?.note === "repeat" && isInAbsence(tick)) tick = this.#next(known, tick.at);
      if (tick !== undefined && tick.at <= book.now) {
        book.violate(`the tick of ${unit} at ${new Date(tick.at).toISOString()} is not answered`);
      }
      if (known.follow !== undefined && known.follow.runs > 0) {
        const { runs, at } = known.follow;
        if (at < book.mono) book.violate(`${runs} missed ticks of ${unit} are not made up for`);
      }
    }
  }

  compare(unit: string, seen: { pausedAt: number | undefined; nextRunAt: number | undefined }): void {
    const known = this.#schedules.get(unit);
    if (known === undefined) return;
    if (known.isPaused !== (seen.pausedAt !== undefined)) {
      this.#book.violate(
        `${unit} says that it is ${known.isPaused ? "not paused, and is" : "paused, and is not"}`,
      );
    }
    if (!known.isPaused && seen.nextRunAt === undefined) this.#book.violate(`${unit} knows no next run`);
  }

  #checkKnown(): void {
    for (const unit of this.#book.config.units) {
      const known = this.#schedules.get(unit.name);
      const isDue = unit.kind === "task" && unit.cron !== undefined;
      if (isDue !== (known !== undefined)) {
        this.#book.violate(`${unit.name} is${isDue ? " not" : ""} scheduled`);
      }
      if (isDue && known !== undefined && known.definition !== this.#definitionOf(unit)) {
        this.#book.violate(
          `${unit.name} is scheduled as ${known.definition}, not ${this.#definitionOf(unit)}`,
        );
      }
    }
  }

  #definitionOf(task: Task): string | undefined {
    if (task.cron === undefined) return undefined;
    return `${task.cron} ${task.timezone ?? this.#book.config.daemon.timezone ?? "UTC"}`;
  }

  #next(known: ScheduleFact, after: number): Tick | undefined {
    return nextTick(known.schedule, known.zone, { after, anchor: known.anchor });
  }
}

/** What a start must make of the ticks up to `to`: counted one by one. */
function planOf(
  fact: ScheduleFact,
  { task, to }: { task: Task; to: number },
): NonNullable<ScheduleFact["plan"]> {
  const span = { from: fact.answered, to, anchor: fact.anchor };
  const missed: number[] = [];
  for (const { at, note } of ticksBetween(fact.schedule, fact.zone, span)) {
    if (note !== "repeat") missed.push(at);
  }
  const wanted = task.catchUp === "skip" ? 0 : task.catchUp === "latest" ? 1 : task.maxCatchUpRuns;
  const run = wanted === 0 ? [] : missed.slice(-wanted);
  const left = missed.slice(0, missed.length - run.length);
  return left.length === 0 ? { run } : { run, record: { newest: left.at(-1)!, count: left.length } };
}

function countIn(fact: ScheduleFact, span: { from: number; to: number }): { count: number; isTick: boolean } {
  let count = 0;
  let last = -1;
  for (const { at, note } of ticksBetween(fact.schedule, fact.zone, { ...span, anchor: fact.anchor })) {
    if (note !== "repeat") count++;
    last = at;
  }
  return { count, isTick: last === span.to };
}

function say({ record, run }: NonNullable<ScheduleFact["plan"]>): string {
  return `${
    record === undefined ? "no record" : `${record.count} up to ${new Date(record.newest).toISOString()}`
  }, ${run.length} to run`;
}
