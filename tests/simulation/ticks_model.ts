import { parseCron } from "../../src/core/cron/parse.ts";
import { zoneOf } from "../../src/core/cron/zone.ts";
import type { ScheduleState } from "../../src/io/store/schedules.ts";
import type { Task } from "../../src/types.ts";
import { Absences, wakesEvery } from "./absences.ts";
import { BackModel } from "./back_model.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import {
  countIn,
  definitionOf,
  isFarAhead,
  iso,
  mostCounted,
  planOf,
  say,
  type ScheduleFact,
  tickAfter,
} from "./schedule_fact.ts";

/** Whoever wakes so much later than it was to has stood still, ms. */
const standstill = 10_000;

/** Which ticks there are, and that each is answered exactly once (docs/behaviour.md#zones, docs/behaviour.md#downtime). */
export class TicksModel {
  readonly #book: Book;
  readonly #back: BackModel;
  readonly #schedules = new Map<string, ScheduleFact>();
  readonly #absences: Absences;
  /** On the monotonic clock. */
  #stoodStillAt = -Infinity;
  #refusedInBootAt = -Infinity;
  #refusedLongAt = -Infinity;
  /** Marks of schedules that were removed in this life. */
  readonly #former = new Map<string, number>();

  constructor(book: Book) {
    this.#book = book;
    this.#back = new BackModel(book);
    this.#absences = new Absences(book);
  }

  left(): void {
    this.#absences.left();
  }

  /** The clock was moved forward under a daemon, or the machine slept; `isSure`: so far that it is noticed. */
  absent(from: number, to: number, { isSure = false } = {}): void {
    this.#absences.add(from, to, { isSure });
    for (const { back } of this.#schedules.values()) if (back !== undefined) back.isUnsure = true;
  }

  /** The clock is moved back: a daemon may never have seen that it had been moved forward. */
  returned(): void {
    this.#absences.doubt();
    const { now } = this.#book;
    for (const known of this.#schedules.values()) this.#back.set(known, now + wakesEvery);
  }

  /** A daemon does nothing for a while. */
  stalled(): void {
    for (const known of this.#schedules.values()) this.#back.stalled(known);
  }

  /** The machine begins to sleep in the middle of a turn: later ticks are missed by themselves. */
  sleeps(): void {
    const { now } = this.#book;
    for (const { follow } of this.#schedules.values()) if (follow !== undefined) follow.until ??= now;
    // What came due just now may not have been seen yet.
    this.absent(now - 1, now);
  }

  /** A daemon did nothing for so long that it may, or must, take that for a standstill (docs/behaviour.md#downtime). */
  stoodStill(from: number, { mayBeBusy }: { mayBeBusy: boolean }): void {
    const { now, mono } = this.#book;
    if (now - from <= standstill) return;
    this.#stoodStillAt = mono;
    // What was refused before may be missed when it is tried again.
    const { refusedFrom } = this.#absences;
    if (refusedFrom !== undefined) this.absent(refusedFrom, now);
    // What came due just as a slow write began had not been seen yet.
    this.absent(mayBeBusy ? from - 1 : from, now, {
      isSure: !mayBeBusy && now - from > standstill + wakesEvery,
    });
  }

  /** The machine has slept for some ms. */
  slept(ms: number): void {
    this.#absences.moved(ms);
  }

  /** A daemon has done nothing for some ms. */
  idle(ms: number): void {
    this.#absences.idle(ms);
  }

  /** The database refuses something. */
  refused(): void {
    if (this.#absences.refused()) this.#refusedLongAt = this.#book.mono;
  }

  /** The first life misses nothing; a later one finds what it must make up for. */
  boot(): void {
    const { now } = this.#book;
    this.absent(this.#absences.lastSeen, now);
    this.#former.clear();
    for (const [unit, fact] of this.#schedules) {
      delete fact.back;
      this.#back.set(fact, now);
      delete fact.plan;
      delete fact.missedBy;
      delete fact.follow;
      const task = this.#book.unit(unit);
      // A changed one, or one that is gone, misses nothing.
      if (
        task?.kind !== "task" || definitionOf(task, this.#book.config) !== fact.definition || fact.isPaused
      ) continue;
      fact.missedBy = task;
    }
  }

  /** A start may have to wait: what is missed by then is known when it comes to that. */
  #plan(known: ScheduleFact): void {
    const { missedBy: task } = known;
    delete known.missedBy;
    if (task !== undefined) known.plan = planOf(known, { task, to: this.#book.now });
  }

  /** The boot is over: all of each plan is done, and every schedule is known. */
  booted(): void {
    const book = this.#book;
    if (book.bootRefusedSince !== undefined) this.#refusedInBootAt = book.mono;
    for (const [unit, known] of this.#schedules) {
      this.#plan(known);
      const { plan } = known;
      delete known.plan;
      // What was refused is tried again in a second.
      if (plan === undefined || book.bootRefusedSince !== undefined) continue;
      if (plan.record !== undefined) {
        book.violate(`the missed ticks of ${unit} are not recorded: ${say(plan)}`);
      }
      if (plan.run.length > 0) book.violate(`missed ticks of ${unit} are not made up for: ${say(plan)}`);
    }
    this.#checkKnown();
  }

  /** A schedule is stored anew: it is new, has changed, was paused or resumed. */
  stored(state: ScheduleState): void {
    const book = this.#book;
    const known = this.#schedules.get(state.unit);
    const isPaused = state.pausedAt !== undefined;
    if (known?.definition === state.definition) {
      if (known.isPaused && !isPaused) {
        known.answered = Math.max(known.answered, book.now);
        known.handled = Math.max(known.handled, book.now);
        // Ticks of a pause are neither run nor missed.
        if (known.back !== undefined) known.back.last = Math.max(known.back.last, book.now);
      } else if (known.isPaused === isPaused) {
        book.violate(`the schedule of ${state.unit} is stored anew for no reason`);
      }
      known.isPaused = isPaused;
      if (state.handled !== known.handled) book.violate(`the mark of ${state.unit} moves`);
      if (state.anchor !== known.anchor) book.violate(`the anchor of ${state.unit} moves`);
      return;
    }
    const task = book.unit(state.unit);
    if (task?.kind !== "task" || definitionOf(task, book.config) !== state.definition) {
      return book.violate(`a schedule of ${state.unit} is stored that it does not have: ${state.definition}`);
    }
    if (known !== undefined && known.isPaused !== isPaused) {
      book.violate(`${state.unit} forgets that it is paused`);
    }
    // A schedule fires no tick twice, whatever becomes of its definition.
    const former = known?.handled ?? this.#former.get(state.unit) ?? book.now;
    const handled = isFarAhead(former, book.now) ? book.now : Math.max(former, book.now);
    if (state.handled !== handled || state.anchor !== book.now) {
      book.violate(`the schedule of ${state.unit} begins at ${state.handled}, ${handled} was due`);
    }
    this.#schedules.set(state.unit, {
      definition: state.definition,
      schedule: parseCron(task.cron!),
      zone: zoneOf(task.timezone ?? book.config.daemon.timezone ?? "UTC"),
      anchor: book.now,
      answered: handled,
      handled,
      isPaused,
    });
  }

  forgotten(unit: string): void {
    const known = this.#schedules.get(unit);
    if (known !== undefined && this.#book.phase === "up") this.#former.set(unit, known.handled);
    this.#schedules.delete(unit);
  }

  /** A mark is stored; the rows of its transaction have been seen. */
  handled(unit: string, tick: number): void {
    const book = this.#book;
    const known = this.#schedules.get(unit);
    if (known === undefined || tick <= known.handled) return;
    known.handled = tick;
    let next = tickAfter(known, known.answered);
    while (next?.note === "repeat") next = tickAfter(known, next.at);
    if (next !== undefined && next.at <= tick) {
      book.violate(
        `${unit} is marked as handled up to ${iso(tick)}, and the tick at ${iso(next.at)} has no row`,
      );
    }
  }

  /** What was found to be missed while the clock was ahead is made up for, though it was set back just after. */
  #latest(): number {
    const { now, mono, jumpedBackAt, jumpedBackFrom } = this.#book;
    return mono - jumpedBackAt <= wakesEvery ? Math.max(now, jumpedBackFrom) : now;
  }

  /** A row for a tick is stored. */
  inserted(fact: Fact): void {
    const book = this.#book;
    const { unit, createdAt, endReason } = fact.run;
    const known = this.#schedules.get(unit);
    const task = book.unit(unit);
    if (known === undefined || task?.kind !== "task") return book.violate(`${nameOf(fact)} has no schedule`);
    this.#plan(known);
    const what = `the row of ${unit} for ${iso(createdAt)}`;
    if (known.isPaused) book.violate(`${what} is made while the schedule is paused`);
    if (createdAt > this.#latest()) book.violate(`${what} is made before its time`);
    if (known.back !== undefined && createdAt <= known.answered) {
      return this.#back.inserted(fact, { known, task, back: known.back, what });
    }
    delete known.back;
    if (createdAt <= known.answered) {
      return book.violate(`${what} comes though ticks up to ${iso(known.answered)} are answered`);
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
    if (note !== due) book.violate(`${what} says "${note}", "${due}" was due`);
    if (isFailure !== (task.catchUp !== "latest")) book.violate(`${what} is a failure: ${isFailure}`);
    if (!this.#absences.holds(createdAt)) {
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
    const isMakingUp = known.plan !== undefined || book.jumpedAt >= book.mono - wakesEvery ||
      book.disturbedAt >= book.mono - wakesEvery;
    let tick = tickAfter(known, known.answered);
    while (
      tick?.note === "repeat" && tick.at < createdAt && (isMakingUp || this.#absences.holds(tick.at))
    ) tick = tickAfter(known, tick.at);
    if (tick?.at !== createdAt) {
      const due = tick === undefined ? "none" : iso(tick.at);
      book.violate(`${what} is made, and the next tick is ${due}`);
    }
    if ((tick?.note === "repeat") !== (endReason === "dst_skipped")) {
      book.violate(`${what} is ${endReason ?? "run"}, and the tick is "${tick?.note}"`);
    }
    // Whoever wakes after a jump makes up for all that is due by then.
    fact.mayCatchUp = book.mono - 300_000 <=
      Math.max(book.jumpedAt, this.#stoodStillAt, this.#refusedInBootAt, this.#refusedLongAt);
    if (known.plan !== undefined) {
      const first = known.plan.run.shift();
      if (first !== createdAt) book.violate(`${what} is made up for, ${first} was due`);
      if (known.plan.record !== undefined) book.violate(`${what} is made up for before others are recorded`);
      fact.catchUp = fact.run.status === "pending";
    } else if (
      known.follow !== undefined && createdAt <= (known.follow.until ?? Infinity) &&
      Math.max(known.follow.at + book.slowSince(known.follow.at), book.refusedAt + 2000) >= book.mono
    ) {
      const isSure = createdAt <= this.#absences.latestSureTo;
      if (--known.follow.runs < 0 && isSure) book.violate(`${what} is one too many to make up for`);
      fact.catchUp = isSure && fact.run.status === "pending";
    } else if (createdAt !== book.now && book.isCalmSince(book.mono - wakesEvery)) {
      book.violate(`${what} comes ${book.now - createdAt} ms late`);
    } else if (tick?.note !== "repeat") this.#checkPolicy(fact, { known, what });
  }

  /** A tick of an absence that no plan and no missed row speaks for. */
  #checkPolicy(fact: Fact, { known, what }: { known: ScheduleFact; what: string }): void {
    const { createdAt, unit } = fact.run;
    // What lies at its end may have come under the daemon's eyes.
    const absence = this.#absences.sureOf(createdAt);
    const book = this.#book; // where the clock was moved back too, it is a matter of when the daemon looked
    if (absence === undefined || book.jumpedBackAt >= book.mono - wakesEvery) return;
    const task = book.unit(unit) as Task;
    if (task.catchUp === "skip") {
      book.violate(`${what} was missed, and is made up for though catch_up is skip`);
    }
    const newer = tickAfter(known, createdAt);
    if (
      task.catchUp === "latest" && newer !== undefined && newer.note !== "repeat" &&
      newer.at <= absence.sureTo
    ) {
      book.violate(`${what} was missed, and is made up for though a newer one was`);
    }
  }

  /** Between two moves. */
  check(): void {
    const book = this.#book;
    if (book.isDraining) return;
    this.#checkKnown();
    for (const known of this.#schedules.values()) {
      const { runs, at } = known.follow ?? { runs: 1, at: 0 };
      // All of it has come: what is refused from now on is another matter.
      if (runs <= 0 && at + book.slowSince(at) < book.mono && book.refusedAt < at) delete known.follow;
    }
    if (!book.isCalmSince(book.mono - wakesEvery)) return;
    for (const [unit, known] of this.#schedules) {
      if (known.isPaused) continue;
      this.#back.check(unit, known);
      let tick = tickAfter(known, known.answered);
      // The last ticks of an absence may have been repeats.
      while (tick?.note === "repeat" && this.#absences.holds(tick.at)) tick = tickAfter(known, tick.at);
      if (tick !== undefined && tick.at <= book.now) {
        book.violate(`the tick of ${unit} at ${iso(tick.at)} is not answered`);
      }
      const { runs, at } = known.follow ?? { runs: 0, at: 0 };
      if (runs > 0 && at + book.slowSince(at) < book.mono && book.refusedAt < at) {
        book.violate(`${runs} missed ticks of ${unit} are not made up for`);
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
      if (isDue && known !== undefined && known.definition !== definitionOf(unit, this.#book.config)) {
        this.#book.violate(
          `${unit.name} is scheduled as ${known.definition}, not ${definitionOf(unit, this.#book.config)}`,
        );
      }
    }
  }
}
