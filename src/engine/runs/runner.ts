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
} from "../../core/run_machine.ts";
import { stepWords } from "../../core/step_words.ts";
import { type UsageState } from "../../core/usage.ts";
import { messageOf } from "../../fault.ts";
import type { LogWriter } from "../../io/logs/writer.ts";
import type { Finished, ProcessSink, RunProcess } from "../../io/process/processes.ts";
import type { Run, Unit, UnitKind } from "../../types.ts";
import { type Bus, publishEnd } from "../bus.ts";
import { BoundedExecutor } from "./bounded_executor.ts";
import { ComposeExecutor, composePatience } from "./compose_executor.ts";
import { Containers, isOfCompose } from "./containers.ts";
import type { Execution, Executor } from "./executor.ts";
import { Identities } from "./identities.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { LocalExecutor, localPatience } from "./local_executor.ts";
import { maskedText, maskPlanOf } from "./masking.ts";
import { type PendingTimer, Timers } from "../timers.ts";
import { watchOutput } from "./output_rules.ts";
import { RunEnds } from "./run_ends.ts";
import { UsageWatch } from "./usage_watch.ts";
import type { RunWorld } from "../world.ts";

/** Who asked for a run, and is told of its end. */
export interface RunOwner {
  /** Its process has started, which may be a while after it was asked for. */
  started?(): void;
  /** May amend the outcome before it is stored. */
  amend?(run: Run, outcome: Outcome): Outcome;
  /** Stores what goes with the end of the run, in one transaction with it. */
  record?(run: Run): void;
  /** The end is stored and told, or left to the next daemon. */
  ended(run: Run): void;
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
  /** Stops trying to store which process it is. */
  forgetIdentity?: () => void;
}

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
    this.#world.store.runs.update(run);
    this.#ledger.replace(run);
    const log = this.#world.logs.writer(unit.name, run.id, {
      maxSize: unit.logMaxSize,
      onFull: unit.logOnFull,
      mask: maskPlanOf(unit),
      overflowed: () => this.#overflowed(run.id),
    });
    const [state, effects] = begin(unit);
    const active: ActiveRun = {
      entry,
      unit,
      owner,
      log,
      state,
      outputFailed: watchOutput(log, unit.failures),
      timers: new Timers(this.#world.clock),
    };
    this.#active.set(run.id, active);
    this.#ledger.move(run.id, "executing");
    try {
      active.execution = this.#launch(active);
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
    const { pid } = active.execution;
    active.forgetIdentity = this.#identities.store(run.id, {
      pid,
      isAlive: () => this.#active.has(run.id) && active.state.exit === undefined,
    });
    this.#bus.publish({ type: "run.started", run });
    this.#perform(active, effects);
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

  /** Ends all runs at once. */
  killAll(reason: StopReason): void {
    for (const runId of [...this.#active.keys()]) this.kill(runId, reason);
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

  /** Ends all runs, or all of a kind of unit, by their stop ladders. */
  stopAll(reason: StopReason, kind?: UnitKind): void {
    for (const [runId, { unit }] of [...this.#active]) {
      if (kind === undefined || unit.kind === kind) this.stop(runId, reason);
    }
  }

  /** Resolves once nothing executes, or nothing of a kind of unit. */
  async whenEmpty(kind?: UnitKind): Promise<void> {
    const isBusy = (): boolean =>
      [...this.#active.values()].some(({ unit }) => kind === undefined || unit.kind === kind);
    while (isBusy()) await new Promise<void>((resolve) => this.#whenLess.push(resolve));
  }

  /** Says something in the log of a run that executes. */
  say(runId: string, text: string): void {
    this.#active.get(runId)?.log.system(text, this.#world.clock.now());
  }

  #launch(active: ActiveRun): Execution {
    const { entry: { run }, unit } = active;
    const sink: ProcessSink = {
      output: (stream, chunk) => active.log.writeSome(stream, chunk, this.#world.clock.now()),
      exited: (exit) => {
        if (active.state.exit !== undefined) return; // nobody waits for it any more
        const why = whyOf(exit);
        if (why !== undefined) active.log.system(why, this.#world.clock.now());
        this.#send(run.id, { type: "exited", exit });
      },
      pipesClosed: () => this.#send(run.id, { type: "pipes_closed" }),
    };
    return (isOfCompose(unit) ? this.#compose : this.#local).launch(run, {
      unit,
      traceparent: this.#world.tracer?.begin(run),
      sink,
      say: (text) => this.#say(active, text),
    });
  }

  #overflowed(runId: string): void {
    const active = this.#active.get(runId);
    const isGoing = active?.execution !== undefined && active.state.exit === undefined;
    if (isGoing && active.state.want === undefined) this.stop(runId, "log_overflow");
  }

  #watch({ entry, unit, log }: ActiveRun, execution: Execution): void {
    this.usage.add({
      mark: { runId: entry.id, pid: execution.pid },
      unit: unit.name,
      memoryLimit: unit.limits.memory,
      say: (text) => log.system(text, this.#world.clock.now()),
      hasLimits: Object.keys(unit.limits).length > 0,
      troubles: () => execution.troubles(),
    });
  }

  #send(runId: string, event: RunEvent): void {
    const active = this.#active.get(runId);
    if (active === undefined) return;
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
    this.#perform(active, effects);
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
        return this.#own(active, execution!.signal(effect.signal));
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
        return timers.set(
          effect.timer,
          effect.ms,
          () => this.#send(id, { type: "timer", timer: effect.timer }),
        );
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

  /** The row goes on to say that it runs, so that the next daemon looks for its processes. */
  #giveUp(active: ActiveRun): void {
    const { entry: { run }, owner, timers } = active;
    if (!this.#active.delete(run.id)) return;
    this.#ledger.remove(run.id);
    timers.clearAll();
    active.forgetIdentity?.();
    this.#say(active, "the daemon ends without it: the next one looks for what is left of it");
    active.log.close();
    active.execution?.abandon();
    this.usage.end(run.id, undefined);
    this.#world.log.error("the daemon ends without a run that it can't end", { unit: run.unit, run: run.id });
    owner.ended(run);
    for (const resolve of this.#whenLess.splice(0)) resolve();
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
    const { entry, unit, owner, timers, log } = active;
    const { id } = entry;
    const outcome = owner.amend?.(entry.run, natural) ?? natural;
    timers.clearAll();
    active.forgetIdentity?.();
    log.close();
    const run = withUsage(
      endRun(entry.run, masked(unit, outcome), { failures: unit.failures, at: this.#world.clock.now() }),
      active.used,
    );
    this.#ledger.replace(run);
    this.#ledger.move(id, "ending");
    const ended = { run, bytes: log.bytes, record: owner.record?.bind(owner) };
    this.#ends.store(ended, (isStored) => {
      this.#active.delete(id);
      this.#ledger.remove(id);
      // Nothing is told of an end before it is stored.
      if (isStored) publishEnd(this.#bus, run);
      owner.ended(run);
      for (const resolve of this.#whenLess.splice(0)) resolve();
    });
  }
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
