import process from "node:process";
import { ownVariable } from "../io/own_variable.ts";

/** The signal at which the runtime opens its debugger, on loopback and to everybody there. */
const signal = "SIGUSR1";
/** How long after the signal the debugger may still open, ms. */
const watched = 500;

/** Where it opens. */
const address = { hostname: "127.0.0.1", port: 9229 };

/**
 * Keeps the runtime's debugger from opening: whoever reaches it runs code as the daemon. The portable form blocks the
 * signal where it can. Elsewhere the place is taken, so that nothing can open there, and where another program has it,
 * the debugger is closed as soon as it opens. `told` hears of each signal. Has to be called before the right to listen
 * is given up; the result ends it.
 */
export function keepDebuggerClosed(told: () => void): () => void {
  if (ownVariable("SVC_SIGNALS") === "blocked") return () => {};
  const place = occupyPort();
  let until = 0;
  const close = (): void => {
    (process.getBuiltinModule("node:inspector") as { close(): void }).close();
    if (performance.now() < until) setTimeout(close);
  };
  const listener = (): void => {
    const isFirst = performance.now() >= until;
    until = performance.now() + watched;
    if (!isFirst) return;
    if (place === undefined) close();
    told();
  };
  Deno.addSignalListener(signal, listener);
  return () => {
    Deno.removeSignalListener(signal, listener);
    place?.close();
  };
}

function occupyPort(): Deno.Listener | undefined {
  try {
    // Several daemons of one user have it together: else one would be without it when the other ends.
    const listener = Deno.listen({ ...address, reusePort: true });
    void turnAway(listener);
    return listener;
  } catch {
    return undefined; // another program has it
  }
}

async function turnAway(listener: Deno.Listener): Promise<void> {
  try {
    for await (const connection of listener) connection.close();
  } catch {
    // It is closed, or takes no more: what waits there is answered by nobody.
  }
}
