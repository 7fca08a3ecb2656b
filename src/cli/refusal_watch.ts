import { refusingWords } from "../core/refusal.ts";
import type { DaemonInfoJson } from "../http/schemas/daemon.ts";
import type { Context } from "./command.ts";
import { withinLine } from "./printable.ts";
import { sleep } from "./sleep.ts";

/** Who waits for a daemon asks after so long whether its database refuses, ms; then each time the second is over. */
const looks = { first: 5_000, then: 30_000 };

/** What people are told of a daemon whose database refuses; undefined of one whose database does not. */
export function refusingOf({ refusing }: Pick<DaemonInfoJson, "refusing">, now: number): string | undefined {
  return refusing && refusingWords({ since: Date.parse(refusing.since), why: refusing.why }, now);
}

/** The line that comes before all else where the daemon's database refuses. */
export function refusingLines(info: DaemonInfoJson, { out, now }: Context): string[] {
  const words = refusingOf(info, now());
  return words === undefined ? [] : [out.paint(`${out.markNamed("failed")} ${withinLine(words)}`, "bad")];
}

/** Until `signal`, says of each time that the daemon's database refuses once why nothing goes on. Does not fail as a promise. */
export async function watchRefusal(
  daemon: () => Promise<DaemonInfoJson>,
  { signal, now, tell, wait = sleep }: {
    signal: AbortSignal;
    now: () => number;
    tell: (words: string) => void;
    wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): Promise<void> {
  let told: string | undefined;
  for (let ms = looks.first;; ms = looks.then) {
    await wait(ms, signal);
    if (signal.aborted) return;
    try {
      const info = await daemon();
      const words = refusingOf(info, now());
      if (signal.aborted || words === undefined || info.refusing?.since === told) continue;
      told = info.refusing?.since;
      tell(words);
    } catch {
      // Nobody reads, or the daemon is away: that is told elsewhere.
    }
  }
}
