import { Counter, exposition, Histogram, type Metric, type Sample } from "../../core/prometheus.ts";
import type { ShownPhase } from "../../core/service_state.ts";
import type { EndReason, Run, Unit } from "../../types.ts";
import type { Bus } from "../bus.ts";
import type { UnitView } from "../unit_view.ts";
import type { World } from "../world.ts";

/** Time between two looks at the event loop, ms. */
const lagEvery = 1000;

/** Upper ends of buckets, s. */
const runBounds = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];
const latenessBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3600];
const lagBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Every phase is shown, also where no instance is in it. */
const noInstances: Readonly<Record<ShownPhase, number>> = {
  stopped: 0,
  waiting: 0,
  starting: 0,
  healthy: 0,
  stopping: 0,
  backing_off: 0,
  done: 0,
  fatal: 0,
};

/** Ends that alerts ask for: each counts from 0, since a counter that begins with 1 never went up for who watches it. */
const watched: Readonly<Record<Unit["kind"], readonly EndReason[]>> = {
  task: ["success", "failed", "timeout", "crashed", "start_failed", "log_overflow", "missed"],
  service: ["failed", "crashed", "start_failed", "log_overflow", "unhealthy"],
};

/** What is looked at when metrics are asked for. */
export interface MetricSources {
  /** Those of all units at the moment. */
  views(): UnitView[];
  /** Ids of all notifiers. */
  notifiers(): readonly string[];
  /** How many messages ended how. */
  deliveries(): ReadonlyArray<{ notifier: string; outcome: string; count: number }>;
}

/** What monitoring is told of this daemon: it counts over the daemon's life what happens, and looks at the rest when it is asked. */
export class Metrics {
  readonly #world: World;
  readonly #views: () => UnitView[];
  readonly #notifiers: MetricSources["notifiers"];
  readonly #deliveries: MetricSources["deliveries"];
  readonly #runs = new Counter();
  readonly #restarts = new Counter();
  readonly #durations = new Histogram(runBounds);
  readonly #lateness = new Histogram(latenessBounds);
  readonly #lag = new Histogram(lagBounds);
  #unsubscribe: () => void = () => {};
  #cancel: () => void = () => {};

  constructor(world: World, { views, notifiers, deliveries }: MetricSources) {
    this.#world = world;
    this.#views = views;
    this.#notifiers = notifiers;
    this.#deliveries = deliveries;
    this.#lateness.mention();
    this.#lag.mention();
  }

  /** Counts from now on. */
  start(bus: Bus): void {
    this.#unsubscribe = bus.subscribe((event) => {
      if (event.type === "run.created") this.#created(event);
      else if (event.type === "run.started") this.#started(event.run);
      else if (event.type === "run.completed" || event.type === "run.failed") this.#ended(event.run);
    });
    this.#watchLoop();
  }

  stop(): void {
    this.#unsubscribe();
    this.#cancel();
  }

  /** All metrics in Prometheus' text format. */
  text({ version }: { version: string }): string {
    const views = this.#views();
    for (const { unit, service } of views) {
      for (const end_reason of watched[unit.kind]) this.#runs.add({ task: unit.name, end_reason }, 0);
      if (service !== undefined) this.#restarts.add({ service: unit.name }, 0);
    }
    return exposition([
      {
        name: "svc_build_info",
        help: "Always 1; the version of the daemon is a label",
        type: "gauge",
        samples: [{ labels: { version }, value: 1 }],
      },
      ...this.#ofRuns(views),
      ...this.#ofServices(views),
      ...this.#ofDaemon(),
    ]);
  }

  #ofDeliveries(): Sample[] {
    const ended = this.#deliveries();
    const none = this.#notifiers().filter((id) =>
      !ended.some(({ notifier, outcome }) => notifier === id && outcome === "given_up")
    ).map((notifier) => ({ notifier, outcome: "given_up", count: 0 }));
    return [...ended, ...none].map(({ notifier, outcome, count }) => ({
      labels: { notifier, outcome },
      value: count,
    }));
  }

  #ofRuns(views: readonly UnitView[]): Metric[] {
    const tasks = views.filter(({ unit }) => unit.kind === "task");
    const gauge = (of: (view: UnitView) => number | undefined): Sample[] =>
      tasks.flatMap((view) => {
        const value = of(view);
        return value === undefined ? [] : [{ labels: { task: view.unit.name }, value }];
      });
    return [
      {
        name: "svc_runs_total",
        help: "Runs that have ended, lives of services among them, by the reason of their end",
        type: "counter",
        samples: this.#runs.samples(),
      },
      {
        name: "svc_run_duration_seconds",
        help: "Time from start to end of runs that executed",
        type: "histogram",
        samples: this.#durations.samples(),
      },
      {
        name: "svc_active_runs",
        help: "Runs of a task that execute, or wait only for max_parallel_runs",
        type: "gauge",
        samples: gauge(({ active }) => active),
      },
      {
        name: "svc_queued_runs",
        help: "Runs of a task that wait for others of the same task",
        type: "gauge",
        samples: gauge(({ queued }) => queued),
      },
      {
        name: "svc_start_lateness_seconds",
        help:
          "Time from the tick of a schedule to the start of its run, waiting in a queue and catching up included",
        type: "histogram",
        samples: this.#lateness.samples(),
      },
      {
        name: "svc_next_tick_timestamp_seconds",
        help: "When the schedule of a task runs it next, in Unix time; none while it is paused",
        type: "gauge",
        samples: gauge(({ nextRunAt }) => nextRunAt === undefined ? undefined : nextRunAt / 1000),
      },
    ];
  }

  #ofServices(views: readonly UnitView[]): Metric[] {
    const instances = views.flatMap(({ unit, service }) => {
      if (service === undefined) return [];
      const counts = { ...noInstances };
      for (const { phase } of service.instances) counts[phase]++;
      return Object.entries(counts).map(([state, value]) => ({
        labels: { service: unit.name, state },
        value,
      }));
    });
    return [
      {
        name: "svc_service_instances",
        help: "Instances of a service, by the state that each is in",
        type: "gauge",
        samples: instances,
      },
      {
        name: "svc_restarts_total",
        help: "Starts of instances of a service by its restart policy, after a life that ended by itself",
        type: "counter",
        samples: this.#restarts.samples(),
      },
    ];
  }

  #ofDaemon(): Metric[] {
    const { logs, store, processes } = this.#world;
    const { outputBytes, droppedLines } = logs.totals;
    return [
      {
        name: "svc_log_bytes_total",
        help: "Bytes that runs have written to their output, those that are not kept included",
        type: "counter",
        samples: [{ value: outputBytes }],
      },
      {
        name: "svc_log_dropped_lines_total",
        help: "Lines of output that are not kept: over log_max_size, or refused by the disk",
        type: "counter",
        samples: [{ value: droppedLines }],
      },
      {
        name: "svc_deliveries_total",
        help: "Messages to notifiers, by how their delivery ended",
        type: "counter",
        samples: this.#ofDeliveries(),
      },
      {
        name: "svc_event_loop_lag_seconds",
        help: "How late the daemon's own timer was, looked at every second",
        type: "histogram",
        samples: this.#lag.samples(),
      },
      {
        name: "svc_process_resident_memory_bytes",
        help: "Memory of the daemon itself that is resident",
        type: "gauge",
        samples: [{ value: processes.residentMemory() }],
      },
      {
        name: "svc_database_bytes",
        help: "Size of the database, without its write-ahead log",
        type: "gauge",
        samples: [{ value: store.bytes }],
      },
    ];
  }

  #created({ run, isRestart }: { run: Run; isRestart?: boolean }): void {
    if (isRestart === true) this.#restarts.add({ service: run.unit });
  }

  #started({ trigger, retryAttempt, createdAt, startedAt = createdAt }: Run): void {
    // A retry goes by its delay, not by a tick. The clock may have been set back meanwhile.
    if (trigger === "cron" && retryAttempt === 0) this.#lateness.observe(seconds(createdAt, startedAt));
  }

  #ended({ unit, endReason, startedAt, endedAt }: Run): void {
    if (endReason === undefined) return;
    this.#runs.add({ task: unit, end_reason: endReason });
    if (startedAt === undefined || endedAt === undefined) return;
    this.#durations.observe(seconds(startedAt, endedAt), { task: unit });
  }

  #watchLoop(): void {
    this.#cancel = this.#world.clock.measure(lagEvery, (late) => {
      this.#lag.observe(Math.round(late) / 1000);
      this.#watchLoop();
    });
  }
}

/** Between two Unix times in ms, never less than none. */
function seconds(from: number, to: number): number {
  return Math.max(0, to - from) / 1000;
}
