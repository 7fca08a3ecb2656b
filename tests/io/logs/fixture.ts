import { concat } from "../../../src/core/bytes.ts";
import type { LogPolicy } from "../../../src/core/log/limits.ts";
import { LogStore, type LogTimer, type LogWriter } from "../../../src/io/logs/store.ts";
import type { LogLine } from "../../../src/types.ts";

export const UNIT = "backup";
export const RUN = "01JABCDEFGHJKMNPQRSTVWXYZ0";
export const UNCAPPED: LogPolicy = { maxSize: 0, onFull: "drop_old" };

/** A clock that only moves when it is told to. */
export class ManualTimer implements LogTimer {
  #now = 0;
  #timers: Array<{ at: number; f: () => void }> = [];

  after(ms: number, f: () => void): () => void {
    const timer = { at: this.#now + ms, f };
    this.#timers.push(timer);
    return () => this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.f();
    }
    this.#now = end;
  }
}

/** A store in a folder of its own that goes when the test ends. */
export class TestLogs implements AsyncDisposable {
  readonly root: string = Deno.makeTempDirSync({ prefix: "svc-logs-" });
  readonly timer = new ManualTimer();
  readonly store = new LogStore(`${this.root}/logs`, this.timer);
  readonly folder = `${this.root}/logs/${UNIT}/${RUN}`;

  open(policy: LogPolicy = UNCAPPED): LogWriter {
    return this.store.writer(UNIT, RUN, policy);
  }

  /** Another store on the same files, as after a restart. */
  reopened(): LogStore {
    return new LogStore(`${this.root}/logs`, this.timer);
  }

  all(store = this.store): LogLine[] {
    return store.page(UNIT, RUN, { from: 0, limit: 1_000_000, finalized: false, partial: false }).lines;
  }

  texts(store = this.store): string[] {
    return this.all(store).map((line) => line.text);
  }

  raw(stream?: "stdout" | "stderr", store = this.store): Uint8Array {
    return concat([...store.raw(UNIT, RUN, stream)].map((bytes) => bytes.slice()));
  }

  path(part: string, base = 0): string {
    return `${this.folder}/${String(base).padStart(12, "0")}.${part}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.synced();
    Deno.removeSync(this.root, { recursive: true });
  }
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
