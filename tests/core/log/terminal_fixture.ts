import { LineFramer } from "../../../src/core/log/framer.ts";
import { type SettledRow, Terminal, type TerminalSink } from "../../../src/core/log/terminal.ts";

/** What a test writes: bytes and when they come, Unix ms. */
export type Written = Uint8Array | string | { wait: number };

/** A terminal in front of a framer, as a log has it; all that comes out is kept. */
export class TestTerminal implements TerminalSink {
  readonly terminal = new Terminal(this);
  readonly settled: SettledRow[] = [];
  at = 1000;
  readonly #framer = new LineFramer();
  readonly #out: number[] = [];

  /** Writes, or lets time go by, in turn. */
  write(...written: Written[]): this {
    for (const item of written) {
      if (typeof item === "string") this.terminal.push(new TextEncoder().encode(item), this.at);
      else if (item instanceof Uint8Array) this.terminal.push(item, this.at);
      else this.wait(item.wait);
    }
    return this;
  }

  /** Lets time go by as a writer does, which has a timer for what is due. */
  wait(ms: number): void {
    const end = this.at + ms;
    for (let due = this.terminal.dueAt; due !== undefined && due <= end; due = this.terminal.dueAt) {
      this.at = Math.max(this.at, due);
      this.terminal.tick(this.at);
    }
    this.at = end;
  }

  end(): this {
    this.terminal.end();
    this.#framer.end((span) => this.#take(span.head));
    return this;
  }

  /** All bytes that came out, each as a character. */
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#out);
  }

  /** What came out as text. */
  get text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes);
  }

  pass(bytes: Uint8Array): void {
    this.#framer.push(bytes, ({ head, body }) => {
      this.#take(head);
      this.#take(body);
    });
  }

  passPlain(bytes: Uint8Array): number {
    return this.#framer.pushPlain(bytes, ({ head, body }) => {
      this.#take(head);
      this.#take(body);
    });
  }

  takeBack(): Uint8Array {
    return this.#framer.takeBack();
  }

  settle(row: SettledRow): void {
    this.settled.push(row);
    this.pass(row.bytes);
    if (!row.isOpen) this.pass(Uint8Array.of(10));
  }

  #take(bytes: Uint8Array): void {
    for (const byte of bytes) this.#out.push(byte);
  }
}

/** The text that comes out of all that is written, to the end. */
export function committed(...written: Written[]): string {
  return new TestTerminal().write(...written).end().text;
}
