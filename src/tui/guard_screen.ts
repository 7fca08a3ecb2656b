import { messageOf } from "../fault.ts";

/** Puts a terminal back as it was, whatever Ink has or hasn't done: mouse off, cursor shown, the first screen. */
const restore = new TextEncoder().encode(
  "\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?2026l\x1b[0m\x1b[?1049l\x1b[?25h",
);

const signals: readonly (readonly [Deno.Signal, number])[] = [["SIGINT", 130], ["SIGTERM", 143], [
  "SIGHUP",
  129,
]];

/**
 * Sees to it that the terminal is given back as it was found: `leave` is called with the exit code for a signal
 * that ends the program, and for an error that nobody has caught or that `fail` is given, which is told once the screen is free.
 */
export function guardScreen(leave: (code: number) => void): { release(): void; fail(error: unknown): void } {
  const listeners = signals.map(([name, code]) => [name, (): void => leave(code)] as const);
  for (const [name, listener] of listeners) Deno.addSignalListener(name, listener);
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error ?? "unknown";
    leave(1);
  };
  const onError = (event: ErrorEvent): void => {
    event.preventDefault();
    fail(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    fail(event.reason);
  };
  globalThis.addEventListener("error", onError);
  globalThis.addEventListener("unhandledrejection", onRejection);
  return {
    fail,
    release() {
      try {
        Deno.stdin.setRaw(false);
      } catch {
        // The terminal has gone.
      }
      write(Deno.stdout, restore);
      globalThis.removeEventListener("error", onError);
      globalThis.removeEventListener("unhandledrejection", onRejection);
      for (const [name, listener] of listeners) Deno.removeSignalListener(name, listener);
      if (failure === undefined) return;
      const text = messageOf(failure).replace(/\s*\n\s*/g, " ");
      write(Deno.stderr, new TextEncoder().encode(`svc: internal error: ${text}\n`));
    },
  };
}

function write(stream: typeof Deno.stdout, bytes: Uint8Array): void {
  try {
    stream.writeSync(bytes);
  } catch {
    // Nobody is there any more to see it.
  }
}
