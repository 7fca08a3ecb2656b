import type { Refusing } from "../core/refusal.ts";
import { elapsed, type MonotonicMs } from "../core/time.ts";
import { durationWords } from "../core/time_words.ts";
import { messageOf } from "../fault.ts";
import type { Clock } from "../io/clock.ts";
import type { DaemonLog } from "../io/daemon_log.ts";
import { retryAfter } from "./retry_after.ts";

/** What is refused is tried again each second: where nothing was refused for so long, ms, the database takes everything again. */
const quiet = 2_500;
/** After so long it is said again that the database refuses, ms; then each time the last of them is over. */
const reminders = [60_000, 600_000, 3_600_000];

/** One try that failed. */
export interface Refused {
  error: unknown;
  /** What the log tells with it ("run", "unit"). */
  facts?: Record<string, unknown>;
}

interface Outage extends Refusing {
  from: MonotonicMs;
  tries: number;
  /** What the log has told already. */
  told: Set<string>;
  reminded: number;
}

/**
 * Knows whether the database (or the disk) refuses what the engine has to store: all that try again tell it. The log has
 * the beginning of it, once for each kind of thing, then a word at growing steps, and the end.
 */
export class Refusals {
  readonly #world: { clock: Clock; log: DaemonLog };
  #outage: Outage | undefined;
  #cancel: () => void = () => {};
  #listener: (refusing: Refusing | undefined) => void = () => {};

  constructor(world: { clock: Clock; log: DaemonLog }) {
    this.#world = world;
  }

  /** Undefined while the database takes everything. */
  get refusing(): Refusing | undefined {
    if (this.#outage === undefined) return undefined;
    const { since, why } = this.#outage;
    return { since, why };
  }

  /** More of it, for who looks for a fault: how many tries failed, and of what ("cannot store the end of a run"). */
  get outage(): Refusing & { tries: number; what: string[] } | undefined {
    if (this.#outage === undefined) return undefined;
    const { since, why, tries, told } = this.#outage;
    return { since, why, tries, what: [...told] };
  }

  /** Whether the log has this already, as the reason of what goes on. */
  knows(error: unknown): boolean {
    return this.#outage?.why === messageOf(error);
  }

  /** `listener` hears when it begins, and when it is over. */
  listen(listener: (refusing: Refusing | undefined) => void): void {
    this.#listener = listener;
  }

  /** Takes in that something can't be stored (`what` it was: "cannot store the end of a run"), which will be tried again in a second. */
  note(what: string, { error, facts = {} }: Refused): void {
    const { clock, log } = this.#world;
    const why = messageOf(error);
    const isNew = this.#outage === undefined;
    const outage = this.#outage ??= {
      since: clock.now(),
      why,
      from: clock.monotonic(),
      tries: 0,
      told: new Set(),
      reminded: 0,
    };
    outage.tries++;
    outage.why = why;
    if (!outage.told.has(what)) {
      outage.told.add(what);
      log.error(`${what}, trying again in a second`, { ...facts, error: why });
    }
    this.#remind(outage);
    this.#cancel();
    this.#cancel = clock.after(quiet, () => this.#end());
    if (isNew) this.#listener(this.refusing);
  }

  /** The same, and tries it again in a second; `isOver`: by then nobody may want it any more. */
  tryAgain(
    what: string,
    { isOver, ...refused }: Refused & { isOver?: () => boolean },
    attempt: () => void,
  ): void {
    this.note(what, refused);
    this.#world.clock.after(retryAfter, () => {
      if (!isOver?.()) attempt();
    });
  }

  /** Nothing is told any more. */
  close(): void {
    this.#cancel();
    this.#outage = undefined;
  }

  #remind(outage: Outage): void {
    const due = reminders[outage.reminded] ?? reminders.at(-1)! * (outage.reminded - reminders.length + 2);
    const lasts = elapsed(outage.from, this.#world.clock.monotonic());
    if (lasts < due) return;
    outage.reminded++;
    this.#world.log.error("the database still refuses", {
      for: durationWords(lasts),
      tries: outage.tries,
      error: outage.why,
    });
  }

  #end(): void {
    const outage = this.#outage;
    if (outage === undefined) return;
    this.#outage = undefined;
    this.#world.log.info("the database takes everything again", {
      after: durationWords(elapsed(outage.from, this.#world.clock.monotonic()) - quiet),
      tries: outage.tries,
    });
    this.#listener(undefined);
  }
}
