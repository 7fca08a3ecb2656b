import { LineFramer, type Span } from "../../core/log/framer.ts";
import type { Passing, TakenLine } from "../../core/log/held_lines.ts";
import type { LogLimits } from "../../core/log/limits.ts";
import { maskBytes, maskText } from "../../core/log/mask.ts";
import type { MaskPlan } from "../../core/log/mask_plan.ts";
import { type SettledRow, Terminal, type TerminalSink } from "../../core/log/terminal.ts";
import type { LiveRegion, OutputStream, PartialLine } from "./writer.ts";

const NEWLINE = new Uint8Array([10]);

/** What becomes of lines. */
export interface TextSink {
  take(passing: Passing<OutputStream>): void;
  /** Takes back the newest lines of a stream that nobody has seen yet, `count` at most, oldest first. */
  takeBack(stream: OutputStream, count: number): TakenLine[];
  /** The cursor is shown or hidden from here on. */
  showCursor(isShown: boolean): void;
  /** Something that whoever reads the output should know. */
  tell(text: string): void;
}

/** One stream of a process on its way to the log: what is redrawn goes through a terminal, all is cut into lines. */
export class OutputText implements TerminalSink {
  readonly name: OutputStream;
  readonly #sink: TextSink;
  readonly #mask: MaskPlan | undefined;
  readonly #framer: LineFramer;
  readonly #terminal = new Terminal(this);
  /** When the last bytes came. */
  #at = 0;

  constructor(
    name: OutputStream,
    { limits, mask, sink }: { limits: LogLimits; mask: MaskPlan | undefined; sink: TextSink },
  ) {
    this.name = name;
    this.#mask = mask;
    this.#framer = new LineFramer(limits);
    this.#sink = sink;
  }

  /** Takes what can be taken at once; answers how many bytes that were. */
  push(chunk: Uint8Array, at: number): number {
    this.#at = at;
    return this.#terminal.push(chunk, at);
  }

  /** Hands out the rows that have settled by a time. */
  tick(at: number): void {
    this.#terminal.tick(at);
  }

  /** When there is something for `tick` to do, if nothing comes before. */
  get dueAt(): number | undefined {
    return this.#terminal.dueAt;
  }

  /** Another number whenever there is something else to see of the region. */
  get version(): number {
    return this.#terminal.version;
  }

  /** Hands out all that is unfinished. */
  end(at: number): void {
    this.#at = at;
    this.#terminal.end();
    this.#framer.end((span) => this.#take(span));
  }

  /** What has begun but can still change. */
  partials(): PartialLine[] {
    const { name: stream } = this;
    const { partial, continued } = this.#framer;
    const rows = this.#terminal.rows()
      .map(({ bytes, at }, i) => ({
        stream,
        bytes: this.#masked(bytes),
        at,
        continued: continued && i === 0,
      }));
    const { held } = this.#terminal;
    if (partial.length + held.length === 0) return rows;
    const bytes = new Uint8Array(partial.length + held.length);
    bytes.set(partial);
    bytes.set(held, partial.length);
    return [...rows, { stream, bytes, continued, at: this.#at }];
  }

  /** The rows that are being redrawn; undefined when there are none to see. */
  region(): LiveRegion | undefined {
    const rows = this.#terminal.texts();
    if (rows.length === 0) return undefined;
    return { stream: this.name, epoch: this.#terminal.epoch, rows: this.#maskedRows(rows) };
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
    return this.#framer.continued ? [] : this.#sink.takeBack(this.name, count);
  }

  tell(text: string): void {
    this.#sink.tell(text);
  }

  showCursor(isShown: boolean): void {
    this.#sink.showCursor(isShown);
  }

  settle(row: SettledRow): void {
    let frames = row.frames.map((rows) => this.#maskedRows(rows));
    const take = (span: Span): void => {
      this.#sink.take({ span, stream: this.name, at: row.at, frames });
      frames = [];
    };
    this.#framer.push(this.#masked(row.bytes), take);
    if (row.isOpen) this.#framer.end(take);
    else this.#framer.push(NEWLINE, take);
  }

  /** Drawing may put together what was masked in no chunk. */
  #masked(bytes: Uint8Array): Uint8Array {
    return this.#mask === undefined ? bytes : maskBytes(this.#mask, bytes);
  }

  #maskedRows(rows: string[]): string[] {
    return this.#mask === undefined ? rows : rows.map((row) => maskText(row, this.#mask));
  }

  #take(span: Span): void {
    this.#sink.take({ span, stream: this.name, at: this.#at });
  }
}
