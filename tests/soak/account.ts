/** A run as events and lists tell of it. */
export interface SeenRun {
  id: string;
  task_name: string;
  status: string;
  created_at: string;
  end_reason?: string;
}

/** What is told of runs, held against what their processes wrote down. */
export class Account {
  readonly #begun = new Map<string, string>();
  readonly #ended = new Map<string, string>();
  readonly #ticks = new Map<string, SeenRun>();
  readonly #faults = new Set<string>();
  #lastEvent: number | undefined;

  /** An event of the stream that tells of all of them. */
  event(name: string, { id, data }: { id: string | undefined; data: string }): void {
    if (name === "resync") this.#faults.add("the stream of events said resync, though it was never left");
    if (id === undefined) return;
    if (this.#lastEvent !== undefined && Number(id) !== this.#lastEvent + 1) {
      this.#faults.add(`event ${id} came after ${this.#lastEvent}`);
    }
    this.#lastEvent = Number(id);
    if (name === "run.created") this.#note(this.#begun, JSON.parse(data).run, "created");
    if (name === "run.completed" || name === "run.failed") {
      this.#note(this.#ended, JSON.parse(data).run, "ended");
    }
  }

  /** Rows of the task of which there is a run for each second. */
  ticks(rows: readonly SeenRun[]): void {
    for (const row of rows) {
      const before = this.#ticks.get(row.id);
      if (before?.status === "ended" && row.status !== "ended") {
        this.#faults.add(`run ${row.id} is ${row.status} after its end`);
      }
      this.#ticks.set(row.id, row);
    }
  }

  get seenTicks(): number {
    return this.#ticks.size;
  }

  /** How many runs were begun and have not ended. */
  get open(): number {
    return [...this.#begun.keys()].filter((id) => !this.#ended.has(id)).length;
  }

  get seenRuns(): number {
    return this.#ended.size;
  }

  /** What is wrong, once all is over; `ledger` holds the ids that runs of `signing` tasks wrote down. */
  complaints({ ledger, signing }: { ledger: readonly string[]; signing: readonly string[] }): string[] {
    const faults = [...this.#faults];
    const signed = new Map<string, number>();
    for (const id of ledger) signed.set(id, (signed.get(id) ?? 0) + 1);
    for (const [id, times] of signed) {
      if (times > 1) faults.push(`run ${id} was executed ${times} times`);
      if (!this.#begun.has(id)) faults.push(`run ${id} was executed, and no event told of it`);
    }
    for (const [id, task] of this.#begun) {
      if (!this.#ended.has(id)) faults.push(`run ${id} of ${task} has no end`);
      if (signing.includes(task) && !signed.has(id)) faults.push(`run ${id} of ${task} was never executed`);
    }
    return [...faults, ...this.#ticksAmiss()];
  }

  #note(where: Map<string, string>, run: SeenRun, what: string): void {
    if (where.has(run.id)) this.#faults.add(`run ${run.id} of ${run.task_name} was ${what} twice`);
    where.set(run.id, run.task_name);
  }

  /** Each second from the first to the last has one run, which ended well. */
  #ticksAmiss(): string[] {
    const faults: string[] = [];
    const seconds = [...this.#ticks.values()].map(({ created_at }) =>
      Math.floor(Date.parse(created_at) / 1000)
    );
    seconds.sort((a, b) => a - b);
    for (let n = 1; n < seconds.length; n++) {
      const step = seconds[n]! - seconds[n - 1]!;
      if (step !== 1) faults.push(`${step === 0 ? "two runs" : "no run"} after ${isoTime(seconds[n - 1]!)}`);
    }
    for (const { id, status, end_reason } of this.#ticks.values()) {
      if (end_reason !== "success") {
        faults.push(`run ${id} of tick is ${status}, ${end_reason ?? "without a reason"}`);
      }
    }
    return faults;
  }
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
