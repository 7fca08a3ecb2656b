import type { DaemonProcess } from "../support/daemon_process.ts";
import { EventReader } from "../support/event_reader.ts";
import { floodLines } from "./config.ts";

const shown = 20;

/** Clients of a daemon that ask without end and look at what they are answered, until they are told to go. */
export class Readers {
  readonly #daemon: DaemonProcess;
  readonly #leaving = new AbortController();
  readonly #work: Promise<void>[];
  readonly #faults: string[] = [];
  readonly counts = { pages: 0, searches: 0, lines: 0, events: 0, notices: 0, logs: 0, faults: 0 };

  constructor(daemon: DaemonProcess) {
    this.#daemon = daemon;
    this.#work = [
      this.#repeat(() => this.#readRuns()),
      this.#repeat(() => this.#search()),
      this.#repeat(() => this.#followTalker()),
      this.#repeat(() => this.#followEvents()),
      this.#repeat(() => this.#readNotices()),
      this.#repeat(() => this.#readFlood()),
    ];
  }

  /** Goes, and answers what was not as it should be. */
  async leave(): Promise<string[]> {
    this.#leaving.abort();
    await Promise.all(this.#work);
    return this.#faults;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        if (!signal.aborted) this.#fault(`a reader was broken off: ${error}`);
      }
      await pause(100, signal);
    }
  }

  #fault(what: string): void {
    this.counts.faults++;
    if (this.#faults.length < shown) this.#faults.push(what);
  }

  /** The body of an answer; undefined where `others` allows the status. */
  async #ask<T>(path: string, { others = [] }: { others?: number[] } = {}): Promise<T | undefined> {
    const response = await this.#daemon.request(path, { signal: this.#leaving.signal });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    if (!others.includes(response.status)) {
      this.#fault(`GET ${path}: ${response.status} ${text.slice(0, 200)}`);
    }
    return undefined;
  }

  async #readRuns(): Promise<void> {
    type Page = { runs: { id: string; task_name: string; created_at: string }[]; total: number };
    const queries = [
      "",
      "task_name=tick&limit=20",
      "status=failed",
      "sort_field=duration&sort_direction=desc",
      "search=flood",
      "offset=100&limit=100",
    ];
    const query = queries[this.counts.pages++ % queries.length]!;
    const page = await this.#ask<Page>(`/api/runs?${query}`);
    if (page === undefined) return;
    const ids = page.runs.map(({ id }) => id);
    if (new Set(ids).size < ids.length) this.#fault(`runs stand twice on a page (${query})`);
    if (page.total < ids.length) this.#fault(`a page of ${ids.length} runs of ${page.total} (${query})`);
    const wanted = /task_name=(\w+)/.exec(query)?.[1];
    if (wanted !== undefined && page.runs.some(({ task_name }) => task_name !== wanted)) {
      this.#fault(`runs of others on a page (${query})`);
    }
    const times = page.runs.map(({ created_at }) => Date.parse(created_at));
    if (!query.includes("sort") && times.some((at, n) => n > 0 && at > times[n - 1]!)) {
      this.#fault(`runs are not in order (${query})`);
    }
  }

  async #search(): Promise<void> {
    const text = `line ${this.counts.searches++ % 100}`;
    const path = `/api/tasks/talker/log/search?limit=50&q=${encodeURIComponent(text)}`;
    const found = await this.#ask<{ hits: { text: string }[] }>(path, { others: [503] });
    const wrong = found?.hits.find((hit) => !hit.text.includes(text));
    if (wrong !== undefined) this.#fault(`a search for "${text}" found "${wrong.text}"`);
    await pause(500, this.#leaving.signal);
  }

  /** Some seconds of a log of which each line is one more than that before it. */
  async #followTalker(): Promise<void> {
    const page = await this.#ask<{ runs: { id: string }[] }>("/api/runs?task_name=talker&status=running");
    const id = page?.runs[0]?.id;
    if (id === undefined) return await pause(1000, this.#leaving.signal);
    const path = `/api/runs/${id}/log/stream?from=-20`;
    let before: { n: number; line: number } | undefined;
    await this.#follow(path, 60, ({ name, data }) => {
      if (name === "dropped") before = undefined;
      if (name !== "line") return;
      this.counts.lines++;
      const { n, text, stream } = JSON.parse(data);
      if (stream === "system") return;
      const line = Number(/^line (\d+)$/.exec(text)?.[1]);
      if (before !== undefined && (n !== before.n + 1 || line !== before.line + 1)) {
        this.#fault(`line ${n} "${text}" came after line ${before.n} "line ${before.line}"`);
      }
      before = { n, line };
    });
  }

  async #followEvents(): Promise<void> {
    let before: number | undefined;
    await this.#follow("/api/events/stream", 30, ({ id }) => {
      this.counts.events++;
      if (id === undefined) return;
      if (before !== undefined && Number(id) !== before + 1) {
        this.#fault(`a reader saw event ${id} after ${before}`);
      }
      before = Number(id);
    });
  }

  /** Reads so many events of a stream, fewer where it ends or it is time to go, and leaves it. */
  async #follow(
    path: string,
    count: number,
    take: (event: { name: string; id?: string; data: string }) => void,
  ): Promise<void> {
    const response = await this.#daemon.request(path, { signal: this.#leaving.signal });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status !== 404) this.#fault(`GET ${path}: ${response.status}`);
      return;
    }
    await using stream = new EventReader(response.body);
    for (let n = 0; n < count && !this.#leaving.signal.aborted; n++) {
      const event = await stream.next();
      if (event === undefined) break;
      take(event);
    }
  }

  async #readNotices(): Promise<void> {
    const page = await this.#ask<{ items: { id: string; count: number }[] }>("/api/notifications?limit=50");
    if (page !== undefined) {
      this.counts.notices++;
      const ids = page.items.map(({ id }) => id);
      if (ids.some((id, n) => n > 0 && id >= ids[n - 1]!)) this.#fault("notifications are not newest first");
      if (page.items.some(({ count }) => count < 1)) this.#fault("a notification counts nothing");
    }
    await pause(500, this.#leaving.signal);
  }

  /** What is left of a flood that has ended ends with its last line. */
  async #readFlood(): Promise<void> {
    const page = await this.#ask<{ runs: { id: string }[] }>(
      "/api/runs?task_name=flood&status=success&limit=1",
    );
    const id = page?.runs[0]?.id;
    if (id !== undefined) {
      type Log = { lines: { text: string; stream: string }[]; total_lines: number };
      // Retention may have taken it away meanwhile.
      const log = await this.#ask<Log>(`/api/runs/${id}/log?from=-20`, { others: [404] });
      const last = log?.lines.findLast(({ stream }) => stream === "stdout")?.text;
      if (log !== undefined && last !== String(floodLines)) this.#fault(`a flood ends with "${last}"`);
      this.counts.logs++;
    }
    await pause(500, this.#leaving.signal);
  }
}

/** Waits, and no longer than until it is time to go. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  const leave = () => resolve();
  signal?.addEventListener("abort", leave);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", leave);
}
