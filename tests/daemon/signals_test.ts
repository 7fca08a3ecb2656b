import assert from "node:assert/strict";
import { handleSignals } from "../../src/daemon/signals.ts";
import type { DaemonLog } from "../../src/io/daemon_log.ts";
import { until } from "../support/machine.ts";

function logInto(lines: string[]): DaemonLog {
  const entry = (message: string): void => void lines.push(message);
  return { debug: entry, info: entry, warn: entry, error: entry };
}

Deno.test("handleSignals() keeps a SIGHUP that comes before anybody can reload", async () => {
  const signals = handleSignals(logInto([]));
  try {
    Deno.kill(Deno.pid, "SIGHUP");
    // Of a signal nobody hears before the next turn.
    await new Promise((resolve) => setTimeout(resolve, 20));
    let reloads = 0;
    signals.onReload(() => reloads++);
    await until("it has reloaded", () => Promise.resolve(reloads === 1));
    Deno.kill(Deno.pid, "SIGHUP");
    await until("it has reloaded again", () => Promise.resolve(reloads === 2));
    assert.equal(reloads, 2);
  } finally {
    signals.release();
  }
});

Deno.test("handleSignals() lets no habit end the daemon, and says what does", async () => {
  const lines: string[] = [];
  const signals = handleSignals(logInto(lines));
  const habits = ["SIGQUIT", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"] as const;
  const here = Deno.build.os === "linux" ? [...habits, "SIGIO", "SIGPWR", "SIGSTKFLT"] as const : habits;
  try {
    for (const name of here) {
      Deno.kill(Deno.pid, name);
      await until(
        `it has heard ${name}`,
        () => Promise.resolve(lines.includes(`${name} does nothing here: SIGTERM stops, SIGHUP reloads`)),
      );
    }
    let asked = "";
    void signals.asked.then((name) => asked = name);
    Deno.kill(Deno.pid, "SIGTERM");
    await until("it is asked to end", () => Promise.resolve(asked === "SIGTERM"));
  } finally {
    signals.release();
  }
});
