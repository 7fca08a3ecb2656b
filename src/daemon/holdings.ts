import { messageOf } from "../fault.ts";
import { within } from "../engine/waits.ts";
import type { Clock } from "../io/clock.ts";
import type { DaemonLog } from "../io/daemon_log.ts";

/** How long each part of the daemon may take to end, ms, unless it says otherwise. */
const longestEnd = 5_000;

/**
 * What a daemon holds: given back in reverse, whether a start fails halfway or the daemon stops. A part that fails or
 * hangs keeps no other from its end.
 */
export class Holdings {
  readonly #stack = new AsyncDisposableStack();
  readonly #clock: Clock;
  readonly #log: DaemonLog;

  constructor(clock: Clock, log: DaemonLog) {
    this.#clock = clock;
    this.#log = log;
  }

  /** `giveBack` ends what is held; it is waited for `ms` at most, 0: for as long as it takes. */
  add(what: string, giveBack: () => Promise<unknown> | void, { ms = longestEnd, isTold = true } = {}): void {
    this.#stack.defer(async () => {
      const told = Promise.try(giveBack).catch((error) => {
        this.#log.error(`cannot end ${what}`, { error: messageOf(error) });
      });
      if (ms === 0) return void await told;
      if (!await within(this.#clock, told, ms) && isTold) {
        this.#log.warn(`${what} did not end in time: the daemon ends without`);
      }
    });
  }

  /** Gives everything back. */
  end(): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
