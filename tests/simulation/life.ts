import { Refusals } from "../../src/engine/refusals.ts";
import type { World } from "../../src/engine/world.ts";
import type { Clock } from "../../src/io/clock.ts";
import { localSearcher } from "../../src/io/logs/searcher.ts";
import type {
  LaunchedProcess,
  LaunchSpec,
  Processes,
  ProcessSink,
  SpoolPositions,
} from "../../src/io/process/processes.ts";
import type { ScheduleState } from "../../src/io/store/schedules.ts";
import { localLister } from "../../src/io/store/run_lister.ts";
import type { Store } from "../../src/io/store/store.ts";
import type { Config, Run } from "../../src/types.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { type Machine, MemoryLogs, type Witness, type Write } from "./machine.ts";

/** The daemon dies here. Nothing that catches it can do anything any more. */
export class Crash extends Error {}

/** When a daemon is to die: at the `at`th effect (of a kind) from now, before or after it is done. */
export interface CrashPoint {
  at: number;
  done: boolean;
  /** Only effects whose names begin with it are counted; all, where it is left out. */
  kind?: string;
}

/** When the database refuses: the `at`th write from now, and all that come within `lasts` ms of it. */
export interface Refusal {
  at: number;
  lasts: number;
}

const never: Refusal = { at: Infinity, lasts: 0 };

/** One life of a daemon: its view of the machine, through which it can die at any effect, and be refused. */
export class Life {
  readonly world: World;
  isDead = false;
  #crash: CrashPoint | undefined;
  #refusal: Refusal = never;
  /** On the monotonic clock. */
  #refusedUntil = -Infinity;
  readonly #machine: Machine;
  readonly #witness: Witness;
  readonly #timers = new Set<() => void>();
  #pending: Write[] | undefined;
  #slow = { writes: 0, pass: (): void => {} };
  #interruption = { at: 0, ofTick: false, happens: (): void => {} };

  constructor(
    machine: Machine,
    options: {
      config: () => Config;
      witness: Witness;
      crash?: CrashPoint | undefined;
      refusal?: Refusal | undefined;
    },
  ) {
    this.#machine = machine;
    this.#witness = options.witness;
    this.#crash = options.crash;
    this.#refusal = { ...options.refusal ?? never };
    machine.processes.witness = options.witness;
    const quiet = (): void => {};
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const clock = this.#clock();
    this.world = {
      clock,
      processes: this.#processes(),
      store: this.#store(),
      logs: new MemoryLogs(machine, {
        effect: (what, body) => this.effect(what, body),
        witness: options.witness,
      }),
      searcher: localSearcher("/nowhere"),
      lister: localLister(machine.store.runs),
      freeSpace: () => Promise.resolve(undefined),
      sendmail: () => Promise.resolve({ is: "sent" }),
      docker: {
        signal: () => Promise.resolve(false),
        remove: () => Promise.resolve({ left: [], trouble: "" }),
      },
      hostName: "machine",
      newId: () => `R${String(machine.nextId++).padStart(6, "0")}`,
      log,
      refusals: new Refusals({ clock, log }),
      loader: {
        load: () => Promise.resolve({ config: options.config(), errors: [], warnings: [] }),
        close: () => {},
      },
      hostTimezone: () => "UTC",
    };
  }

  dieAt(point: CrashPoint): void {
    this.#crash = { ...point };
  }

  refuse(refusal: Refusal): void {
    this.#refusal = { ...refusal };
  }

  /** The next `writes` take their time, which `pass` lets go by. */
  slowDown(writes: number, pass: () => void): void {
    this.#slow = { writes, pass };
  }

  /** After the `at`th write from now, or the `at`th that stores a tick, something happens to the machine. */
  interrupt({ at, ofTick }: { at: number; ofTick: boolean }, happens: () => void): void {
    this.#interruption = { at, ofTick, happens };
  }

  /** From now on the database takes everything. */
  trustAgain(): void {
    this.#refusal = never;
    this.#refusedUntil = -Infinity;
  }

  /** Everything of it is dropped: timers are cleared, and nobody listens to its processes any more. */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const cancel of this.#timers) cancel();
    for (const process of this.#machine.processes.launched) process.orphan();
    this.#machine.processes.witness = undefined;
    this.#witness.died();
  }

  /** Does one thing that can be seen from outside; here it may die. */
  effect<T>(what: string, body: () => T): T {
    if (this.isDead) throw new Crash("dead");
    const crash = this.#crash;
    const isLast = crash !== undefined && what.startsWith(crash.kind ?? "") && --crash.at <= 0;
    if (isLast && !crash.done) {
      this.die();
      throw new Crash("died");
    }
    const result = body();
    if (isLast) {
      this.die();
      throw new Crash("died");
    }
    return result;
  }

  /** A publish can't throw: who is dead after it finds out at the next effect. */
  publish(body: () => void): void {
    if (this.isDead) return;
    body();
    const crash = this.#crash;
    if (crash !== undefined && "publish".startsWith(crash.kind ?? "") && --crash.at <= 0) this.die();
  }

  #clock(): Clock {
    const { clock } = this.#machine;
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, f) => this.#timer((alive) => clock.after(ms, () => alive(f))),
      measure: (ms, f) => this.#timer((alive) => clock.measure(ms, (late) => alive(() => f(late)))),
    };
  }

  /** A timer that dies with the daemon. `set` is to call what it is given when it fires. */
  #timer(set: (alive: (f: () => void) => void) => () => void): () => void {
    if (this.isDead) return () => {};
    const cancel = set((f) => {
      this.#timers.delete(cancel);
      this.#guard(f);
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }

  /** What the runtime calls: an error that gets out of it would end the daemon. */
  #guard<T>(f: () => T): T | undefined {
    if (this.isDead) return undefined;
    try {
      return f();
    } catch (error) {
      if (!this.isDead) this.#witness.escaped(error);
      return undefined;
    }
  }

  #processes(): Processes {
    const { processes } = this.#machine;
    return {
      hide: (variables) => processes.hide(variables),
      launch: (spec, sink) => this.#launch(spec, sink),
      bootId: () => this.#answer(looked(processes.bootId())),
      startTicks: (pid) => this.#answer(looked(processes.startTicks(pid))),
      lives: (pid) => this.#answer(looked(processes.lives(pid))),
      killGroup: (pid) => this.effect(`kill ${pid}`, () => processes.killGroup(pid)),
      prepare: () => processes.prepare(),
      groups: processes.groups,
      keeping: processes.keeping,
      findKept: (ids) => this.#answer(looked(processes.findKept(ids))),
      adopt: (runId, sink, positions) => this.#adopt(runId, sink, positions),
      dropKept: () => this.#answer(this.effect("sweep", () => looked(processes.dropKept(() => this.isDead)))),
      left: (run) => this.#answer(looked(processes.left(run))),
      signal: (rest, name) => this.effect(`send ${name}`, () => processes.signal(rest, name)),
      killAll: (run) => this.#answer(this.effect("sweep", () => looked(processes.killAll(run)))),
      finish: (run, what) => this.#answer(this.effect("sweep", () => looked(processes.finish(run, what)))),
      killLeftovers: (ids) => this.#answer(this.effect("sweep", () => looked(processes.killLeftovers(ids)))),
      usage: (runs) => this.#answer(looked(processes.usage(runs))),
      carriers: () => processes.carriers(),
      systemReading: () => Promise.resolve(undefined),
      peerOwner: () => Promise.resolve(undefined),
      freeSpace: () => Promise.resolve(undefined),
      machine: () => processes.machine(),
      residentMemory: () => 0,
      close: () => Promise.resolve(),
    };
  }

  #launch(spec: LaunchSpec, sink: ProcessSink): LaunchedProcess {
    return this.effect(`launch ${spec.name}`, () => {
      const process = this.#machine.processes.launch(spec, this.#guarded(sink));
      this.#witness.launched(process);
      return this.#hold(process);
    });
  }

  #adopt(runId: string, sink: ProcessSink, positions: SpoolPositions): LaunchedProcess {
    return this.effect("adopt", () => {
      const { processes } = this.#machine;
      processes.adopt(runId, this.#guarded(sink), positions);
      return this.#hold(processes.of(runId)!);
    });
  }

  #dismiss(process: FakeProcess): void {
    this.effect("dismiss", () => {
      this.#witness.dismissed(process);
      process.dismiss();
    });
  }

  #guarded(sink: ProcessSink): ProcessSink {
    return {
      output: (stream, chunk, position) =>
        this.#guard(() => sink.output(stream, chunk, position)) ?? chunk.length,
      exited: (exit) => this.#guard(() => sink.exited(exit)),
      pipesClosed: () => this.#guard(() => sink.pipesClosed()),
    };
  }

  /** A process, as this daemon has it in hand. */
  #hold(process: FakeProcess): LaunchedProcess {
    return {
      pid: process.pid,
      started: process.started,
      dismiss: () => process.spec.keep === undefined ? process.dismiss() : this.#dismiss(process),
      signal: (name) =>
        this.effect(`send ${name}`, () => {
          if (process.isAlive || process.isUntold) this.#witness.signalled(process.spec.runId, name);
          process.signal(name);
        }),
      leave: () => this.effect("leave", () => process.leave()),
      abandon: () => this.effect("abandon", () => process.abandon()),
      release: () => this.effect("release", () => process.release()),
      troubles: () => [],
    };
  }

  /** A promise that a dead daemon never sees resolved, and whose direct continuations are guarded. */
  #answer<T>(promise: Promise<T>): Promise<T> {
    const alive = new Promise<T>((resolve, reject) =>
      void promise.then((value) => this.isDead || resolve(value), (error) => this.isDead || reject(error))
    );
    return Object.assign(alive, {
      then: <A, B>(ok?: ((value: T) => A) | null, bad?: ((reason: unknown) => B) | null) =>
        Promise.prototype.then.call(alive, (value: T) => this.#guard(() => ok?.(value)), bad),
    }) as Promise<T>;
  }

  #store(): Store {
    const { store } = this.#machine;
    const noun = (name: "runs" | "picks" | "schedules" | "retries" | "notices", writes: Writes): object =>
      this.#noun(store[name], { name, writes });
    const parts: Partial<Record<keyof Store, unknown>> = {
      runs: noun("runs", {
        insert: (run: Run) => [{ do: "insert", run: { ...run } }],
        update: (run: Run) => [{ do: "update", run: { ...run } }],
        begin: (run: Run, keeping?: { nonce: string; kept: string }) => [
          { do: "update", run: { ...run } },
          { do: "keep", id: run.id, nonce: keeping?.nonce, kept: keeping?.kept },
        ],
        setKept: (id: string, kept: string) => [{ do: "keep", id, kept }],
        remove: (id: string) => [{ do: "remove", id }],
        setIdentity: () => [],
        markDeleted: (ids: string[], at: number) => [{ do: "hide", ids: [...ids], at }],
      }),
      picks: noun("picks", {
        hide: (_ids: string[], at: number, hidden: { id: string }[]) => [
          { do: "hide", ids: hidden.map(({ id }) => id), at },
        ],
        restore: (_ids: string[], _after: number, runs: Run[]) => [{ do: "restore", runs }],
      }),
      schedules: noun("schedules", {
        put: (state: ScheduleState) => [{ do: "schedule", state: { ...state } }],
        setHandled: (unit: string, tick: number) => [{ do: "handled", unit, tick }],
        remove: (unit: string) => [{ do: "unschedule", unit }],
      }),
      retries: noun("retries", {
        put: () => [],
        remove: () => [],
        removeOf: (unit: string) => [{ do: "drop retries", unit }],
      }),
      notices: noun("notices", { put: () => [], prune: () => [] }),
      transaction: (body: () => unknown) => this.#transaction(body),
      mark: (key: string) => store.mark(key),
      setMark: (key: string, value: string) =>
        this.effect("note a mark", () => {
          this.#mayRefuse([]);
          store.setMark(key, value);
        }),
    };
    return new Proxy(store, {
      get: (target, name: keyof Store) => {
        if (this.isDead) throw new Crash("dead");
        return parts[name] ?? Reflect.get(target, name, target);
      },
    });
  }

  #noun<T extends object>(target: T, { name: noun, writes }: { name: string; writes: Writes }): T {
    return new Proxy(target, {
      get: (_, name: string) => {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== "function") return method;
        const write = writes[name];
        return (...args: never[]) => {
          if (this.isDead) throw new Crash("dead");
          if (write === undefined) return Reflect.apply(method, target, args);
          return this.effect(`${noun}.${name}`, () => {
            this.#mayRefuse([...this.#pending ?? [], ...(name === "update" ? write(...args) : [])]);
            const result = Reflect.apply(method, target, args);
            const stored = write(...args, result as never);
            if (this.#pending === undefined) {
              this.#witness.stored(stored);
              this.#takeTime(stored);
            } else this.#pending.push(...stored);
            return result;
          });
        };
      },
    });
  }

  /** Here the database may say no. */
  #mayRefuse(tried: readonly Write[]): void {
    const mono = this.#machine.clock.elapsed;
    if (mono >= this.#refusedUntil) {
      if (--this.#refusal.at > 0) return;
      this.#refusedUntil = mono + this.#refusal.lasts;
      this.#refusal = never;
    }
    this.#witness.refused(tried);
    throw new Error("database is locked");
  }

  #transaction<T>(body: () => T): T {
    if (this.#pending !== undefined) return body();
    const pending: Write[] = [];
    return this.effect("transaction", () => {
      this.#pending = pending;
      let result: T;
      try {
        result = this.#machine.store.transaction(() => {
          const answer = body();
          if (this.isDead) throw new Crash("dead");
          this.#mayRefuse(pending);
          return answer;
        });
      } finally {
        this.#pending = undefined;
      }
      this.#witness.stored(pending);
      this.#takeTime(pending);
      return result;
    });
  }

  #takeTime(stored: readonly Write[]): void {
    if (this.#slow.writes-- > 0) this.#slow.pass();
    if (this.#interruption.ofTick && !stored.some((write) => write.do === "handled")) return;
    if (--this.#interruption.at === 0) this.#interruption.happens();
  }
}

/** What a method of the store has stored, from its arguments and its result. */
type Writes = Record<string, (...args: never[]) => Write[]>;

/** A daemon that dies between a question and its answer has nobody who could hear that there is none. */
function looked<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
}
