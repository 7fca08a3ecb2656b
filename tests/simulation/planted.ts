/** A bug that the simulation must find: one text of one file, replaced by another. */
export interface Planted {
  name: string;
  file: string;
  search: string;
  replace: string;
  /** The first seed that is played, where it would take many to find it; default 1. */
  from?: number;
}

/** Bugs of the kind that schedulers and supervisors really had. */
export const planted: readonly Planted[] = [
  {
    name: "the mark that a tick is handled is stored before the transaction of its row",
    file: "src/engine/scheduler.ts",
    search: `    try {
      if (tick.note === "repeat") {
        this.#tasks.recordUnexecuted(entry.task.name, { ...options, reason: "dst_skipped" });
      } else {
        this.#tasks.trigger(entry.task.name, { ...options, params: defaultsOf(entry.task) });
      }`,
    replace: `    try {
      options.record();
      options.record = () => {};
      if (tick.note === "repeat") {
        this.#tasks.recordUnexecuted(entry.task.name, { ...options, reason: "dst_skipped" });
      } else {
        this.#tasks.trigger(entry.task.name, { ...options, params: defaultsOf(entry.task) });
      }`,
  },
  {
    name: "the mark that a tick is handled is stored after the transaction of its row",
    file: "src/engine/tasks.ts",
    search: `    this.#world.store.transaction(() => {
      this.#world.store.runs.insert(run);
      record?.();
    });`,
    replace: `    this.#world.store.runs.insert(run);
    record?.();`,
  },
  {
    name: "terminate lets one more run in than max_concurrent says",
    file: "src/core/admit.ts",
    search: "const victim = staying.length < policy.maxConcurrent ? undefined : staying[0];",
    replace: "const victim = staying.length <= policy.maxConcurrent ? undefined : staying[0];",
  },
  {
    name: "terminate stops the newest run",
    file: "src/core/admit.ts",
    search: "const victim = staying.length < policy.maxConcurrent ? undefined : staying[0];",
    replace: "const victim = staying.length < policy.maxConcurrent ? undefined : staying.at(-1);",
  },
  {
    from: 46,
    name: "a fresh trigger overtakes waiting ones while a restart drains",
    file: "src/engine/tasks.ts",
    search: `    if (options.catchUp) this.#line.markCatchUp(run.id);
    entry.queue.push(run);`,
    replace: `    if (options.catchUp) this.#line.markCatchUp(run.id);
    if (entry.restarting.size > 0) entry.queue.unshift(run);
    else entry.queue.push(run);`,
  },
  {
    name: "a retry is removed outside the transaction that makes its run",
    file: "src/engine/retries.ts",
    search: "this.#make(retry, () => this.#world.store.retries.remove(retry));",
    replace: `this.#world.store.retries.remove(retry);
      this.#make(retry, () => {});`,
  },
  {
    from: 90,
    name: "failed starts are not reset by a life that was long enough",
    file: "src/core/service_machine.ts",
    search: "const failedStarts = wasUp ? 0 : state.failedStarts + 1;",
    replace: "const failedStarts = wasUp ? state.failedStarts : state.failedStarts + 1;",
  },
  {
    name: "a stop does not cancel the backoff of a service",
    file: "src/core/service_machine.ts",
    search: `      return [{ ...stoppedInstance }, [{ do: "clear_timer", timer: "backoff" }]];`,
    replace:
      `      return [state.phase === "backing_off" ? { ...state, want: "down" } : { ...stoppedInstance }, []];`,
  },
  {
    name: "retention removes runs that are active",
    file: "src/io/store/runs.ts",
    search:
      "`WITH ended AS (SELECT id, created_at FROM runs WHERE unit = ? AND status = 'ended' AND deleted_at IS NULL)",
    replace: "`WITH ended AS (SELECT id, created_at FROM runs WHERE unit = ? AND deleted_at IS NULL)",
  },
  {
    name: "a stop does not end the chain of retries",
    file: "src/engine/tasks.ts",
    search: `    if (entry === undefined) return;
    this.retries.cancel(name);
    this.#dropWaiting(entry);`,
    replace: `    if (entry === undefined) return;
    this.#dropWaiting(entry);`,
  },
  {
    name: "a start does not kill what outlived the former daemon",
    file: "src/engine/recovery.ts",
    search: "  await killSurvivors(world, running, options.bootId);\n",
    replace: "",
  },
  {
    name: "a timeout is recorded as a stop",
    file: "src/core/run_machine.ts",
    search: `? stop(policy, state, "timeout", `,
    replace: `? stop(policy, state, "stopped", `,
  },
  {
    name: "a run that was stopped and fails on its way out is tried again",
    file: "src/engine/tasks.ts",
    search: `        const isOver = this.#stopped.delete(ended.id) || !this.#entries.has(task.name);`,
    replace: `        const isOver = !this.#entries.has(task.name);`,
  },
  {
    name: "a missed row counts one too few",
    file: "src/core/missed.ts",
    search: "const count = countTicks(schedule, zone, span) - run.length;",
    replace: "const count = countTicks(schedule, zone, span) - Math.max(1, run.length);",
  },
  {
    name: "a deleted run is purged while it can be brought back",
    file: "src/engine/sweeper.ts",
    search: "this.#world.store.runs.deletedBefore(this.#world.clock.now() - undoWindow)",
    replace: "this.#world.store.runs.deletedBefore(this.#world.clock.now() - undoWindow / 2)",
  },
  {
    from: 166,
    name: "the grace of a stop is forgotten when the stop is asked for twice",
    file: "src/core/run_machine.ts",
    search: `    case "stopping timer":`,
    replace: `    case "stopping stop":
      return [state, [{ do: "clear_timer", timer: "grace" }]];
    case "stopping timer":`,
  },
];
