import type { LogLineJson } from "../http/schemas/run.ts";
import type { FeedRegion } from "./log_stream.ts";
import { LiveRows } from "./live_rows.ts";
import { printableLine } from "./printable.ts";
import type { Style } from "./style.ts";
import type { Output, Terminal } from "./terminal.ts";

/** Where lines go, and how. */
export interface PrinterOptions {
  /** For lines of standard output. */
  out: Output;
  /** For lines of standard error, and of the daemon itself. */
  err: Output;
  /** How text looks where the daemon's own lines go. */
  style: Style;
  /** Stands before each line. */
  prefix?: string;
  timestamps?: boolean;
  /** Columns of the terminal: what is being redrawn is shown in these, below the lines; nowhere without. */
  width?: number;
}

/** The width that live rows can take, where both outputs are one terminal, so that nothing comes between them. */
export function liveWidth({ out, err, width, env }: Terminal): { width?: number } {
  const canRedraw = out.isTerminal && err.isTerminal && env.TERM !== "dumb";
  return canRedraw && width !== Infinity ? { width } : {};
}

/** Lines from this length on (in UTF-16 units) may go on in the next one: the daemon splits at 64 KiB. */
const splitLength = 64 * 1024 / 4;

/** Prints lines of a log: for a terminal made harmless, else as they are. Parts of a line that was split are joined again. */
export class LinePrinter {
  readonly #options: PrinterOptions;
  readonly #live: LiveRows | undefined;
  /** The stream whose last line was long and may go on, by output. */
  readonly #open = new Map<Output, string>();
  #buffer: { output: Output; text: string } | undefined;

  constructor(options: PrinterOptions) {
    this.#options = options;
    if (options.width !== undefined) this.#live = new LiveRows(options.out, options.width);
  }

  print(lines: readonly LogLineJson[], regions: readonly FeedRegion[] = []): void {
    if (lines.length > 0) this.#live?.hide();
    for (const line of lines) this.#add(line);
    this.#flush();
    // Behind a line that may go on there is no room.
    if (this.#open.size === 0) this.#live?.show(regions);
  }

  /** Says how many lines could not be shown. */
  tellDropped(count: number): void {
    const { err, style } = this.#options;
    this.#live?.hide();
    this.end();
    const text = `${count} ${count === 1 ? "line was" : "lines were"} dropped: the log was full`;
    err.write(`${this.#prefix()}${style.paint(text, "warn")}\n`);
  }

  /** Ends a line that might have gone on. */
  end(): void {
    this.#live?.hide();
    for (const output of this.#open.keys()) this.#append(output, "\n");
    this.#open.clear();
    this.#flush();
  }

  #add(line: LogLineJson): void {
    const { out, err } = this.#options;
    const output = line.stream === "stdout" ? out : err;
    const open = this.#open.get(output);
    const goesOn = line.continued === true && open === line.stream;
    if (open !== undefined && !goesOn) this.#append(output, "\n");
    this.#append(
      output,
      goesOn ? this.#textOf(line, output) : this.#prefix(line) + this.#textOf(line, output),
    );
    if (line.text.length >= splitLength) {
      this.#open.set(output, line.stream);
      return;
    }
    this.#open.delete(output);
    this.#append(output, "\n");
  }

  #textOf({ text, stream }: LogLineJson, output: Output): string {
    const shown = output.isTerminal ? printableLine(text) : text;
    return stream === "system" ? this.#options.style.paint(shown, "italic") : shown;
  }

  #prefix(line?: LogLineJson): string {
    const { prefix = "", timestamps = false } = this.#options;
    return timestamps && line !== undefined ? `${prefix}${new Date(line.ts).toISOString()} ` : prefix;
  }

  /** Joins what goes to one output, so that a page costs few writes and the order of both stays. */
  #append(output: Output, text: string): void {
    if (this.#buffer !== undefined && this.#buffer.output !== output) this.#flush();
    this.#buffer ??= { output, text: "" };
    this.#buffer.text += text;
  }

  #flush(): void {
    const buffer = this.#buffer;
    this.#buffer = undefined;
    buffer?.output.copy(buffer.text);
  }
}
