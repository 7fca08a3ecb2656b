import { concat } from "../../../src/core/bytes.ts";
import { limitsOf } from "../../../src/core/log/limits.ts";
import { RecentLines, type TakenLine } from "../../../src/core/log/recent_lines.ts";
import { type SettledRow, StreamTail } from "../../../src/core/log/stream_tail.ts";
import { Terminal } from "../../../src/core/log/terminal.ts";

/** What a test writes: bytes and when they come, Unix ms. */
export type Written = Uint8Array | string | { wait: number };

/** The tail of a stream that remembers what has settled. */
export class TestTail extends StreamTail {
  readonly settled: SettledRow[] = [];
  /** No line can be taken back. */
  holdsNothing = false;

  constructor(recent: RecentLines) {
    super("stdout", { limits: limitsOf({ maxSize: 0, onFull: "drop_old" }), recent });
  }

  override takeBackLines(count: number): TakenLine[] {
    return this.holdsNothing ? [] : super.takeBackLines(count);
  }

  override settle(row: SettledRow): void {
    this.settled.push(row);
    super.settle(row);
  }
}

/** A terminal as a log has it; all that comes out is kept. */
export class TestTerminal {
  at = 1000;
  readonly #recent = new RecentLines(({ span }) => void this.#out.push(span.head.slice(), span.body.slice()));
  readonly #tail = new TestTail(this.#recent);
  readonly terminal = new Terminal(this.#tail);
  readonly #out: Uint8Array[] = [];

  /** Writes, or lets time go by, in turn. */
  write(...written: Written[]): this {
    for (const item of written) {
      if (!(typeof item === "string" || item instanceof Uint8Array)) {
        this.wait(item.wait);
        continue;
      }
      const bytes = typeof item === "string" ? new TextEncoder().encode(item) : item;
      for (let from = 0; from < bytes.length;) from += this.terminal.push(bytes.subarray(from), this.at);
      this.#recent.release(this.at);
    }
    return this;
  }

  /** Lets time go by as a writer does, which has a timer for what is due. */
  wait(ms: number): void {
    const end = this.at + ms;
    for (let due = this.#dueAt; due <= end; due = this.#dueAt) {
      this.at = Math.max(this.at, due);
      this.terminal.tick(this.at);
      this.#recent.release(this.at);
    }
    this.at = end;
  }

  end(): this {
    this.terminal.end();
    this.#tail.end();
    this.#recent.releaseAll();
    return this;
  }

  /** All bytes that came out. */
  get bytes(): Uint8Array {
    return concat(this.#out);
  }

  /** What came out as text. */
  get text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes);
  }

  /** The rows that have settled. */
  get settled(): readonly SettledRow[] {
    return this.#tail.settled;
  }

  /** What whoever reads the output should know. */
  get told(): readonly string[] {
    return this.terminal.told;
  }

  /** No line can be taken back. */
  set holdsNothing(isSo: boolean) {
    this.#tail.holdsNothing = isSo;
  }

  get #dueAt(): number {
    return Math.min(this.terminal.dueAt ?? Infinity, this.#recent.dueAt ?? Infinity);
  }
}

/** The text that comes out of all that is written, to the end. */
export function committed(...written: Written[]): string {
  return new TestTerminal().write(...written).end().text;
}
