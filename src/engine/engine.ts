import type { TakenOver } from "../core/take_over_words.ts";
import { happeningOfStaleConfig } from "../core/daemon_notices.ts";
import { isEnded } from "../core/run_words.ts";
import type { Tick } from "../core/cron/next.ts";
import { upcomingTicks } from "../core/upcoming.ts";
import type { Refusing } from "../core/refusal.ts";
import type { ReloadPlan } from "../core/reload_plan.ts";
import { Fault } from "../fault.ts";
import type { BackupFile } from "../io/store/backup.ts";
import type { RunStats } from "../io/store/run_stats.ts";
import type { ListOptions, RunList } from "../io/store/runs.ts";
import type { Config, Run, Task, Trigger, Unit } from "../types.ts";
import { AgeWatch } from "./upkeep/age_watch.ts";
import type { Bell } from "./notices/bell.ts";
import { Bulk } from "./runs/bulk.ts";
import { Bus, type HappeningEvent } from "./bus.ts";
import type { Courier } from "./notices/courier.ts";
import { type DebugView, debugView } from "./debug_view.ts";
import { DiskWatch } from "./upkeep/disk_watch.ts";
import { LogReaper } from "./upkeep/log_reaper.ts";
import { Metrics } from "./upkeep/metrics.ts";
import type { NewsEvent } from "./news.ts";
import { Notices } from "./notices/notices.ts";
import { type Part, startAll, stopAll } from "./part.ts";
import { clearUp, inherit, leftBehind, type Legacy } from "./recovery.ts";
import { NewestRuns } from "./runs/newest_runs.ts";
import { LiveConfig } from "./live_config.ts";
import { maskedText } from "./runs/masking.ts";
import { recycleService, type Rooms } from "./reload.ts";
import { RunLogs } from "./runs/run_logs.ts";
import { Ledger } from "./runs/ledger.ts";
import { Runner } from "./runs/runner.ts";
import { Scheduler } from "./tasks/scheduler.ts";
import { Services } from "./services/services.ts";
import { Pruner, retentionOf } from "./upkeep/pruner.ts";
import { SystemMonitor } from "./upkeep/system_monitor.ts";
import type { Heirs, Taken } from "./take_over.ts";
import { Tasks } from "./tasks/tasks.ts";
import { Trial, type TrialTerms } from "./trial.ts";
import { type GivenParams, mustAllow, UnitRequests } from "./unit_requests.ts";
import { type UnitView, viewOf } from "./unit_view.ts";
import { answerWithin, listenForEnds, within } from "./waits.ts";
import type { World } from "./world.ts";

export type { UnitView } from "./unit_view.ts";

/** What was killed at `shutdown_timeout` and has not ended so much later is left to the next daemon, ms. */
const lastPatience = 10_000;
/** Runs that ended while no daemon was there are dealt with before any tick, but a start waits for so long at most, ms. */
const endPatience = 5_000;
/** A start waits for so long at most to be told which boot of the machine this is, ms. */
const bootPatience = 10_000;

/**
 * So long before `shutdown_timeout` all are asked to end that nobody has asked yet: ms, and the share of it that this is
 * at most. Nobody is killed who was never asked.
 */
const lastCall = { ms: 2000, share: 0.25 };

/** The engine's public face: everything that a client can ask of a daemon. Methods throw `Fault` for what a user must be told. */
export class Engine {
  readonly bus = new Bus();
  /** What is told to those who watch at the moment alone. */
  readonly news = new Bus<NewsEvent>();
  /** What there is to tell people beside the ends of runs; the bell listens. */
  readonly happenings: Bus<HappeningEvent>;
  readonly bell: Bell;
  /** Carries messages out of the machine. */
  readonly courier: Courier;
  /** Operations on many runs. */
  readonly bulk: Bulk;
  readonly logs: RunLogs;
  /** The machine's load; it is watched once it is started. */
  readonly monitor: SystemMonitor;
  /** The free space; it is watched once it is started. */
  readonly disk: DiskWatch;
  /** Absent when the configuration at start did not ask for them. */
  readonly metrics: Metrics | undefined;
  readonly #world: World;
  readonly #live: LiveConfig;
  readonly #ledger: Ledger;
  readonly #runner: Runner;
  readonly #tasks: Tasks;
  readonly #services: Services;
  readonly #scheduler: Scheduler;
  readonly #pruner: Pruner;
  readonly #requests: UnitRequests;
  readonly #bootId: string;
  readonly #newest: NewestRuns;
  readonly #notices: Notices;
  readonly #age: AgeWatch;
  /** They hear of all that happens: started before the first run, stopped after the last. */
  readonly #audience: readonly Part[];
  /** They look at the machine and at the history for as long as runs are made. */
  readonly #watches: readonly Part[];
  #isStale = false;
  #stopping: Promise<void> | undefined;
  #isDraining = false;
  #isHandingOver = false;
  #trial: Trial | undefined;
  readonly #handedOver = Promise.withResolvers<void>();
  #takenOver: TakenOver = { adopted: 0, endedMeanwhile: 0 };
  readonly #drained = Promise.withResolvers<void>();

  private constructor(world: World, config: Config, bootId: string) {
    this.#world = world;
    this.#live = new LiveConfig(world, config);
    this.#ledger = new Ledger(world.clock);
    world.refusals.listen((refusing) =>
      this.news.publish({ type: "daemon.refusing", ...(refusing === undefined ? {} : { refusing }) })
    );
    this.logs = new RunLogs(world);
    this.#age = new AgeWatch(world);
    const ageNow = (): number => this.#age.now();
    this.#notices = new Notices(world, {
      news: this.news,
      config: () => this.config,
      unit: (name) => this.#live.units.get(name),
      ageNow,
      schedules: {
        nextRunAfter: (name, after) => this.#scheduler.nextRunAfter(name, after),
        pausedAt: (name) => this.#scheduler.pausedAt(name),
      },
    });
    const { happenings, bell, courier } = this.#notices;
    this.happenings = happenings;
    this.bell = bell;
    this.courier = courier;
    this.monitor = new SystemMonitor(world, { news: this.news, ageNow });
    this.disk = new DiskWatch(world, {
      minFree: () => this.config.daemon.storageMinFreeSpace,
      happenings,
    });
    this.metrics = config.daemon.metrics
      ? new Metrics(world, {
        views: () => this.views(),
        notifiers: () => this.config.notify.notifiers.map(({ id }) => id),
        deliveries: () => courier.ends(),
      })
      : undefined;
    this.#bootId = bootId;
    this.#newest = new NewestRuns(world.store, this.bus);
    this.#runner = new Runner(world, this.bus, { ledger: this.#ledger, bootId });
    this.#tasks = new Tasks(world, this.bus, {
      runner: this.#runner,
      ledger: this.#ledger,
      maxParallelRuns: config.daemon.maxParallelRuns,
    });
    this.#services = new Services(world, this.bus, {
      runner: this.#runner,
      ledger: this.#ledger,
      happenings,
    });
    this.#scheduler = new Scheduler(world, this.#tasks, this.timezone);
    this.#requests = new UnitRequests({
      ledger: this.#ledger,
      bus: this.bus,
      rooms: this.#rooms,
      unit: (name) => this.unit(name),
      mayStart: () => this.#mustRun(),
    });
    this.bulk = new Bulk(world, this.bus, {
      stoppable: (run) => this.#isStoppable(run),
      stop: ({ id }) => this.#stopRun(id),
      triggerable: (name) => this.#triggerable(name),
      rerun: (task, like) => this.#requests.rerun(task, like),
      hidden: () => this.#pruner.purgeLater(),
    });
    this.#pruner = new Pruner(world, {
      ofUnit: (name) => retentionOf(this.#live.units.get(name), this.config),
      maxLogBytes: () => this.config.daemon.storageMaxSize,
      now: ageNow,
    });
    this.#audience = [this.#age, ...(this.metrics === undefined ? [] : [this.metrics]), this.#notices];
    this.#watches = [this.monitor, this.disk, new LogReaper(world)];
  }

  /**
   * Recovers what an earlier daemon left, then starts everything that the configuration says. `trial`: it takes over
   * what lives and goes no further, for a while at most, until `confirm` (docs/behaviour.md#life-beyond-the-daemon).
   */
  static async start(
    world: World,
    config: Config,
    { trial }: { trial?: TrialTerms } = {},
  ): Promise<Engine> {
    const boot = await answerWithin(world.clock, world.processes.bootId(), bootPatience);
    // Where that can't be told, no pid of an earlier daemon is believed.
    const engine = new Engine(world, config, "value" in boot ? boot.value : "");
    try {
      await engine.#boot(trial);
    } catch (error) {
      // What has been started already must not outlive a start that fails; what outlived another daemon does.
      engine.#tasks.drain();
      engine.#services.drain();
      engine.#runner.leaveTaken();
      await engine.stop();
      throw error;
    }
    return engine;
  }

  async #boot(trial: TrialTerms | undefined): Promise<void> {
    startAll(this.#audience, this.bus);
    const { tracer } = this.#world;
    if (tracer !== undefined) {
      this.bus.subscribe((event) => {
        if (event.type === "run.completed" || event.type === "run.failed") tracer.end(event.run);
      });
    }
    for (const unit of this.config.units) {
      if (unit.kind === "task") this.#tasks.define(unit);
      else this.#services.add(unit, { boot: false });
    }
    this.#live.warnOfLimits();
    const legacy = await inherit(this.#world, this.#heirs);
    this.#takenOver = legacy.taken.counts;
    if (trial === undefined) return await this.#begin(legacy);
    const goOn = (since: number): Promise<void> => this.#begin(legacy, since);
    this.#trial = new Trial(this.#world, {
      ...trial,
      leftBehind: leftBehind(legacy),
      goOn,
      failed: () => this.handOver(),
    });
  }

  /** All that a start does once it is known what lives on; ticks from `since` (Unix ms) on are late, those before were missed. */
  async #begin(legacy: Legacy, since?: number): Promise<void> {
    await this.#clearUp(legacy);
    await this.#goOn(legacy.taken);
    if (this.#stopping !== undefined || this.#isDraining) return; // at the end of a trial
    const tasks = this.config.units.filter((unit) => unit.kind === "task");
    const services = this.config.units.filter((unit) => unit.kind === "service");
    this.#services.boot(services.filter(({ autostart }) => autostart).map(({ name }) => name));
    for (const name of this.#services.settle()) {
      void recycleService(this.#world, this.#services, name).catch(reportError);
    }
    this.#scheduler.boot(tasks, since);
    this.#trial = undefined;
    for (const task of tasks) if (task.runOnStart) this.#requests.trigger(task, { trigger: "startup" });
    this.#pruner.start(this.bus);
    this.#notices.reload();
  }

  get #heirs(): Heirs {
    return {
      units: this.#live.units,
      timezone: this.timezone,
      tasks: this.#tasks,
      services: this.#services,
    };
  }

  async #clearUp(legacy: Legacy): Promise<void> {
    const waiting = await clearUp(this.#world, this.bus, {
      ...this.#heirs,
      ...legacy,
      bootId: this.#bootId,
      containers: this.#runner.containers,
    });
    for (const run of waiting) this.#tasks.resume(run);
    for (const retry of this.#world.store.retries.all()) {
      if (this.#live.units.get(retry.unit)?.kind === "task") this.#tasks.retries.schedule(retry);
      else this.#world.store.retries.remove(retry);
    }
  }

  /** Nothing of an earlier daemon is to be cleared up any more; what it left goes on, and what had ended is dealt with first. */
  async #goOn({ ended }: Taken): Promise<void> {
    const ends = listenForEnds(this.bus, ended);
    this.#services.goOn();
    this.#runner.goOn();
    await within(this.#world.clock, ends.ended, endPatience);
    ends.forget();
  }

  /** What this daemon found at its start of what an earlier one had left. */
  get takenOver(): TakenOver {
    return this.#takenOver;
  }

  /** Set while the daemon is on trial. */
  get trial(): Pick<Trial, "leftBehind"> | undefined {
    return this.#trial;
  }

  /** Ends the trial: all that waited for it goes on. Nothing happens where there is none. Rejects where the start fails. */
  async confirm(): Promise<void> {
    await this.#trial?.confirm();
  }

  /** Begins to watch the machine: its load, its free space, what runs use, and logs that no run speaks for. */
  watch(): void {
    startAll(this.#watches, this.bus);
    this.#runner.usage.start();
  }

  get config(): Config {
    return this.#live.current;
  }

  /** When the configuration in force was loaded, Unix ms. */
  get loadedAt(): number {
    return this.#live.loadedAt;
  }

  /** Takes in whether something on disk differs from the configuration in force. */
  tellStale(isStale: boolean): void {
    if (isStale === this.#isStale) return;
    this.#isStale = isStale;
    this.bus.publish({ type: "config.stale", stale: isStale });
    if (!isStale) return;
    this.#world.log.warn('the configuration has changed on disk: "svc reload" puts it into force');
    const happening = happeningOfStaleConfig({ path: this.config.path, at: this.now() });
    this.happenings.publish({ type: "happening", happening });
  }

  /** The zone of schedules that name none. */
  get timezone(): string {
    return this.#live.timezone;
  }

  /** Since when and why the database refuses what there is to store; undefined while it takes everything. */
  get refusing(): Refusing | undefined {
    return this.#world.refusals.refusing;
  }

  /** False once the daemon is on its way out. */
  get isScheduling(): boolean {
    return this.#stopping === undefined && !this.#isDraining && this.#trial === undefined;
  }

  /** Resolves when a drain has come to its end, so that the daemon may stop. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  /** Unix ms. */
  now(): number {
    return this.#world.clock.now();
  }

  /** Unix ms, for what is removed by its age: not ahead where the clock is, see `AgeClock`. */
  ageNow(): number {
    return this.#age.now();
  }

  /** Calls `f` once, `ms` from now; the result cancels. */
  after(ms: number, f: () => void): () => void {
    return this.#world.clock.after(ms, f);
  }

  /**
   * Reserves ids for events: the first of `count` in a row. With `anew` a number lies between them and all that an
   * earlier life had; they are larger then even where the database has been put back to an older state.
   */
  reserveEventIds(count: number, { anew = false } = {}): number {
    const { store, clock } = this.#world;
    const least = anew ? { least: Math.max(0, clock.now()) * 1000 } : {};
    return store.reserve("event_ids", { count: anew ? count + 1 : count, ...least }) + (anew ? 1 : 0);
  }

  /** All units, sorted by name. */
  views(): UnitView[] {
    return this.config.units.map((unit) => this.#view(unit));
  }

  view(name: string): UnitView {
    return this.#view(this.unit(name));
  }

  /** Throws `Fault` not_found with the nearest known name. */
  unit(name: string): Unit {
    return this.#live.unit(name);
  }

  /** The next ticks of a unit after a time (Unix ms), dst_skipped ones included; none for a unit without a schedule. */
  ticks(name: string, options: { count: number; after: number }): { ticks: Tick[]; timezone: string } {
    this.unit(name);
    const known = this.#scheduler.scheduleOf(name);
    if (known === undefined) return { ticks: [], timezone: this.timezone };
    const { schedule, zone, anchor } = known;
    return { ticks: upcomingTicks(schedule, zone, { ...options, anchor }), timezone: zone.name };
  }

  /** Triggers a task. */
  run(name: string, options: { trigger: Trigger; params?: GivenParams; byHook?: boolean }): Run {
    return this.#requests.run(name, options);
  }

  /** Starts a service, or an idle task; answers the task's run that is active then. */
  startUnit(name: string, options: { trigger: Trigger; byHook?: boolean }): Run | undefined {
    return this.#requests.start(name, options);
  }

  /** Stops a service for the daemon's life, or what a task has active or waiting. Resolves once all of it has ended. */
  stopUnit(name: string, options: { byHook?: boolean } = {}): Promise<void> {
    return this.#requests.stop(name, options);
  }

  /** Bounces a service; for a task, stops what is active, drops what waits, and answers the one fresh run. */
  restartUnit(name: string, options: { trigger: Trigger; byHook?: boolean }): Run | undefined {
    return this.#requests.restart(name, options);
  }

  /** Holds the schedule of a task. */
  pause(name: string): void {
    this.#requests.pause(name);
  }

  resume(name: string): void {
    this.#requests.resume(name);
  }

  /** Whether a promise resolves within `ms`. */
  within(promise: Promise<unknown>, ms: number): Promise<boolean> {
    return within(this.#world.clock, promise, ms);
  }

  /** The run once it has ended, or as it is after `ms`. */
  async whenEnded(runId: string, ms: number): Promise<Run> {
    const run = this.getRun(runId);
    if (isEnded(run)) return run;
    const { ended, forget } = listenForEnds(this.bus, [runId]);
    await this.within(ended, ms);
    forget();
    return this.getRun(runId);
  }

  /** A page of runs, and how many match in all; a long history is read by another thread. */
  listRuns(options: ListOptions): Promise<RunList> {
    return this.#world.lister.list(options);
  }

  /** Sums over the history. */
  get runStats(): RunStats {
    return this.#world.store.stats;
  }

  /** A text as it may be told of a unit: without the values of its secrets (docs/security.md#a-unit). */
  masked(unit: string, text: string): string {
    return maskedText(this.#live.units.get(unit), text);
  }

  /** What goes on inside, for who looks for a fault; nothing secret is in it. */
  debug(): DebugView {
    return debugView(this.#world, {
      ledger: this.#ledger,
      runner: this.#runner,
      tasks: this.#tasks,
      services: this.#services,
    });
  }

  getRun(id: string): Run {
    const run = this.#world.store.runs.get(id);
    if (run === undefined) throw new Fault("not_found", `no run "${id}"`);
    return run;
  }

  stopRun(id: string): void {
    const run = this.getRun(id);
    if (isEnded(run)) throw new Fault("has_ended", `cannot stop run "${id}": it has ended`);
    if (!this.#isStoppable(run)) mustAllow(this.unit(run.unit), "stop");
    this.#stopRun(id);
  }

  /** Hides an ended run; row and log are reclaimed when the undo window is over. */
  deleteRun(id: string): void {
    const run = this.getRun(id);
    if (!isEnded(run)) {
      throw new Fault("still_active", `cannot delete run "${id}": it is still active; stop it first`);
    }
    this.#world.store.runs.markDeleted([id], this.now());
    this.bus.publish({ type: "run.deleted", runId: id, unit: run.unit });
    this.#pruner.purgeLater();
  }

  /** Reads the configuration anew; with `dryRun` it is only compared. All or nothing, one reload after the other. */
  reload({ dryRun }: { dryRun: boolean }): Promise<ReloadPlan> {
    return this.#live.reload(dryRun, {
      rooms: this.#rooms,
      mayChange: () => this.#mustRun(),
      changed: () => {
        this.#pruner.pruneAll();
        this.#notices.reload();
        this.tellStale(false);
        this.bus.publish({ type: "tasks.changed" });
      },
    });
  }

  /** A consistent copy of the store; `folder` takes a temporary file meanwhile. Throws `Fault`. */
  backup(folder: string): Promise<BackupFile> {
    return this.#world.store.backup(folder);
  }

  /**
   * From now on nothing new is started; what waits stays pending for the next daemon. `drained` resolves once the
   * runs of tasks have ended, however long that takes; services go on until the daemon is stopped.
   */
  drain(): void {
    if (!this.isScheduling) return this.#trial && this.#mustRun();
    this.#isDraining = true;
    this.#scheduler.stop();
    this.#tasks.drain();
    this.#world.log.info(
      "draining: nothing new is started, and the daemon ends when the runs of tasks have ended",
    );
    void this.#tellWhenDrained().catch(reportError);
  }

  async #tellWhenDrained(): Promise<void> {
    await this.#runner.whenEmpty("task");
    this.#drained.resolve();
  }

  /**
   * From now on nothing new is started, and what can't outlive the daemon is ended in order, or at `shutdown_timeout`.
   * `handedOver` resolves when the daemon may leave the rest.
   */
  handOver(): void {
    if (this.#stopping !== undefined || this.#isHandingOver) return;
    this.#isHandingOver = true;
    this.#isDraining = true;
    this.#trial?.close();
    this.#scheduler.stop();
    this.#tasks.drain();
    this.#services.drain();
    this.#world.log.info("handing over: nothing new is started, and what runs is left to the next daemon");
    void this.#tellWhenHandedOver().catch(reportError);
  }

  async #tellWhenHandedOver(): Promise<void> {
    const { shutdownTimeout } = this.config.daemon;
    const kill = (): void => this.#runner.killAll("daemon_stopped", "mortal");
    const cancel = shutdownTimeout === 0 ? undefined : this.after(shutdownTimeout, kill);
    await this.#services.shutdown("mortal");
    this.#runner.stopAll("daemon_stopped", "mortal");
    const isGone = this.#runner.whenEmpty("mortal");
    await (shutdownTimeout === 0 ? isGone : this.within(isGone, shutdownTimeout + lastPatience));
    cancel?.();
    this.#handedOver.resolve();
  }

  /** Resolves when a handover has come so far that the daemon may leave. */
  get handedOver(): Promise<void> {
    return this.#handedOver.promise;
  }

  /** Leaves all that executes to the next daemon: nothing is ended. Resolves when nothing of this one is left to be done. */
  leave(): Promise<void> {
    this.#stopping ??= this.#leave();
    return this.#stopping;
  }

  async #leave(): Promise<void> {
    this.news.publish({ type: "daemon.handover" });
    this.#scheduler.stop();
    this.#pruner.stop();
    this.#tasks.drain();
    this.#services.drain();
    await stopAll(this.#watches);
    this.#runner.usage.stop();
    this.#runner.leaveAll();
    await stopAll(this.#audience);
    this.#world.refusals.close();
  }

  /**
   * Ends everything: no new runs, tasks at once, services in reverse order; at `shutdown_timeout` what is left is killed,
   * all of it having been asked before.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#scheduler.stop();
    this.#pruner.stop();
    this.#runner.beginStop();
    this.#tasks.drain();
    this.#services.drain();
    this.#trial?.close();
    // On trial they wait: now they are to hear that they are stopped, and their ends are to be told.
    this.#runner.goOn();
    const { shutdownTimeout } = this.config.daemon;
    const { clock } = this.#world;
    const askAll = (): void => this.#runner.stopAll("daemon_stopped");
    const timers = shutdownTimeout === 0 ? [] : [
      clock.after(shutdownTimeout - Math.min(lastCall.ms, shutdownTimeout * lastCall.share), askAll),
      clock.after(shutdownTimeout, () => this.#runner.killAll("daemon_stopped")),
      clock.after(shutdownTimeout + lastPatience, () => this.#runner.giveUpAll()),
    ];
    this.#runner.stopAll("daemon_stopped", "task");
    await stopAll(this.#watches);
    await this.#services.shutdown();
    askAll();
    await this.#runner.whenEmpty();
    this.#runner.containers.close();
    this.#runner.usage.stop();
    for (const cancel of timers) cancel();
    await stopAll(this.#audience);
    this.#world.refusals.close();
  }

  #view(unit: Unit): UnitView {
    return viewOf(unit, this.#rooms, {
      ledger: this.#ledger,
      newest: this.#newest,
      usage: this.#runner.usage,
      timezone: this.timezone,
    });
  }

  /** Whether people and programs may stop a run: for a service that is the stop of an instance. */
  #isStoppable(run: Run): boolean {
    const unit = this.#live.units.get(run.unit);
    return run.trigger !== "service" || unit?.kind !== "service" || unit.apiTrigger;
  }

  #stopRun(id: string): void {
    if (!this.#services.stopRun(id)) this.#tasks.stopRun(id);
  }

  #triggerable(name: string): Task | undefined {
    const unit = this.#live.units.get(name);
    return unit?.kind === "task" && unit.apiTrigger && this.isScheduling ? unit : undefined;
  }

  #mustRun(): void {
    if (this.isScheduling) return;
    const what = this.#stopping !== undefined
      ? "stopping"
      : this.#isHandingOver
      ? "handing over to the next one"
      : this.#isDraining
      ? "draining"
      : "on trial after an upgrade";
    throw new Fault("stopping", `the daemon is ${what}: nothing new is started`);
  }

  get #rooms(): Rooms {
    return { tasks: this.#tasks, services: this.#services, scheduler: this.#scheduler };
  }
}
