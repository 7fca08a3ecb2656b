import { endRun, type Outcome, outcomeOf, whyEnded, whyOf } from "../../core/outcome.ts";
import { type NamedProcess, pidWords } from "../../core/pid_words.ts";
import {
  begin,
  type RunEffect,
  type RunEvent,
  type RunState,
  step,
  type StopReason,
  type Sweep,
  takeUp,
} from "../../core/run_machine.ts";
import { type InstanceWords, type KeptWords, runningWords, type RunWords } from "../../core/kept_words.ts";
import { type Absence, absenceWords } from "../../core/take_over_words.ts";
import { stepWords } from "../../core/step_words.ts";
import { elapsed } from "../../core/time.ts";
import { type UsageState } from "../../core/usage.ts";
import { messageOf } from "../../fault.ts";
import type { LogOptions, LogWriter } from "../../io/logs/writer.ts";
import type { Finished, KeepOrder, KeptRun, ProcessSink, RunProcess } from "../../io/process/processes.ts";
import type { Run, Unit, UnitKind } from "../../types.ts";
import { type Bus, publishEnd } from "../bus.ts";
import { BoundedExecutor } from "./bounded_executor.ts";
import { ComposeExecutor, composePatience } from "./compose_executor.ts";
import { Containers, isOfCompose } from "./containers.ts";
import type { Execution, Executor } from "./executor.ts";
import { Identities } from "./identities.ts";
import { keepOrderOf, KeptRow } from "./kept_row.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { LocalExecutor, localPatience } from "./local_executor.ts";
import { maskedText, maskPlanOf } from "./masking.ts";
import { type PendingTimer, Timers } from "../timers.ts";
import { watchOutput } from "./output_rules.ts";
import { RunEnds } from "./run_ends.ts";
import { UsageWatch } from "./usage_watch.ts";
import type { RunWorld } from "../world.ts";

/** The end of a run that was taken over waits for its output as often as that, each time for as long as any other's. */
const mostPatience = 30;

/** Who asked for a run, and is told of its end. */
export interface RunOwner {
  /** How the instance stands whose life it is; that is written down where it may outlive this daemon. */
  words?(): InstanceWords | undefined;
  /** Its process has started, which may be a while after it was asked for. */
  started?(): void;
  /** May amend the outcome before it is stored. */
  amend?(run: Run, outcome: Outcome): Outcome;
  /** Stores what goes with the end of the run, in one transaction with it. */
  record?(run: Run): void;
  /** The end is stored and told, or left to the next daemon. */
  ended(run: Run): void;
}

/** A run that an earlier daemon left, and all that is known of it beside its row. */
export interface LeftRun {
  /** As it was started. */
  unit: Unit;
  found: KeptRun;
  words: KeptWords;
  /** How long it has run, or had when it ended, ms. */
  ranFor: number;
  /** When nobody watched it. */
  absence: Omit<Absence, "isExact">;
}

/** What one run is executed with. */
interface ActiveRun {
  readonly entry: LedgerEntry;
  unit: Unit;
  owner: RunOwner;
  log: LogWriter;
  state: RunState;
  execution?: Execution;
  /** Why it is made to end, where more is known than the reason. */
  why?: string;
  outputFailed: () => boolean;
  /** What all of it has used; set at its end, where that can be told. */
  used?: UsageState;
  timers: Timers;
  /** Set where the run may outlive this daemon. */
  kept?: KeptRow;
  /** When it was asked to end, Unix ms. */
  askedAt?: number;
  /** That was done. */
  isAsked?: true;
  /** When it ended, Unix ms, where that was not now. */
  endedAt?: number;
  /** It was taken over from an earlier daemon: so often its end may wait for output of which there is still more. */
  isTaken?: true;
  patience?: number;
  /** Output has come since that was looked at for the last time. */
  hasRead?: boolean;
  /** What is to be done of a run that was taken over once nothing else of the former daemon is to be cleared up. */
  held?: (() => void)[];
  /** Stops trying to store which process it is. */
  forgetIdentity?: () => void;
}

/** Some of the runs that execute: those of a kind of unit, or those that can't outlive this daemon. */
export type WhichRuns = UnitKind | "mortal";

/** A run that executes, as its machine has it. */
export interface RunMachineView {
  readonly state: RunState;
  readonly timers: readonly PendingTimer[];
  /** Absent where nothing of it could be started. */
  readonly pid?: number;
}

/** Executes runs: row first, then process, then event. Nothing else starts or ends what a run executes. */
export class Runner {
  /** What the runs that execute use; it is watched once it is started. */
  readonly usage: UsageWatch;
  /** The containers of runs that are only clients of one. */
  readonly containers: Containers;
  readonly #world: RunWorld;
  readonly #bus: Bus;
  readonly #ledger: Ledger;
  readonly #identities: Identities;
  readonly #active = new Map<string, ActiveRun>();
  readonly #whenLess: (() => void)[] = [];
  readonly #ends: RunEnds;
  readonly #local: Executor;
  readonly #compose: Executor;
  #isStopping = false;
  #isLeaving = false;

  constructor(world: RunWorld, bus: Bus, { ledger, bootId }: { ledger: Ledger; bootId: string }) {
    this.#world = world;
    this.#ledger = ledger;
    this.usage = new UsageWatch(world);
    this.containers = new Containers(world);
    this.#ends = new RunEnds(world);
    const local = new BoundedExecutor(new LocalExecutor(world), { world, patience: localPatience });
    this.#local = local;
    const compose = new ComposeExecutor(world, { local, containers: this.containers });
    this.#compose = new BoundedExecutor(compose, { world, patience: composePatience });
    this.#bus = bus;
    this.#identities = new Identities(world, bootId);
  }

  /** Whether the process of a run lives, and nobody has asked it to end. */
  isUp(runId: string): boolean {
    return this.#active.get(runId)?.state.phase === "running";
  }

  /** Whether a run executes and has been asked to end. */
  isStopping(runId: string): boolean {
    return this.#active.get(runId)?.state.want !== undefined;
  }

  /** How the machine of a run stands; undefined where it does not execute. */
  machineOf(runId: string): RunMachineView | undefined {
    const active = this.#active.get(runId);
    if (active === undefined) return undefined;
    const { state, execution, timers } = active;
    return { state, timers: timers.pending(), ...(execution === undefined ? {} : { pid: execution.pid }) };
  }

  /** Executes a run that the ledger has. The owner hears of its end, also when it can't be started. */
  start(runId: string, unit: Unit, owner: RunOwner): void {
    const entry = this.#ledger.get(runId)!;
    const run: Run = { ...entry.run, status: "running", startedAt: this.#world.clock.now() };
    const { store, logs } = this.#world;
    const order = keepOrderOf(this.#world, unit);
    const instance = owner.words?.();
    const kept = order && new KeptRow(this.#world, runId, {
      run: runningWords,
      ...(instance === undefined ? {} : { instance }),
    });
    if (order === undefined || kept === undefined) store.runs.update(run);
    else store.runs.begin(run, { nonce: order.nonce, kept: kept.text });
    this.#ledger.replace(run);
    const log = logs.writer(unit.name, run.id, this.#logOptions(run.id, unit));
    const [state, effects] = begin(unit);
    const active = this.#activate({
      entry,
      unit,
      owner,
      log,
      state,
      ...(kept === undefined ? {} : { kept }),
    });
    this.#ledger.move(run.id, "executing");
    try {
      active.execution = this.#launch(active, order && { ...order, unkept: () => this.#unkeep(active) });
    } catch (error) {
      const why = messageOf(error);
      const { startedAt: _, ...unstarted } = run;
      this.#ledger.replace(unstarted);
      log.system(`cannot start: ${why}`, this.#world.clock.now());
      this.#end(active, { reason: "start_failed", exitCode: -1, error: why });
      return;
    }
    owner.started?.();
    this.#watch(active, active.execution);
    this.#identify(active, active.execution);
    this.#bus.publish({ type: "run.started", run });
    this.#perform(active, effects);
  }

  /**
   * Goes on with a run of an earlier daemon, which the ledger has as executing: what it writes is taken at once, all else
   * waits for `goOn`. Throws where the machine does not give it.
   */
  takeOver(runId: string, left: LeftRun, owner: RunOwner): void {
    const entry = this.#ledger.get(runId)!;
    const { clock, logs } = this.#world;
    const { unit, found, words } = left;
    const options = { ...this.#logOptions(runId, unit), at: clock.now() };
    const { writer: log, spooled, isExact } = logs.resume(unit.name, runId, options);
    const { phase, want, why, askedAt, isAsked } = words.run;
    const takenAt = clock.monotonic();
    const askedFor = clock.now() - (askedAt ?? clock.now());
    const takenUp = (): ReturnType<typeof takeUp> => {
      // Until all else of the former daemon is cleared up time goes by.
      const passed = elapsed(takenAt, clock.monotonic());
      return takeUp(unit, {
        phase,
        ranFor: left.ranFor + passed,
        askedFor: askedFor + passed,
        isAsked: isAsked === true,
        ...(want === undefined ? {} : { want }),
      });
    };
    const [state] = takenUp();
    const kept = new KeptRow(this.#world, runId, words);
    const active = this.#activate({ entry, unit, owner, log, state, kept });
    active.isTaken = true;
    if (why !== undefined) active.why = why;
    if (isAsked) active.isAsked = isAsked;
    // Who was not asked is asked now, and has all of the grace from then on.
    if (askedAt !== undefined && (isAsked || phase === "killing")) active.askedAt = askedAt;
    if (found.ended !== undefined) active.endedAt = found.ended.at;
    // Of one that has ended it is known how: no timer of its life comes before that.
    const { ended } = found;
    active.held = [
      () => ended === undefined ? this.#beginAgain(active, takenUp()[1]) : sink.exited(ended.exit),
    ];
    const sink = this.#sinkOf(active);
    try {
      active.execution = this.#executorOf(unit).adopt(entry.run, {
        unit,
        sink,
        say: (text) => this.#say(active, text),
        positions: spooled,
      });
    } catch (error) {
      this.#active.delete(runId);
      log.leave();
      throw error;
    }
    this.#say(active, absenceWords({ ...left.absence, isExact }));
    this.#watch(active, active.execution);
    if (found.ended === undefined) this.#storeAdoption(active);
  }

  /** Nothing of an earlier daemon is to be cleared up any more: runs that were taken over go on as any other. */
  goOn(): void {
    for (const active of [...this.#active.values()]) {
      const held = active.held ?? [];
      delete active.held;
      for (const act of held) act();
    }
  }

  /** Leaves runs that were taken over as they are to the next daemon; nothing starts any more in their place. */
  leaveTaken(): void {
    for (const active of [...this.#active.values()]) {
      if (!active.isTaken) continue;
      this.#leave(active);
      active.owner.ended(active.entry.run);
    }
  }

  #beginAgain(active: ActiveRun, effects: readonly RunEffect[]): void {
    const { run } = active.entry;
    this.#perform(active, effects);
    this.#identify(active, active.execution!);
    this.#bus.publish({ type: "run.updated", run });
    if (active.log.overflow) this.#overflowed(run.id);
  }

  /**
   * It is about to be started without a keeper: its row alone speaks for its process then. Throws what the database
   * does; a row that says something else would let the next daemon start a second one.
   */
  #unkeep(active: ActiveRun): void {
    this.#world.store.runs.begin(active.entry.run);
    active.kept?.close();
    delete active.kept;
  }

  /** That it was taken over is stored with its end, too: a database that refuses it keeps nothing from going on. */
  #storeAdoption({ entry: { id, run } }: ActiveRun): void {
    const adopted: Run = { ...run, adoptedAt: this.#world.clock.now() };
    this.#ledger.replace(adopted);
    const store = (): void => {
      try {
        this.#world.store.runs.update(adopted);
      } catch (error) {
        const isOver = (): boolean => this.#ledger.get(id)?.phase !== "executing";
        const what = "cannot store that a run was taken over";
        this.#world.refusals.tryAgain(what, { error, facts: { run: id }, isOver }, store);
      }
    };
    store();
  }

  /** How the instance stands whose life a run is: that is written down before anything is done about it. */
  keep(runId: string, instance: InstanceWords): void {
    this.#active.get(runId)?.kept?.put({ instance });
  }

  #activate(
    own: Pick<ActiveRun, "entry" | "unit" | "owner" | "log" | "state" | "kept">,
  ): ActiveRun {
    const { log, unit, kept, entry } = own;
    const active: ActiveRun = {
      ...own,
      outputFailed: watchOutput(log, unit.failures, {
        hasMatched: kept?.words.run.outputFailed === true,
        told: () => this.#writeDown(active),
      }),
      timers: new Timers(this.#world.clock),
    };
    this.#active.set(entry.id, active);
    return active;
  }

  #logOptions(runId: string, unit: Unit): LogOptions {
    return {
      maxSize: unit.logMaxSize,
      onFull: unit.logOnFull,
      mask: maskPlanOf(unit),
      overflowed: () => this.#overflowed(runId),
    };
  }

  #identify(active: ActiveRun, execution: Execution): void {
    const { id } = active.entry;
    active.forgetIdentity = this.#identities.store(id, {
      pid: () => execution.pid,
      isAlive: () => this.#active.has(id) && active.state.exit === undefined,
      after: active.kept === undefined ? undefined : execution.started,
    });
  }

  /**
   * Ends a run by its stop ladder; nothing happens when it does not execute or ends already. `why` is a sentence, where
   * the reason does not say it all.
   */
  stop(runId: string, reason: StopReason, why?: string): void {
    if (why !== undefined) this.#because(runId, why);
    this.#send(runId, { type: "stop", reason });
  }

  #because(runId: string, why: string): void {
    const active = this.#active.get(runId);
    if (active !== undefined && active.state.want === undefined) active.why = maskedText(active.unit, why);
  }

  /** A run that is about to be ended as unhealthy: what its check said. */
  failedCheck(runId: string, why: string): void {
    this.say(runId, `unhealthy: ${why}`);
    this.#because(runId, `its health check failed: ${why}`);
  }

  /** Ends a run at once. */
  kill(runId: string, reason: StopReason): void {
    this.#send(runId, { type: "kill", reason });
  }

  /** Ends all runs at once, or some. */
  killAll(reason: StopReason, which?: WhichRuns): void {
    for (const [runId, active] of [...this.#active]) if (isOne(active, which)) this.kill(runId, reason);
  }

  /** The daemon is about to stop: an end that can't be stored holds it up for a while only. */
  beginStop(): void {
    this.#isStopping = true;
    this.#ends.beginStop();
    this.containers.beginStop();
  }

  /** Waits for no run any more: what still executes is left to the next daemon, which finds its row. */
  giveUpAll(): void {
    for (const active of [...this.#active.values()]) this.#giveUp(active);
  }

  /**
   * Leaves all that executes to the next daemon. What is written goes on being taken until this process ends, so that
   * nothing is lost that was read; nothing else is done about it.
   */
  leaveAll(): void {
    this.#isLeaving = true;
    for (const { timers, kept, forgetIdentity } of this.#active.values()) {
      timers.clearAll();
      forgetIdentity?.();
      kept?.close();
    }
  }

  /** Whether a run executes that can't outlive this daemon. */
  isMortal(runId: string): boolean {
    const active = this.#active.get(runId);
    return active !== undefined && isOne(active, "mortal");
  }

  /** Ends all runs, or some, by their stop ladders. */
  stopAll(reason: StopReason, which?: WhichRuns): void {
    for (const [runId, active] of [...this.#active]) if (isOne(active, which)) this.stop(runId, reason);
  }

  /** Resolves once nothing executes, or nothing of some. */
  async whenEmpty(which?: WhichRuns): Promise<void> {
    const isBusy = (): boolean => [...this.#active.values()].some((active) => isOne(active, which));
    while (isBusy()) await new Promise<void>((resolve) => this.#whenLess.push(resolve));
  }

  /** Says something in the log of a run that executes. */
  say(runId: string, text: string): void {
    this.#active.get(runId)?.log.system(text, this.#world.clock.now());
  }

  #launch(active: ActiveRun, keep: KeepOrder | undefined): Execution {
    const { entry: { run }, unit } = active;
    return this.#executorOf(unit).launch(run, {
      unit,
      traceparent: this.#world.tracer?.begin(run),
      sink: this.#sinkOf(active),
      say: (text) => this.#say(active, text),
      keep,
    });
  }

  #executorOf(unit: Unit): Executor {
    return isOfCompose(unit) ? this.#compose : this.#local;
  }

  #sinkOf(active: ActiveRun): ProcessSink {
    const { id } = active.entry;
    const then = (act: () => void): void => {
      if (active.held === undefined) act();
      else active.held.push(act);
    };
    return {
      output: (stream, chunk, position) => {
        active.hasRead = true;
        return active.log.writeSome(stream, chunk, this.#world.clock.now(), position);
      },
      exited: (exit) => {
        if (active.held !== undefined) active.endedAt ??= this.#world.clock.now();
        then(() => {
          if (active.state.exit !== undefined) return; // nobody waits for it any more
          const why = whyOf(exit);
          if (why !== undefined) this.#say(active, why);
          this.#send(id, { type: "exited", exit });
        });
      },
      pipesClosed: () => then(() => this.#send(id, { type: "pipes_closed" })),
    };
  }

  #overflowed(runId: string): void {
    const active = this.#active.get(runId);
    const isGoing = active?.execution !== undefined && active.state.exit === undefined;
    if (isGoing && active.state.want === undefined) this.stop(runId, "log_overflow");
  }

  #watch({ entry, unit, log }: ActiveRun, execution: Execution): void {
    this.usage.add({
      mark: {
        runId: entry.id,
        get pid() {
          return execution.pid;
        },
      },
      unit: unit.name,
      memoryLimit: unit.limits.memory,
      say: (text) => log.system(text, this.#world.clock.now()),
      hasLimits: Object.keys(unit.limits).length > 0,
      troubles: () => execution.troubles(),
    });
  }

  #send(runId: string, event: RunEvent): void {
    const active = this.#active.get(runId);
    if (active === undefined || this.#isLeaving) return;
    const [state, effects] = step(active.unit, active.state, event);
    this.#world.log.trace?.(
      "step of a run",
      {
        unit: active.unit.name,
        run: runId,
        ...stepWords(event, { before: active.state, after: state, effects }),
      },
    );
    active.state = state;
    this.#writeDown(active);
    this.#perform(active, effects);
  }

  /** Before anything is done about it: whoever comes after this daemon goes on from there. */
  #writeDown(active: ActiveRun): void {
    const { state: { want, exit, phase }, kept } = active;
    if (want !== undefined) active.askedAt ??= this.#world.clock.now();
    if (kept === undefined || exit !== undefined) return; // how it ended is known without
    const run: RunWords = {
      phase: phase === "stopping" || phase === "killing" ? phase : "running",
      ...(want === undefined ? {} : { want, askedAt: active.askedAt! }),
      ...(active.isAsked === undefined || want === undefined ? {} : { isAsked: true }),
      ...(active.why === undefined ? {} : { why: active.why }),
      ...(active.outputFailed() ? { outputFailed: true } : {}),
    };
    kept.put({ run });
  }

  #perform(active: ActiveRun, effects: readonly RunEffect[]): void {
    for (const effect of effects) {
      try {
        this.#do(active, effect);
      } catch (error) {
        this.#tellOfBug(active, error);
      }
    }
  }

  /** Work that goes on beside the machine; it may fail, and the run comes to its end all the same. */
  #own(active: ActiveRun, work: Promise<void>): void {
    work.catch((error) => this.#tellOfBug(active, error));
  }

  #tellOfBug({ entry }: ActiveRun, error: unknown): void {
    this.#world.log.error("internal error in the life of a run", {
      run: entry.id,
      error: error instanceof Error ? error.stack ?? error.message : String(error),
    });
  }

  #do(active: ActiveRun, effect: RunEffect): void {
    const { entry: { id }, timers, execution } = active;
    switch (effect.do) {
      case "signal":
        this.#own(active, execution!.signal(effect.signal));
        // Written down behind it: whoever finds nothing asks again.
        active.isAsked = true;
        return this.#writeDown(active);
      case "kill_all":
        return this.#own(active, execution!.kill());
      case "look":
        return this.#own(active, this.#look(active));
      case "signal_rest":
        return execution!.signalRest(effect.signal);
      case "kill_rest":
        return this.#own(active, execution!.killRest());
      case "unkillable":
        return this.#unkillable(active);
      case "sweep":
        return this.#own(active, this.#sweep(active, effect.what));
      case "abandon_pipes":
        return execution!.abandon();
      case "release_pipes":
        return execution!.release();
      case "ask":
        return this.#own(active, this.#ask(active));
      case "set_timer":
        return timers.set(effect.timer, effect.ms, () => {
          if (effect.timer === "pipes" && readsOn(active)) return this.#do(active, effect);
          this.#send(id, { type: "timer", timer: effect.timer });
        });
      case "clear_timer":
        return timers.clear(effect.timer);
      case "say":
        return active.log.system(effect.text, this.#world.clock.now());
      case "end":
        return this.#end(active, this.#outcome(active));
    }
  }

  async #look(active: ActiveRun): Promise<void> {
    let rest: RunProcess[] | undefined;
    try {
      rest = await active.execution!.look();
    } finally {
      this.#send(active.entry.id, { type: "looked", rest });
    }
  }

  async #ask(active: ActiveRun): Promise<void> {
    const { phase } = active.state;
    const lives = await active.execution!.lives();
    // What was asked before its end began says nothing of what came of that.
    if (active.state.phase === phase) this.#send(active.entry.id, { type: "asked", lives });
  }

  async #sweep(active: ActiveRun, what: Sweep): Promise<void> {
    let left: NamedProcess[] = [];
    try {
      const finished = await active.execution!.finish(what);
      const used = this.usage.end(active.entry.id, finished.usage);
      if (used !== undefined) active.used = used;
      left = finished.left;
      this.#tellWhatWasLeft(active, finished);
    } finally {
      this.#send(active.entry.id, { type: "swept", left });
    }
  }

  #tellWhatWasLeft(active: ActiveRun, { killed, left, untold }: Finished): void {
    const { entry: { run }, execution } = active;
    const others = killed.filter(({ pid }) => pid !== execution!.pid);
    if (others.length > 0) this.#say(active, `killed what the run left behind: ${pidWords(others)}`);
    if (untold !== undefined) this.#say(active, `cannot tell what is left of the run: ${untold}`);
    if (left.length === 0) return;
    this.#world.log.error("what a run left behind can't be ended", {
      unit: run.unit,
      run: run.id,
      left: pidWords(left),
    });
  }

  /** Its process lives on after SIGKILL: it may be another user's by now, or wait for a device that is gone. */
  #unkillable(active: ActiveRun): void {
    const { entry: { run } } = active;
    this.#world.log.error("a run can't be ended: its process lives on after SIGKILL", {
      unit: run.unit,
      run: run.id,
      pid: active.execution!.pid,
    });
    if (this.#isStopping) this.#giveUp(active);
  }

  /** The row goes on to say that it runs, so that the next daemon looks for its processes, or takes it over. */
  #giveUp(active: ActiveRun): void {
    const { run } = active.entry;
    if (!this.#active.has(run.id)) return;
    const next = active.kept === undefined ? "looks for what is left of it" : "takes it over";
    this.#say(active, `the daemon ends without it: the next one ${next}`);
    this.#leave(active);
    this.#world.log.error("the daemon ends without a run that it can't end", { unit: run.unit, run: run.id });
    active.owner.ended(run);
    for (const resolve of this.#whenLess.splice(0)) resolve();
  }

  /** Nothing is done about it any more, and its row stays as it is. */
  #leave({ entry: { id }, timers, kept, log, forgetIdentity, execution }: ActiveRun): void {
    // What is read from now on would be lost.
    void execution?.leave().catch(reportError);
    this.#active.delete(id);
    this.#ledger.remove(id);
    timers.clearAll();
    forgetIdentity?.();
    kept?.close();
    if (kept === undefined) log.close();
    else log.leave();
    this.usage.end(id, undefined);
  }

  #say({ log }: ActiveRun, text: string): void {
    log.system(text, this.#world.clock.now());
  }

  #outcome(active: ActiveRun): Outcome {
    // The last lines are stored now: they may match a rule, and may be those that are too many.
    active.log.close();
    const { unit, state } = active;
    const want = state.want ?? (active.log.overflow ? "log_overflow" : undefined);
    return outcomeOf(state.exit!, {
      exitCodes: unit.exitCodes,
      want,
      why: want === undefined ? undefined : active.why ?? whyEnded(want, unit),
      outputFailed: active.outputFailed(),
    });
  }

  #end(active: ActiveRun, natural: Outcome): void {
    const { entry, unit, owner, timers, log, kept } = active;
    const { id } = entry;
    const outcome = owner.amend?.(entry.run, natural) ?? natural;
    timers.clearAll();
    active.forgetIdentity?.();
    log.close();
    kept?.close();
    const at = active.endedAt ?? this.#world.clock.now();
    const run = withUsage(
      endRun(entry.run, masked(unit, outcome), { failures: unit.failures, at }),
      active.used,
    );
    this.#ledger.replace(run);
    this.#ledger.move(id, "ending");
    const ended = { run, bytes: log.bytes, record: owner.record?.bind(owner) };
    this.#ends.store(ended, (isStored) => {
      this.#active.delete(id);
      this.#ledger.remove(id);
      // Nothing is told of an end before it is stored; what a keeper knows of one that is not is for the next daemon.
      if (isStored) active.execution?.dismiss();
      if (isStored) publishEnd(this.#bus, run);
      owner.ended(run);
      for (const resolve of this.#whenLess.splice(0)) resolve();
    });
  }
}

/** What a run wrote while nobody was there may take longer to be read than what a pipe holds; a stray may write for ever. */
function readsOn(active: ActiveRun): boolean {
  const { isTaken, hasRead = false, patience = mostPatience } = active;
  active.hasRead = false;
  active.patience = patience - 1;
  return isTaken === true && hasRead && patience > 0;
}

function isOne({ unit, kept }: ActiveRun, which: WhichRuns | undefined): boolean {
  return which === undefined || (which === "mortal" ? kept === undefined : unit.kind === which);
}

function masked(unit: Unit, outcome: Outcome): Outcome {
  return outcome.error === undefined ? outcome : { ...outcome, error: maskedText(unit, outcome.error) };
}

/** A run with what all of it has used, as far as that is known. */
function withUsage(run: Run, used: UsageState | undefined): Run {
  return {
    ...run,
    ...(used?.peakBytes === undefined ? {} : { peakMemoryBytes: Math.round(used.peakBytes) }),
    ...(used?.usage === undefined ? {} : { cpuTimeMs: Math.round(used.cpuMs) }),
  };
}
