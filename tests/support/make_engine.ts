import { Engine } from "../../src/engine/engine.ts";
import type { Sendmail } from "../../src/core/notify/outgoing.ts";
import type { EngineEvent } from "../../src/engine/bus.ts";
import { Refusals } from "../../src/engine/refusals.ts";
import type { World } from "../../src/engine/world.ts";
import { localSearcher } from "../../src/io/logs/searcher.ts";
import { LogStore } from "../../src/io/logs/store.ts";
import type { LogOptions, LogWriter, Resumed } from "../../src/io/logs/store.ts";
import { localLister } from "../../src/io/store/run_lister.ts";
import { Store } from "../../src/io/store/store.ts";
import type { Config, DaemonSettings, Problem, Run, Unit } from "../../src/types.ts";
import { FakeClock, settle } from "./fake_clock.ts";
import { netUses } from "../../src/core/net_uses.ts";
import { FakeNet } from "./fake_net.ts";
import { FakeProcesses } from "./fake_processes.ts";
import { countedSteps } from "./seams.ts";
import { configOf, noon } from "./units.ts";

// No power fails here: what is written to a log need not wait for the disk. `tests/io/logs` has that.
Deno.FsFile.prototype.syncData = () => Promise.resolve();

/** What an engine of a test is made from. */
export interface Setup {
  units: readonly Unit[];
  daemon?: Partial<DaemonSettings>;
  /** Unix ms; default: noon. */
  now?: number;
  hostTimezone?: string;
  /** Whether the daemon's log has each step of the machines. */
  traces?: boolean;
  /** Prepares the machine before anything starts. */
  before?: (test: TestEngine) => void;
}

/** Logs whose writers a test can close, as the death of a process does; walking them takes real time, and is counted. */
class ClosableLogs extends LogStore {
  readonly #open: LogWriter[] = [];

  override writer(unit: string, runId: string, options: LogOptions): LogWriter {
    const writer = super.writer(unit, runId, options);
    this.#open.push(writer);
    return writer;
  }

  override resume(...args: Parameters<LogStore["resume"]>): Resumed {
    const resumed = super.resume(...args);
    this.#open.push(resumed.writer);
    return resumed;
  }

  override folders(): ReturnType<LogStore["folders"]> {
    return countedSteps(super.folders());
  }

  async end(): Promise<void> {
    for (const writer of this.#open) writer.close();
    await this.synced();
  }
}

/** A real engine with a real store and real logs, on a clock and with processes of the test's own. */
export class TestEngine implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly processes = new FakeProcesses();
  readonly store = new Store(":memory:");
  readonly folder: string = Deno.makeTempDirSync({ prefix: "svc-engine-" });
  /** Lines of the daemon's log: "warn message". */
  readonly said: string[] = [];
  /** Steps of the machines, where they are traced: "step of a run unit=a run=R000001 before=running ...". */
  readonly traced: string[] = [];
  /** All events since the engine was up for the last time. */
  events: EngineEvent[] = [];
  /** What the next load of the configuration gives. */
  config: Config;
  problems: Problem[] = [];
  hostTimezone: string;
  /** Bytes that are free on the disk of the logs; "never": nobody answers. */
  freeSpace: number | undefined | "never" = 1e12;
  /** What was handed to sendmail. */
  readonly mailed: Sendmail[] = [];
  /** Runs whose containers were to be removed, and what keeps docker from it. */
  readonly removed: string[] = [];
  /** Signals that were sent into containers, with their runs. */
  readonly containerSignals: string[] = [];
  /** Whether there are containers that take signals. */
  hasContainers = true;
  containerTrouble: string | undefined;
  /** Docker is asked, and says nothing. */
  isDockerDeaf = false;
  /** Which containers that trouble is about. */
  isStuck: (runId: string) => boolean = () => true;
  #net: FakeNet | undefined;
  #engine: Engine | undefined;
  #refusals: Refusals | undefined;
  #logs: ClosableLogs | undefined;
  #nextId = 1;
  readonly #traces: boolean;

  constructor(setup: Setup) {
    this.clock = new FakeClock(setup.now ?? noon);
    this.processes.now = () => this.clock.now();
    this.config = configOf(setup.units, setup.daemon);
    this.hostTimezone = setup.hostTimezone ?? "UTC";
    this.#traces = setup.traces ?? false;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new RangeError("the engine does not run");
    return this.#engine;
  }

  /** The network; there is one where the configuration at the engine's start has a use for it. */
  get net(): FakeNet {
    if (this.#net === undefined) throw new RangeError("the engine was started without the network");
    return this.#net;
  }

  /** What the engine knows of a database that refuses. */
  get refusals(): Refusals {
    return this.#refusals!;
  }

  get logs(): LogStore {
    return this.#logs!;
  }

  /** Starts an engine on what is there, perhaps on trial. */
  async start(options: Parameters<typeof Engine.start>[2] = {}): Promise<void> {
    this.events = [];
    this.#logs = new ClosableLogs(`${this.folder}/logs`, this.clock);
    const addresses = netUses(this.config).map(({ address }) => address);
    this.#net = addresses.length === 0 ? undefined : new FakeNet(addresses);
    const log = this.#daemonLog();
    this.#refusals = new Refusals({ clock: this.clock, log });
    const world: World = {
      clock: this.clock,
      processes: this.processes,
      store: this.store,
      logs: this.#logs,
      lister: localLister(this.store.runs),
      searcher: localSearcher(`${this.folder}/logs`),
      freeSpace: () => this.freeSpace === "never" ? new Promise(() => {}) : Promise.resolve(this.freeSpace),
      sendmail: (mail) => {
        this.mailed.push(mail);
        return Promise.resolve({ is: "sent" });
      },
      docker: {
        signal: (runId, { signal }) => {
          this.containerSignals.push(`${signal} ${runId}`);
          return Promise.resolve(this.hasContainers);
        },
        remove: (runIds) => {
          this.removed.push(...runIds);
          if (this.isDockerDeaf) return new Promise(() => {});
          const left = this.containerTrouble === undefined ? [] : runIds.filter((id) => this.isStuck(id));
          return Promise.resolve({ left, trouble: left.length === 0 ? "" : this.containerTrouble! });
        },
      },
      hostName: "machine",
      newId: () => `R${String(this.#nextId++).padStart(6, "0")}`,
      log,
      refusals: this.#refusals,
      loader: {
        load: () =>
          Promise.resolve(
            this.problems.length > 0
              ? { errors: this.problems, warnings: [] }
              : { config: this.config, errors: [], warnings: [] },
          ),
        close: () => {},
      },
      hostTimezone: () => this.hostTimezone,
      ...(this.#net === undefined ? {} : { net: this.#net }),
    };
    const engine = await Engine.start(world, this.config, options);
    engine.bus.subscribe((event) => this.events.push(event));
    this.#engine = engine;
    await settle();
  }

  /** The daemon dies at once; its processes live on. `away` ms later the next one can be started. */
  async crash(away = 0): Promise<void> {
    this.clock.clear();
    for (const process of this.processes.launched) process.orphan();
    await this.#logs?.end();
    this.#engine = undefined;
    this.clock.stall(away);
  }

  /** A clean stop, in the time that the ladders take. */
  async stop(): Promise<void> {
    const stopped = this.engine.stop();
    await this.clock.advance(60_000);
    await stopped;
  }

  /** Puts other units, or settings, into the configuration, and reloads. */
  async reload(units: readonly Unit[], daemon?: Partial<DaemonSettings>): Promise<void> {
    this.config = configOf(units, daemon ?? this.config.daemon);
    await this.engine.reload({ dryRun: false });
    await settle();
  }

  /** Runs as they are stored, oldest first; of one unit or of all. */
  runs(unit?: string): Run[] {
    return this.store.runs.list({
      filter: unit === undefined ? {} : { unit },
      sort: "created_at",
      descending: false,
      limit: 100_000,
      offset: 0,
    }).runs;
  }

  /** How a unit's runs stand, in order of creation: the reason of an ended one, else its status. */
  outcomes(unit?: string): string[] {
    return this.runs(unit).map((run) => run.endReason ?? run.status);
  }

  /** Text of a run's log, a line each; system lines in brackets. */
  logLines(run: Run): string[] {
    return this.logs.page(run.unit, run.id, { from: 0, limit: 10_000, finalized: false }).lines
      .map(({ stream, text }) => stream === "system" ? `[${text}]` : text);
  }

  /** Types of the events of one run, in order. */
  eventsOf(runId: string): string[] {
    return this.events.flatMap((event) => "run" in event && event.run.id === runId ? [event.type] : []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clock.clear();
    await this.#logs?.end();
    this.store.close();
    Deno.removeSync(this.folder, { recursive: true });
  }

  #daemonLog(): World["log"] {
    const say = (level: string) => (message: string): void => void this.said.push(`${level} ${message}`);
    const trace: World["log"]["trace"] = (message, values = {}) => {
      const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
      this.traced.push([message, ...words].join(" "));
    };
    const traces = this.#traces ? { trace } : {};
    return { ...traces, debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
  }
}

/** Makes and starts an engine. */
export async function makeEngine(setup: Setup): Promise<TestEngine> {
  const test = new TestEngine(setup);
  setup.before?.(test);
  await test.start();
  return test;
}
