import { Fault, messageOf } from "../fault.ts";
import { printable } from "./printable.ts";

/** One of the two outputs of a command. */
export interface Output {
  /** Writes whole lines, their line ends included. Throws `OutputClosed` once nobody reads, `Fault` where it can't be stored. */
  write(text: string): void;
  /** Writes what is no text; not for terminals. Throws `OutputClosed` once nobody reads. */
  writeBytes(bytes: Uint8Array): void;
  /** Takes back the last lines that were written, each of which took one row of the screen; only on a terminal. */
  takeBack?(lines: number): void;
  isTerminal: boolean;
}

/** All that a command knows of where it runs. */
export interface Terminal {
  out: Output;
  err: Output;
  /** Somebody sits at both ends, and can be shown a screen. */
  isInteractive?: boolean;
  /** Columns of a terminal; `Infinity` where output goes to a file or a pipe. */
  width: number;
  env: Readonly<Record<string, string | undefined>>;
  /** Reads a line that is not shown; undefined when there is none. */
  readSecret(question: string): Promise<string | undefined>;
  /** Calls the listener for each Ctrl-C or request to end, in place of ending; answers how to stop that. */
  onInterrupt(listener: () => void): () => void;
}

/** The reader of an output has gone: a command ends quietly. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** Prints something; somebody who reads no more may still want the exit code. */
export function quietly(print: () => void): void {
  try {
    print();
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/** The outputs of a command that goes on when nobody reads or nothing can be stored any more: neither throws. */
export class LastingOutputs {
  readonly out: Output;
  readonly err: Output;
  /** Why something could not be stored, the first time. */
  lost: Fault | undefined;

  constructor({ out, err }: Pick<Terminal, "out" | "err">) {
    this.out = this.#lasting(out);
    this.err = this.#lasting(err);
  }

  #lasting(output: Output): Output {
    return {
      isTerminal: output.isTerminal,
      write: (text) => this.#try(() => output.write(text)),
      writeBytes: (bytes) => this.#try(() => output.writeBytes(bytes)),
      ...(output.takeBack === undefined
        ? {}
        : { takeBack: (lines: number) => this.#try(() => output.takeBack?.(lines)) }),
    };
  }

  #try(print: () => void): void {
    try {
      quietly(print);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.lost ??= error;
    }
  }
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const out = outputTo(Deno.stdout);
  return {
    out,
    err: outputTo(Deno.stderr),
    isInteractive: out.isTerminal && Deno.stdin.isTerminal() && Deno.env.get("TERM") !== "dumb",
    width: out.isTerminal ? widthOfScreen() : Infinity,
    env: Deno.env.toObject(),
    readSecret: async (question) => await (await import("./read_secret.ts")).readSecret(question),
    onInterrupt(listener) {
      const signals = ["SIGINT", "SIGTERM"] as const;
      for (const signal of signals) Deno.addSignalListener(signal, listener);
      return () => {
        for (const signal of signals) Deno.removeSignalListener(signal, listener);
      };
    },
  };
}

/** An output that never shows a terminal anything but text and colours; what is piped goes through untouched. */
function outputTo(stream: typeof Deno.stdout): Output {
  const isTerminal = stream.isTerminal();
  // Such a terminal shows colour sequences as rubbish.
  const colours = Deno.env.get("TERM") !== "dumb";
  const encoder = new TextEncoder();
  return {
    isTerminal,
    write: (text) => writeAll(stream, encoder.encode(isTerminal ? printable(text, { colours }) : text)),
    writeBytes: (bytes) => writeAll(stream, bytes),
    ...(isTerminal && colours
      ? { takeBack: (lines: number) => writeAll(stream, encoder.encode(`\x1b[${lines}A\r\x1b[J`)) }
      : {}),
  };
}

function writeAll(stream: typeof Deno.stdout, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += stream.writeSync(bytes.subarray(at));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosed("nobody reads the output");
      if (!(error instanceof Deno.errors.WouldBlock)) {
        throw new Fault("internal", `cannot write the output: ${messageOf(error)}`);
      }
      // Somebody made the pipe non-blocking, and it is full.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function widthOfScreen(): number {
  try {
    const { columns } = Deno.consoleSize();
    // A terminal that nobody has told its size says 0.
    return columns === 0 ? 80 : Math.max(20, columns);
  } catch {
    return 80;
  }
}
