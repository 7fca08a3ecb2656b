import { Fault, messageOf } from "../fault.ts";
import { printable, spoken } from "./printable.ts";

/** One of the two outputs of a command. */
export interface Output {
  /**
   * Says whole lines, their line ends included: whatever names and words of others stand in them, nothing comes out
   * that commands a terminal, here or where it is piped to. Throws `OutputClosed` once nobody reads, `Fault` where it
   * can't be stored.
   */
  write(text: string): void;
  /** Hands on text that is not the program's own, or is meant for programs: as it is, on a terminal with its colours alone. */
  copy(text: string): void;
  /** Writes what is no text; not for terminals. Throws `OutputClosed` once nobody reads. */
  writeBytes(bytes: Uint8Array): void;
  /** Takes back the last lines that were written, each of which took one row of the screen; only on a terminal. */
  takeBack?(lines: number): void;
  /** Resolves true once nobody reads, as far as that can be told, and false when `signal` says that nobody asks any more. */
  whenUnread?(signal: AbortSignal): Promise<boolean>;
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

/** Whether an output is written to in colours. */
export function isColoured(isTerminal: boolean, env: Terminal["env"]): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
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
      copy: (text) => this.#try(() => output.copy(text)),
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
  const env = Deno.env.toObject();
  const out: Output = {
    ...outputTo(Deno.stdout, env),
    whenUnread: async (signal) => await (await import("./reader_watch.ts")).readerLeaves(signal),
  };
  return {
    out,
    err: outputTo(Deno.stderr, env),
    isInteractive: out.isTerminal && Deno.stdin.isTerminal() && env.TERM !== "dumb",
    width: out.isTerminal ? widthOfScreen() : Infinity,
    env,
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

/** What an output writes to. */
export type OutputStream = Pick<typeof Deno.stdout, "isTerminal" | "writeSync">;

/** An output that never shows a terminal anything but text and colours. */
export function outputTo(stream: OutputStream, env: Terminal["env"]): Output {
  const isTerminal = stream.isTerminal();
  // Such a terminal shows colour sequences as rubbish.
  const isDumb = env.TERM === "dumb";
  const encoder = new TextEncoder();
  const send = (text: string): void => writeAll(stream, encoder.encode(text));
  return {
    isTerminal,
    write: (text) => send(spoken(text, { colours: isColoured(isTerminal, env) })),
    copy: (text) => send(isTerminal ? printable(text, { colours: !isDumb }) : text),
    writeBytes: (bytes) => writeAll(stream, bytes),
    ...(isTerminal && !isDumb ? { takeBack: (lines: number) => send(`\x1b[${lines}A\r\x1b[J`) } : {}),
  };
}

function writeAll(stream: OutputStream, bytes: Uint8Array): void {
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
