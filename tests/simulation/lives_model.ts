import { askEvery, askTwice, killPatience, lookAgain, pipeGrace } from "../../src/core/run_machine.ts";
import type { EngineEvent } from "../../src/engine/bus.ts";
import type { ProcessExit } from "../../src/io/process/processes.ts";
import type { EndReason, Run } from "../../src/types.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { isStuck } from "./stuck.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import type { KeptModel } from "./kept_model.ts";

/** End reasons that are failures of a unit that names none. */
const failing = new Set<EndReason>([
  "failed",
  "timeout",
  "crashed",
  "log_overflow",
  "start_failed",
  "unhealthy",
  "missed",
  "queue_full",
  "daemon_stopped",
]);
/** What a daemon ends runs for. */
const causes = new Set<EndReason>(["stopped", "timeout", "daemon_stopped", "log_overflow"]);
/** Codes that say that a signal ended the process: 128 and its number. */
const crashCodes = [129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 152, 153, 159];

/** The life of each run: rows, processes, signals, outcomes and events belong together (docs/behaviour.md#outcomes, docs/behaviour.md#processes, docs/http.md#events). */
export class LivesModel {
  readonly #book: Book;

  readonly #kept: KeptModel;

  constructor(book: Book, kept: KeptModel) {
    this.#book = book;
    this.#kept = kept;
  }

  /** Takes a new row in. */
  inserted(run: Run): Fact {
    const book = this.#book;
    if (book.runs.has(run.id)) book.violate(`run ${run.id} is made twice`);
    const fact: Fact = {
      run,
      life: book.life,
      inBoot: book.phase === "boot",
      insertedAt: book.mono,
      signals: [],
      userStopped: false,
      catchUp: false,
      mayCatchUp: false,
      ...(run.status === "ended" ? { endedAt: book.mono } : {}),
      isRemoved: false,
      told: "",
    };
    book.add(fact);
    if (run.status === "running") book.violate(`${nameOf(fact)} is made as running`);
    if (run.status === "ended") this.#checkUnexecuted(fact, run);
    return fact;
  }

  /** A row changes: answers what is known of it, with its former status still in `run`. */
  updated(run: Run): Fact | undefined {
    const fact = this.#book.runs.get(run.id);
    if (fact === undefined || fact.isRemoved) {
      this.#book.violate(`row ${run.id} changes, and is not there`);
      return undefined;
    }
    const change = `${fact.run.status} to ${run.status}`;
    const isToldMore = change === "running to running" && this.#kept.mayChange(fact, run);
    if (!["pending to running", "pending to ended", "running to ended"].includes(change) && !isToldMore) {
      this.#book.violate(`${nameOf(fact)} goes from ${change}`);
    }
    if (change === "pending to running") {
      fact.startedIn = this.#book.life;
      const unit = this.#book.unit(run.unit);
      if (unit !== undefined) fact.unit = unit;
      if (this.#book.isDraining && run.trigger !== "service") {
        this.#book.violate(`${nameOf(fact)} starts while the daemon drains`);
      }
    }
    if (change === "pending to ended") this.#checkUnexecuted(fact, run);
    if (change === "running to ended") this.#checkOutcome(fact, run);
    return fact;
  }

  /** The database refuses the end of a run. */
  cannotEnd({ id }: Run): void {
    const { mono, now } = this.#book;
    const fact = this.#book.runs.get(id);
    if (fact !== undefined) fact.triedAt ??= { mono, wall: now };
  }

  launched(process: FakeProcess): void {
    const book = this.#book;
    const fact = book.runs.get(process.spec.runId);
    if (fact === undefined || fact.run.status !== "running") {
      return book.violate(`a process of ${process.spec.name} starts before its row says so`);
    }
    if (fact.process !== undefined) book.violate(`${nameOf(fact)} is executed twice`);
    fact.process = process;
    fact.startedAt = book.mono;
    if (process.spec.script !== book.unit(fact.run.unit)?.run) {
      book.violate(`${nameOf(fact)} starts under an older definition`);
    }
    const unit = fact.unit;
    const alive = book.machine.processes.alive(fact.run.unit).filter(({ spec }) =>
      unit?.kind === "task" || spec.env.SVC_INSTANCE === process.spec.env.SVC_INSTANCE
    ).filter((one) => !isStuck(one)).filter(({ spec }) => {
      const trigger = book.runs.get(spec.runId)?.run.trigger;
      return (trigger === "service") === (unit?.kind === "service");
    });
    const most = unit?.kind === "task" ? unit.maxConcurrent : 1;
    if (alive.length > most) {
      book.violate(`${alive.length} processes of ${fact.run.unit}, ${most} may live`);
    }
  }

  exited(runId: string, exit: ProcessExit): void {
    const fact = this.#book.runs.get(runId);
    if (fact !== undefined) fact.exit = { ...exit, at: this.#book.mono };
  }

  lost(runId: string): void {
    const fact = this.#book.runs.get(runId);
    if (fact !== undefined) fact.lostAt = this.#book.mono;
  }

  /** A signal goes to a process that lives, as far as its daemon knows. */
  signalled(runId: string, name: string): void {
    const book = this.#book;
    const fact = book.runs.get(runId);
    if (fact === undefined) return;
    fact.signals.push({ name, at: book.mono });
    const { unit, startedAt = 0 } = fact;
    if (fact.want !== undefined && fact.taken?.isUnasked === true) fact.want.at = book.mono;
    delete fact.taken?.isUnasked;
    if (fact.want === undefined) {
      const timeout = unit?.timeout ?? 0;
      if (timeout > 0 && book.mono >= startedAt + timeout) {
        const due = startedAt + timeout + book.slowSince(startedAt);
        // A daemon that stops may come at the very moment.
        const isStopping = (book.stoppingSince ?? book.bootRefusedSince) !== undefined;
        const isSure = (isStopping ? book.mono > due : book.mono >= due) && !book.isJustTaken(fact);
        fact.want = { reason: "timeout", at: book.mono, isUnsure: book.isStalled || !isSure };
        if (book.mono > startedAt + timeout + book.slowSince(startedAt) && book.isCalmSince(startedAt)) {
          book.violate(`the timeout of ${nameOf(fact)} comes late`);
        }
      } else if (book.stoppingSince === undefined && fact.taken?.in === book.life) {
        return book.violate(`${name} is sent to ${nameOf(fact)}, which was taken over`);
      } else if (book.handsOver && book.isKept(fact)) {
        return book.violate(`${name} is sent to ${nameOf(fact)}, which is to be handed over`);
      } else if ((book.stoppingSince ?? book.bootRefusedSince) !== undefined) {
        fact.want = { reason: "daemon_stopped", at: book.mono, isUnsure: book.isStalled };
      } else {
        return book.violate(`${name} is sent to ${nameOf(fact)}, which nobody asked to end`);
      }
    }
    this.#kept.signalled(fact);
    const grace = unit?.gracefulStop ?? 0;
    if (fact.signals.length === 1 && grace > 0 && name !== unit?.stopSignal && !this.#isTimeUp()) {
      book.violate(`${nameOf(fact)} is stopped with ${name}, not ${unit?.stopSignal}`);
    }
    if (name === "SIGKILL" && grace > 0 && !this.#isTimeUp()) {
      const due = fact.want.at + grace;
      if (book.mono < due) book.violate(`${nameOf(fact)} is killed ${due - book.mono} ms too early`);
      // What may have ended, though nobody was told, is killed again at a stop of the daemon.
      const isAgain = fact.lostAt !== undefined && fact.signals.filter((one) => one.name === name).length > 1;
      const isLate = book.mono > due + book.slowSince(fact.want.at) && !isStuck(fact.process) && !isAgain;
      if (isLate && book.isCalmSince(fact.want.at)) {
        book.violate(`${nameOf(fact)} is killed ${book.mono - due} ms too late`);
      }
    }
  }

  overflowed(runId: string): void {
    const fact = this.#book.runs.get(runId);
    if (fact !== undefined) this.#book.end(fact, "log_overflow");
  }

  told(event: EngineEvent): void {
    if (!("run" in event) || event.type === "run.updated") return;
    const book = this.#book;
    const fact = book.runs.get(event.run.id);
    if (fact === undefined) return book.violate(`${event.type} of run ${event.run.id}, which is not stored`);
    const { status } = fact.run;
    const letter = event.type === "run.created" ? "c" : event.type === "run.started" ? "s" : "e";
    const isStored = letter === "c" || (letter === "s" ? status === "running" : status === "ended");
    if (!isStored) book.violate(`${event.type} of ${nameOf(fact)} is told, and the row says ${status}`);
    if (letter === "e" && event.run.endReason !== fact.run.endReason) {
      book.violate(`${event.type} of ${nameOf(fact)} tells ${event.run.endReason}, not what is stored`);
    }
    fact.told += letter;
    const isNew = fact.life === book.life && !fact.inBoot;
    if (!(isNew ? /^cs?e?$/ : /^c?s?e?$/).test(fact.told)) {
      book.violate(`events of ${nameOf(fact)} are told as "${fact.told}"`);
    }
  }

  /** Nothing of what this life knew is left. */
  died(): void {
    for (const fact of this.#book.runs.values()) {
      fact.told = "";
      delete fact.want;
      delete fact.mustEnd;
      fact.catchUp = false;
      fact.mayCatchUp = false;
      delete fact.gate;
      delete fact.triedAt;
    }
  }

  /** Between two moves. */
  check(): void {
    const book = this.#book;
    for (const process of book.machine.processes.alive()) {
      const fact = book.runs.get(process.spec.runId);
      if (fact?.run.status !== "running" && !isStuck(process)) {
        book.violate(`a process of ${process.spec.name} lives, and its row says ${fact?.run.status}`);
      }
    }
    for (const fact of book.fresh) {
      this.#checkTold(fact);
      if (fact.isRemoved || (fact.run.status === "ended" && book.mono - fact.endedAt! > 1000)) {
        book.fresh.delete(fact);
      }
    }
    for (const fact of book.active()) {
      if (fact.run.trigger === "service" && fact.run.status === "pending" && fact.life !== book.life) {
        book.violate(`${nameOf(fact)} waits since an earlier daemon`);
      }
      if (fact.run.status !== "running") continue;
      if (fact.startedIn !== book.life) {
        book.violate(`${nameOf(fact)} is marked running since an earlier daemon`);
      } else if (fact.process === undefined) {
        if (book.isCalmSince(book.mono - 5000)) {
          book.violate(`${nameOf(fact)} is marked running and has no process`);
        }
      } else if (!book.isStalled && !isStuck(fact.process)) this.#checkTime(fact);
    }
  }

  #checkTold(fact: Fact): void {
    const { told, run, life, inBoot, process } = fact;
    if (life !== this.#book.life || inBoot || fact.isRemoved) return;
    const due = `c${process === undefined ? "" : "s"}${run.status === "ended" ? "e" : ""}`;
    if (told !== due) this.#book.violate(`events of ${nameOf(fact)} are "${told}", "${due}" was due`);
  }

  #checkTime(fact: Fact): void {
    const book = this.#book;
    const { want, exit, lostAt, unit, startedAt = 0 } = fact;
    if (exit === undefined && lostAt !== undefined) return this.#checkLost(fact, lostAt);
    if (exit !== undefined) {
      const slack = book.isCalmSince(exit.at) ? 0 : 4000;
      // Others of the run have what is left of the grace.
      // Several timers in a row come after a stop, and each may be late.
      const isInRow = want !== undefined && !book.isCalmSince(exit.at);
      const blindFrom = isInRow || book.helpersFailedAt > exit.at - 30_000 ? book.disturbedAt : -Infinity;
      const until = want === undefined || fact.process?.hasStubbornChild !== true
        ? Math.max(exit.at, blindFrom)
        : Math.max(exit.at, blindFrom, want.at + (unit?.gracefulStop ?? 0));
      const blind = book.helpersFailedAt > exit.at - 30_000 ? 20_000 + (unit?.gracefulStop ?? 0) : 0;
      const looks = want === undefined ? 0 : 2 * lookAgain;
      if (
        book.mono >
          Math.max(
            until + pipeGrace + looks + slack + blind + book.slowSince(exit.at - 10_000),
            book.refusedAt + 2000 + book.slowSince(book.refusedAt),
          )
      ) {
        book.violate(`${nameOf(fact)} has not ended, though its process has`);
      }
    } else if (want !== undefined) {
      if (this.#isOver(fact, want.at + (unit?.gracefulStop ?? 0) + book.slowSince(want.at))) {
        book.violate(`${nameOf(fact)} lives on after its grace`);
      }
      if (fact.signals.length === 0) book.violate(`${nameOf(fact)} was not asked to end (${want.reason})`);
    } else if (
      unit !== undefined && unit.timeout > 0 &&
      this.#isOver(fact, startedAt + unit.timeout + book.slowSince(startedAt))
    ) {
      book.violate(`${nameOf(fact)} lives on after its timeout`);
    }
  }

  /** What was over when a daemon took a run over is dealt with as soon as that has started, though not at that very moment. */
  #isOver({ taken }: Fact, due: number): boolean {
    const { mono, life, bootedAt } = this.#book;
    return taken?.in === life && bootedAt >= due ? this.#book.isOverdue(bootedAt) : mono >= due;
  }

  /** Nobody was told of the end of its process: that is asked for, as far as somebody answers. */
  #checkLost(fact: Fact, lostAt: number): void {
    const { mono, helpersFailedAt, disturbedAt, refusedAt } = this.#book;
    const { want, unit } = fact;
    const killed = want === undefined ? lostAt : want.at + (unit?.gracefulStop ?? 0) + killPatience;
    const from = Math.max(lostAt, killed, helpersFailedAt, disturbedAt, refusedAt);
    // An answer that never came is waited for, and then it is asked again.
    const patience = 6000 + askEvery + askTwice + pipeGrace + this.#book.slowSince(from - 10_000);
    if (mono > from + patience) this.#book.violate(`${nameOf(fact)} is never known to be gone`);
  }

  /** Whether a clean stop has no more patience. */
  #isTimeUp(): boolean {
    const { stoppingSince, bootRefusedSince, config, mono } = this.#book;
    const since = stoppingSince ?? bootRefusedSince;
    const { shutdownTimeout } = config.daemon;
    return since !== undefined && shutdownTimeout > 0 && mono >= since + shutdownTimeout;
  }

  #checkUnexecuted(fact: Fact, run: Run): void {
    if (run.exitCode !== -1) {
      this.#book.violate(`${nameOf(fact)} never executed, and its exit code is ${run.exitCode}`);
    }
    this.#checkTimeOfEnd(fact, run);
  }

  /** An end that is stored late says when it was. */
  #checkTimeOfEnd({ mustEnd, triedAt, ...fact }: Fact, run: Run): void {
    const due = this.#kept.endOf(fact) ?? mustEnd?.wall ?? triedAt?.wall ?? this.#book.now;
    const { stalledFrom = Infinity, now } = this.#book;
    if (run.endedAt === due || (run.endedAt! >= stalledFrom && run.endedAt! <= now)) return;
    // The machine slept before that was refused which ends it.
    const hasSlept = mustEnd !== undefined && this.#book.jumpedAt >= mustEnd.at;
    if (hasSlept && run.endedAt === triedAt?.wall) return;
    // Of several that end in one go the database may have taken its time over those before.
    const slow = mustEnd === undefined ? 0 : this.#book.slowSince(mustEnd.at);
    if (run.endedAt! > due && run.endedAt! <= due + slow) return;
    this.#book.violate(`${nameOf(fact)} says that it ended at ${run.endedAt}, it was at ${due}`);
  }

  #checkOutcome(fact: Fact, run: Run): void {
    const book = this.#book;
    this.#checkTimeOfEnd(fact, run);
    this.#kept.checkEnd(fact, run);
    const due = this.#isTakenForGone(fact, run) ? this.#lostOutcome(fact, run) : this.#outcome(fact);
    if (typeof due === "string") return book.violate(due);
    // After a stall several timers are due at one moment.
    const isUnsure = fact.want?.isUnsure === true && causes.has(run.endReason!);
    const gaveUp = run.trigger === "service" && run.endReason === "start_failed";
    this.#checkGrace(fact);
    if (run.exitCode !== due.code || (run.endReason !== due.reason && !gaveUp && !isUnsure)) {
      book.violate(
        `${nameOf(fact)} ended as ${run.endReason} (${run.exitCode}), ${due.reason} (${due.code}) was due`,
      );
    }
    if (run.isFailure !== failing.has(run.endReason!)) {
      book.violate(`${nameOf(fact)} ended as ${run.endReason}, failure: ${run.isFailure}`);
    }
  }

  /** Nobody told of the end of a process that was gone for a while. */
  #isTakenForGone({ lostAt = Infinity, exit, startedIn }: Fact, run: Run): boolean {
    const since = lostAt + askTwice;
    return run.exitCode === 255 && startedIn === this.#book.life && this.#book.mono >= since &&
      (exit === undefined || exit.at >= since);
  }

  /** It may have been known to be gone before somebody asked it to end. */
  #lostOutcome({ lostAt = 0, want }: Fact, { endReason }: Run): { reason: EndReason; code: number } {
    const mayBeKnown = want !== undefined && want.at >= lostAt + askTwice && endReason === "crashed";
    return { reason: want === undefined || mayBeKnown ? "crashed" : want.reason, code: 255 };
  }

  /** Nothing of a run that was asked to end is killed before its time, whoever of it has ended. */
  #checkGrace({ run, want, exit, process, unit, startedIn }: Fact): void {
    const book = this.#book;
    if (want === undefined || exit?.at === undefined || startedIn !== book.life || this.#isTimeUp()) return;
    if (process?.hasStubbornChild !== true || exit.signal === "SIGKILL" || exit.at < want.at) return;
    const due = want.at + (unit?.gracefulStop ?? 0);
    const isBlind = book.helpersFailedAt > want.at - 30_000;
    if (book.mono < due && !isBlind && want.isUnsure !== true) {
      book.violate(`the rest of run ${run.id} of ${run.unit} is killed ${due - book.mono} ms too early`);
    }
    const { unkillable } = book.machine.processes;
    if (process.children.some(({ pid }) => !unkillable.has(pid)) && !isBlind) {
      book.violate(`something of run ${run.id} of ${run.unit} lives on`);
    }
  }

  #outcome(fact: Fact): { reason: EndReason; code: number } | string {
    const { exit, want, process, unit, startedIn } = fact;
    if (startedIn !== this.#book.life) {
      const lives = (process?.isAlive ?? false) && !isStuck(process);
      return lives
        ? `${nameOf(fact)} ends as crashed while its process lives`
        : { reason: "crashed", code: -2 };
    }
    if (process === undefined) return { reason: "start_failed", code: -1 };
    if (exit === undefined) return `${nameOf(fact)} ends while its process lives`;
    const { code } = exit;
    if (want !== undefined) return { reason: want.reason, code };
    if (exit.signal !== undefined && code <= 128) return { reason: "crashed", code };
    if (unit?.exitCodes.includes(code)) return { reason: "success", code };
    return { reason: exit.signal !== undefined || crashCodes.includes(code) ? "crashed" : "failed", code };
  }
}
