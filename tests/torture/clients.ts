/** What the API was like for those who used it. */
export interface ClientReport {
  /** Runs that were accepted. */
  accepted: string[];
  requests: number;
  /** Milliseconds of the slowest answer, and of that which 99 in 100 undercut. */
  slowest: number;
  p99: number;
  /** Answers that should not be. */
  faults: string[];
}

/** Clients of a daemon that ask, trigger, follow events and logs until they are told to go. */
export class Clients {
  readonly #url: string;
  readonly #leaving = new AbortController();
  /** Rejects when they are told to go: an answer that is broken off just as it begins may never end by itself. */
  readonly #left: Promise<never>;
  readonly #work: Promise<void>[];
  readonly #accepted: string[] = [];
  readonly #times: number[] = [];
  readonly #faults: string[] = [];

  /** `trigger` is the task that is run again and again; without it nothing is. */
  constructor(url: string, { trigger }: { trigger?: string } = {}) {
    this.#url = url;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.#left = promise;
    this.#leaving.signal.addEventListener("abort", () => reject(new Error("gone")));
    this.#work = [
      this.#repeat(() => this.#follow("/api/events/stream")),
      this.#repeat(() => this.#followLog()),
      this.#repeat(() => this.#ask("/api/tasks")),
      this.#repeat(() => this.#ask("/api/runs?limit=50")),
      this.#repeat(() => this.#ask("/api/log/search?q=77")),
    ];
    if (trigger !== undefined) this.#work.push(this.#repeat(() => this.#trigger(trigger)));
  }

  /** Goes, also in the middle of an answer. */
  async leave(): Promise<ClientReport> {
    this.#leaving.abort();
    await Promise.all(this.#work);
    const sorted = this.#times.toSorted((a, b) => a - b);
    return {
      accepted: this.#accepted,
      requests: sorted.length,
      slowest: Math.round(sorted.at(-1) ?? 0),
      p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
      faults: this.#faults,
    };
  }

  async #repeat(work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        await work();
      } catch {
        // The daemon has died, as it was made to: who is left goes when told to.
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #trigger(task: string): Promise<void> {
    const run = await this.#ask(`/api/tasks/${task}/run`, { method: "POST" });
    if (run !== undefined) this.#accepted.push((run as { id: string }).id);
  }

  async #ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const began = performance.now();
    const response = await fetch(this.#url + path, { ...init, signal: this.#leaving.signal });
    const text = await Promise.race([response.text(), this.#left]);
    this.#times.push(performance.now() - began);
    // 503 is how a daemon refuses what it has no room for; nothing else may go wrong with it.
    if (response.status >= 500 && response.status !== 503) {
      this.#faults.push(`${init.method ?? "GET"} ${path}: ${response.status} ${text.slice(0, 200)}`);
    }
    return response.ok ? JSON.parse(text) : undefined;
  }

  async #followLog(): Promise<void> {
    const page = await this.#ask("/api/runs?status=running&limit=20") as
      | { runs: { id: string }[] }
      | undefined;
    const run = page?.runs.at(-1);
    if (run !== undefined) await this.#follow(`/api/runs/${run.id}/log/stream`);
  }

  async #follow(path: string): Promise<void> {
    const response = await fetch(this.#url + path, { signal: this.#leaving.signal });
    const reader = response.body!.getReader();
    try {
      // Only that it comes counts.
      while (!(await Promise.race([reader.read(), this.#left])).done);
    } finally {
      await reader.cancel().catch(() => {});
    }
  }
}

/** The reports of several as one. */
export function together(reports: readonly ClientReport[]): ClientReport {
  return {
    accepted: reports.flatMap(({ accepted }) => accepted),
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    slowest: Math.max(0, ...reports.map(({ slowest }) => slowest)),
    p99: Math.max(0, ...reports.map(({ p99 }) => p99)),
    faults: reports.flatMap(({ faults }) => faults),
  };
}
