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
    file: "src/engine/tasks/scheduler.ts",
    search: `      record: () => this.#store(entry, tick.at),
    };`,
    replace: `      record: () => {},
    };
    this.#store(entry, tick.at);`,
  },
  {
    name: "the mark that a tick is handled is stored after the transaction of its row",
    file: "src/engine/tasks/tasks.ts",
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
    from: 129,
    name: "a fresh trigger overtakes waiting ones while a restart drains",
    file: "src/engine/tasks/tasks.ts",
    search: `    this.#ledger.add(run, "queued", { isCatchUp: options.catchUp ?? false });`,
    replace: `    this.#ledger.add(run, "queued", { isCatchUp: options.catchUp ?? false });
    if (this.#ledger.of(run.unit).placed.values().some(({ holdsQueue }) => holdsQueue)) {
      this.#ledger.move(run.id, "in_line");
      this.#ledger.move(run.id, "queued");
    }`,
  },
  {
    from: 38,
    name: "a retry is removed outside the transaction that makes its run",
    file: "src/engine/tasks/retries.ts",
    search: "this.#make(retry, () => this.#world.store.retries.remove(retry));",
    replace: `this.#world.store.retries.remove(retry);
      this.#make(retry, () => {});`,
  },
  {
    from: 63,
    name: "failed starts are not reset by a life that was long enough",
    file: "src/core/service_machine.ts",
    search: "const failedStarts = wasUp ? 0 : state.failedStarts + 1;",
    replace: "const failedStarts = wasUp ? state.failedStarts : state.failedStarts + 1;",
  },
  {
    from: 31,
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
    file: "src/engine/tasks/tasks.ts",
    search: `    if (entry === undefined) return;
    this.retries.cancel(name);
    this.#dropWaiting(entry.task);`,
    replace: `    if (entry === undefined) return;
    this.#dropWaiting(entry.task);`,
  },
  {
    name: "a start does not kill what outlived the former daemon",
    file: "src/engine/recovery.ts",
    search:
      "  const survivors = await killSurvivors(world, running.filter(isOurs(world)), options.bootId);\n",
    replace:
      "  const survivors = { survivors: new Map<string, NamedProcess>(), untold: undefined };\n  void killSurvivors;\n",
  },
  {
    name: "a timeout is recorded as a stop",
    file: "src/core/run_machine.ts",
    search: `? stop(policy, state, "timeout", `,
    replace: `? stop(policy, state, "stopped", `,
  },
  {
    from: 207,
    name: "a run that was stopped and fails on its way out is tried again",
    file: "src/engine/tasks/tasks.ts",
    search: `        const isOver = this.#ledger.get(id)?.isStopped || !this.#entries.has(task.name);`,
    replace: `        const isOver = !this.#entries.has(task.name);`,
  },
  {
    name: "a missed row counts one too few",
    file: "src/core/missed.ts",
    search: "mostCounted + run.length }) - run.length;",
    replace: "mostCounted + run.length }) - Math.max(1, run.length);",
  },
  {
    name: "a deleted run is purged while it can be brought back",
    file: "src/engine/upkeep/pruner.ts",
    search: "this.#world.store.runs.deletedBefore(this.#world.clock.now() - undoWindow)",
    replace: "this.#world.store.runs.deletedBefore(this.#world.clock.now() - undoWindow / 2)",
  },
  {
    from: 127,
    name: "the grace of a stop is forgotten when the stop is asked for twice",
    file: "src/core/run_machine.ts",
    search: `    case "stopping timer":`,
    replace: `    case "stopping stop":
      return [state, [{ do: "clear_timer", timer: "grace" }]];
    case "stopping timer":`,
  },
  {
    name: "a run that passes the jitter gate does not hold it",
    file: "src/engine/tasks/start_line.ts",
    search: `    if (gate !== undefined) this.#ledger.mark(entry.id, "holdsGate");\n`,
    replace: "",
  },
  {
    name: "the first run of a tick passes the jitter gate before the others are made",
    file: "src/engine/tasks/scheduler.ts",
    search: "    this.#tasks.shutGate(true);\n",
    replace: "",
  },
  {
    from: 385,
    name: "a run of an earlier tick overtakes another of its task in the daemon's line",
    file: "src/engine/tasks/start_line.ts",
    search: "  if (a.unit === b.unit) return false;\n",
    replace: "",
  },
  {
    from: 298,
    name: "what waited when a daemon died starts all at once with the next",
    file: "src/engine/tasks/tasks.ts",
    search: `isCatchUp: run.trigger === "cron" && run.retryAttempt === 0`,
    replace: "isCatchUp: false",
  },
  {
    from: 514,
    name: "a retry is made though the end of its run is not stored",
    file: "src/engine/tasks/tasks.ts",
    search: "        retry = isOver ? undefined : this.retries.record(task, ended);",
    replace: `        retry = isOver ? undefined : this.retries.record(task, ended);
        if (retry !== undefined) this.retries.schedule(retry);`,
  },
  {
    from: 19,
    name: "a reload that the database refuses is in force all the same",
    file: "src/engine/live_config.ts",
    search:
      "    const apply = storeReload(this.#world, rooms, { before, after: config, plan, zones });\n    this.#timezone = zones.after;\n    this.#current = config;",
    replace:
      "    this.#timezone = zones.after;\n    this.#current = config;\n    const apply = storeReload(this.#world, rooms, { before, after: config, plan, zones });",
  },
  {
    from: 561,
    name: "an end that is stored late says that it was just now",
    file: "src/engine/runs/unexecuted_end.ts",
    search: "    world.store.runs.update(run);\n",
    replace: "    run.endedAt = world.clock.now();\n    world.store.runs.update(run);\n",
  },
  {
    name: "what a process has started is killed with it when it ends on request",
    file: "src/core/run_machine.ts",
    search: `[{ ...state, phase: "leaving", exit: (event as { exit: Exit }).exit }, [{ do: "look" }]]`,
    replace: `exited(policy, state, (event as { exit: Exit }).exit)`,
  },
  {
    name: "fractions of the monotonic clock get into what is stored",
    file: "src/core/time.ts",
    search: "return Math.round(readingOf(to) - readingOf(from));",
    replace: "return readingOf(to) - readingOf(from);",
  },
  {
    name: "what came due while the daemon stood still is late",
    file: "src/engine/tasks/unseen_time.ts",
    search: "if (late > standstill) {",
    replace: "if (late > 100 * standstill) {",
  },
  {
    from: 14,
    name: "what came due while the database refused for long is late",
    file: "src/engine/tasks/scheduler.ts",
    search: "elapsed(refused.first, refused.last) > standstill",
    replace: "elapsed(refused.first, refused.last) > 100 * standstill",
  },
  {
    from: 13,
    name: "a run waits for ever for what looks at processes",
    file: "src/engine/waits.ts",
    search: "const first = await Promise.race([answer, late]);",
    replace: "const first = await answer;",
  },
  {
    from: 11,
    name: "a stop of the daemon waits for ever for a process that nothing ends",
    file: "src/engine/runs/runner.ts",
    search: "    if (this.#isStopping) this.#giveUp(active);\n",
    replace: "",
  },
  {
    from: 13,
    name: "a start waits for ever for what looks at processes",
    file: "src/engine/recovery.ts",
    search: "processes.killLeftovers(ids), leftoverPatience)",
    replace: "processes.killLeftovers(ids), 1000 * leftoverPatience)",
  },
  {
    from: 41,
    name: "what a start had begun outlives it when the database refuses the rest",
    file: "src/engine/engine.ts",
    search: "      engine.#runner.leaveTaken();\n      await engine.stop();\n",
    replace: "",
  },
  {
    name: "a run does not end where a child of it is another user's",
    file: "src/core/run_machine.ts",
    search: '        : [{ do: "say", text: `still alive after SIGKILL: ${pidWords(left)}` }];\n',
    replace:
      '        : [{ do: "say", text: `still alive after SIGKILL: ${pidWords(left)}` }];\n      if (left.length > 0) return [state, effects];\n',
  },
  {
    name: "what a machine slept through in the middle of a turn is late",
    file: "src/engine/tasks/scheduler.ts",
    search: "due !== undefined && due.at <= now; due = this.#live()",
    replace: "due !== undefined && due.at <= clock.now(); due = this.#live()",
  },
  {
    name: "a run that gives its place back goes behind those that came after it",
    file: "src/engine/runs/ledger.ts",
    search: "runs.queued = new Set([entry, ...runs.queued]);",
    replace: "runs.queued.add(entry);",
  },
  {
    from: 14,
    name: "a run has left the ledger before its end is stored",
    file: "src/engine/runs/runner.ts",
    search: `    this.#ledger.move(id, "ending");`,
    replace: `    this.#ledger.remove(id);`,
  },
  {
    from: 101,
    name: "an instance whose end is not stored yet has no life",
    file: "src/engine/services/service_entry.ts",
    search: `life === undefined || life.phase === "launching" ? undefined : life`,
    replace: `life === undefined || life.phase === "launching" || life.phase === "ending" ? undefined : life`,
  },
  {
    from: 29,
    name: "a service makes a new row for each start that the database refuses",
    file: "src/engine/services/service_lives.ts",
    search: "instance.life ??= this.#insert(instance, options);",
    replace: "instance.life = this.#insert(instance, options);",
  },
  {
    from: 19,
    name: "the end of a run is told though it could not be stored",
    file: "src/engine/runs/runner.ts",
    search: "if (isStored) publishEnd(this.#bus, run);",
    replace: "publishEnd(this.#bus, run);",
  },
  {
    from: 11,
    name: "a run whose end nobody was told of runs for ever",
    file: "src/core/run_machine.ts",
    search: `  const effects: RunEffect[] = [{ do: "set_timer", timer: "ask", ms: askEvery }];`,
    replace: `  const effects: RunEffect[] = [];`,
  },
  {
    name: "a process is taken for gone where that can't be told",
    file: "src/core/run_machine.ts",
    search: "  if (lives === false) {",
    replace: "  if (lives !== true) {",
  },
];
