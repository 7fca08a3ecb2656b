import { concat } from "../../../src/core/bytes.ts";
import { LineFramer, type Span } from "../../../src/core/log/framer.ts";
import { HeldLines, type TakenLine } from "../../../src/core/log/held_lines.ts";
import { type SettledRow, Terminal, type TerminalSink } from "../../../src/core/log/terminal.ts";

/** What a test writes: bytes and when they come, Unix ms. */
export type Written = Uint8Array | string | { wait: number };

/** A terminal in front of a framer and held lines, as a log has it; all that comes out is kept. */
export class TestTerminal implements TerminalSink {
  readonly terminal = new Terminal(this);
  readonly settled: SettledRow[] = [];
  readonly told: string[] = [];
  at = 1000;
  /** No line can be taken back. */
  holdsNothing = false;
  readonly #framer = new LineFramer();
  readonly #held = new HeldLines<"stdout">(({ span }) =>
    void this.#out.push(span.head.slice(), span.body.slice())
  );
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
      this.#held.release(this.at);
    }
    return this;
  }

  /** Lets time go by as a writer does, which has a timer for what is due. */
  wait(ms: number): void {
    const end = this.at + ms;
    for (let due = this.#dueAt; due <= end; due = this.#dueAt) {
      this.at = Math.max(this.at, due);
      this.terminal.tick(this.at);
      this.#held.release(this.at);
    }
    this.at = end;
  }

  end(): this {
    this.terminal.end();
    this.#framer.end((span) => this.#take(span));
    this.#held.releaseAll();
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

  pass(bytes: Uint8Array): void {
    this.#framer.push(bytes, (span) => this.#take(span));
  }

  passPlain(bytes: Uint8Array): number {
    return this.#framer.pushPlain(bytes, (span) => this.#take(span));
  }

  takeBack(): Uint8Array | undefined {
    return this.#framer.continued ? undefined : this.#framer.takeBack();
  }

  takeBackLines(count: number): TakenLine[] {
    return this.holdsNothing ? [] : this.#held.takeBack("stdout", count);
  }

  settle(row: SettledRow): void {
    this.settled.push(row);
    const take = (span: Span): void => this.#take(span, row);
    this.#framer.push(row.bytes, take);
    if (!row.isOpen) this.#framer.push(Uint8Array.of(10), take);
  }

  tell(text: string): void {
    this.told.push(text);
  }

  showCursor(isShown: boolean): void {
    this.#held.isCursorHidden = !isShown;
  }

  #take(span: Span, row?: SettledRow): void {
    this.#held.take({ span, stream: "stdout", at: row?.at ?? this.at, frames: row?.frames });
  }

  get #dueAt(): number {
    return Math.min(this.terminal.dueAt ?? Infinity, this.#held.dueAt ?? Infinity);
  }
}

/** The text that comes out of all that is written, to the end. */
export function committed(...written: Written[]): string {
  return new TestTerminal().write(...written).end().text;
}
