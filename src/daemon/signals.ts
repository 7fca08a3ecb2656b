import type { DaemonLog } from "../io/daemon_log.ts";

/** Signals that end a daemon in order. */
const ending = ["SIGTERM", "SIGINT"] as const;

/**
 * Signals that people and tools send out of habit (a key, a rotation of logs, a limit, a power supply), and that would
 * end a process which doesn't take them: its units would be left behind.
 */
const idle: readonly Deno.Signal[] = [
  ...["SIGQUIT", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"] as const,
  ...(Deno.build.os === "linux" ? ["SIGIO", "SIGPWR", "SIGSTKFLT"] as const : []),
];

/** The signals that a daemon takes, from its first moment on. */
export interface Signals {
  /** Resolves with the name of the first that asks for the end. */
  asked: Promise<string>;
  /** `reload` runs at each SIGHUP from now on, and at once where one has come already. */
  onReload(reload: () => void): void;
  /** Leaves all signals to their defaults. */
  release(): void;
}

/** Takes all signals that the runtime lets be taken: none but SIGTERM and SIGINT ends a daemon. */
export function handleSignals(log: DaemonLog): Signals {
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  let reload: (() => void) | undefined;
  let isWanted = false;
  const taken = new Map<Deno.Signal, () => void>(ending.map((name) => [name, () => ask(name)]));
  taken.set("SIGHUP", () => {
    if (reload === undefined) isWanted = true;
    else reload();
  });
  for (const name of idle) {
    taken.set(name, () => log.warn(`${name} does nothing here: SIGTERM stops, SIGHUP reloads`));
  }
  for (const [name, listener] of taken) Deno.addSignalListener(name, listener);
  return {
    asked,
    onReload(next) {
      reload = next;
      if (isWanted) next();
      isWanted = false;
    },
    release() {
      for (const [name, listener] of taken) Deno.removeSignalListener(name, listener);
    },
  };
}
