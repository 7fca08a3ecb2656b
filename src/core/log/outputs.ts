import type { LogLimits } from "./limits.ts";
import type { MaskPlan } from "./mask_plan.ts";
import { type OutputStream, RecentLines, type RecentState, type StreamLines } from "./recent_lines.ts";
import { StreamTail } from "./stream_tail.ts";
import { Terminal, type TerminalState } from "./terminal.ts";

const NEWLINE = 10;
const NOTHING: readonly string[] = [];

/** An unfinished line. */
export interface PartialLine {
  stream: OutputStream;
  bytes: Uint8Array;
  /** It goes on from a piece that is already a line of its own. */
  continued: boolean;
  /** When its last bytes came, Unix ms. */
  at: number;
}

/** Rows that are being redrawn, and are no lines yet. */
export interface LiveRegion {
  stream: OutputStream;
  /** Another one after each reset of the screen. */
  epoch: number;
  rows: string[];
}

interface DrawnState {
  tail: StreamTail["state"];
  terminal: TerminalState;
}

/** All that outputs go on from, for a journal: safe to JSON. */
export interface OutputsState {
  recent: RecentState;
  stdout: DrawnState;
  stderr: DrawnState;
}

/** A terminal, and what it draws on. */
interface Drawn {
  terminal: Terminal;
  tail: StreamTail;
}

/**
 * The two streams of a process on their way to the log. Bytes go down: through the terminal of their stream, cut into
 * lines by its tail, among the recent lines of both streams, and out. Times are Unix ms.
 */
export class Outputs {
  readonly #recent: RecentLines;
  readonly #stdout: Drawn;
  readonly #stderr: Drawn;
  readonly #both: readonly Drawn[];

  constructor(
    { limits, mask, give }: {
      limits: Pick<LogLimits, "line" | "span">;
      /** What never stands in rows that were redrawn. */
      mask?: MaskPlan | undefined;
      /** Takes what nothing can redraw any more, in order; spans are valid only during the call. */
      give: (lines: StreamLines) => void;
    },
  ) {
    const recent = new RecentLines(give);
    const drawn = (name: OutputStream): Drawn => {
      const tail = new StreamTail(name, { limits, mask, recent });
      return { tail, terminal: new Terminal(tail) };
    };
    this.#recent = recent;
    this.#stdout = drawn("stdout");
    this.#stderr = drawn("stderr");
    this.#both = [this.#stdout, this.#stderr];
  }

  get state(): OutputsState {
    return { recent: this.#recent.state, stdout: stateOf(this.#stdout), stderr: stateOf(this.#stderr) };
  }

  /** Takes the place of other outputs, which were in this state; nothing may have come before. */
  restore({ recent, stdout, stderr }: OutputsState): void {
    this.#recent.restore(recent);
    restoreDrawn(this.#stdout, stdout);
    restoreDrawn(this.#stderr, stderr);
  }

  /** Nothing is held or being redrawn: there may be unfinished lines. */
  get isAtRest(): boolean {
    return this.#recent.lines.length === 0 && !this.#both.some(({ terminal }) => terminal.isLive);
  }

  /** Takes what a stream brought at a time, as far as it can be taken at once; answers how many bytes that were. */
  push(stream: OutputStream, chunk: Uint8Array, at: number): number {
    const { terminal } = stream === "stdout" ? this.#stdout : this.#stderr;
    const taken = terminal.push(chunk, at);
    this.#recent.release(at);
    return taken;
  }

  /** Hands out what nothing redraws any more at a time. */
  tick(at: number): void {
    for (const { terminal } of this.#both) terminal.tick(at);
    this.#recent.release(at);
  }

  /** When there is something for `tick` to do, if nothing comes before. */
  get dueAt(): number | undefined {
    let earliest = this.#recent.dueAt;
    for (const { terminal: { dueAt } } of this.#both) {
      if (dueAt !== undefined && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
    }
    return earliest;
  }

  /** Hands out the whole lines. */
  release(): void {
    this.#recent.releaseAll();
  }

  /** Hands out those of them that nobody is expected to redraw. */
  releaseIdle(): void {
    this.#recent.releaseIdle();
  }

  /** Whether `releaseIdle` has something to do. */
  get hasIdle(): boolean {
    return this.#recent.hasIdle;
  }

  /** Hands out all that is unfinished at a time, and ends. */
  end(at: number): void {
    for (const { terminal, tail } of this.#both) {
      tail.at = at;
      terminal.end();
      tail.end();
    }
    this.#recent.releaseAll();
  }

  /** What has begun but can still change. */
  partials(): PartialLine[] {
    return [...this.#recent.lines.flatMap(linesOf), ...this.#both.flatMap(unfinished)];
  }

  /** What is being redrawn: a region of a stream at most. */
  regions(): LiveRegion[] {
    return this.#both.flatMap(({ terminal, tail }) => {
      const rows = tail.maskedTexts(terminal.texts());
      return rows.length === 0 ? [] : [{ stream: tail.name, epoch: terminal.epoch, rows }];
    });
  }

  /** Another number whenever there is something else to see of the regions; 0 before there was one. */
  get version(): number {
    return this.#stdout.terminal.version + this.#stderr.terminal.version;
  }

  /** What whoever reads the output should know since this was asked last; to be said behind what was taken. */
  unsaid(): readonly string[] {
    if (this.#both.every(({ terminal }) => terminal.told.length === 0)) return NOTHING;
    return this.#both.flatMap(({ terminal }) => terminal.told.splice(0));
  }
}

function stateOf({ terminal, tail }: Drawn): DrawnState {
  return { tail: tail.state, terminal: terminal.state };
}

function restoreDrawn({ terminal, tail }: Drawn, state: DrawnState): void {
  tail.restore(state.tail);
  terminal.restore(state.terminal);
}

/** The rows that are being redrawn, and the line behind them. */
function unfinished({ terminal, tail }: Drawn): PartialLine[] {
  const { name: stream, partial, continued } = tail;
  const rows = terminal.rows().map(({ bytes, at }, i) => ({
    stream,
    bytes: tail.masked(bytes),
    at,
    continued: continued && i === 0,
  }));
  const { held } = terminal;
  if (partial.length + held.length === 0) return rows;
  const bytes = new Uint8Array(partial.length + held.length);
  bytes.set(partial);
  bytes.set(held, partial.length);
  return [...rows, { stream, bytes, continued, at: tail.at }];
}

/** Recent lines, one by one. */
function linesOf({ span: { body, continued, joined }, stream, at }: StreamLines): PartialLine[] {
  const lines: PartialLine[] = [];
  for (let from = 0; from < body.length || lines.length === 0;) {
    const newline = body.indexOf(NEWLINE, from);
    const end = newline < 0 || joined ? body.length : newline;
    lines.push({ stream, bytes: body.subarray(from, end), at, continued: continued && from === 0 });
    from = end + 1;
  }
  return lines;
}
