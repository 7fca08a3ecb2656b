import { messageOf } from "../fault.ts";
import type { World } from "./world.ts";

/** How long a trial is, and who hears that it is over. */
export interface TrialTerms {
  /** Who does not hear within so many ms that it may go on goes on: there is nobody any more to put the old one back. */
  ms: number;
  /** Sees to it that no later daemon is on trial; may throw. */
  confirmed: () => void;
}

interface TrialOptions extends TrialTerms {
  /** How many runs there are that were not taken over, though they have keepers by their rows. */
  leftBehind: number;
  /** Does what a start does; `since`: when the trial began, Unix ms. */
  goOn: (since: number) => Promise<void>;
  /** Nobody has asked for it to go on, and it can't. */
  failed: () => void;
}

/**
 * The first moments of a daemon that an upgrade has started: what lives is taken over and read, nothing is started or
 * ended, and no end is told, so that the one before it could go on as if this had never been.
 */
export class Trial {
  readonly leftBehind: number;
  readonly #options: TrialOptions;
  readonly #log: World["log"];
  readonly #since: number;
  readonly #cancel: () => void;
  #confirmed: Promise<void> | undefined;

  constructor({ clock, log }: Pick<World, "clock" | "log">, options: TrialOptions) {
    this.#options = options;
    this.#log = log;
    this.leftBehind = options.leftBehind;
    this.#since = clock.now();
    log.info("on trial after an upgrade: nothing is started until it is confirmed", {
      seconds: Math.ceil(options.ms / 1000),
    });
    this.#cancel = clock.after(options.ms, () => {
      log.warn("nobody has confirmed the upgrade in time: this daemon goes on all the same");
      void this.#goOnAlone().catch(reportError);
    });
  }

  /** Goes on, once; rejects where that fails. */
  confirm(): Promise<void> {
    this.#cancel();
    return this.#confirmed ??= this.#goOn();
  }

  /** The mark goes last: up to here the daemon before could come back, with its database. */
  async #goOn(): Promise<void> {
    await this.#options.goOn(this.#since);
    this.#log.info("the trial is over: what waited for it has begun");
    try {
      this.#options.confirmed();
    } catch (error) {
      this.#log.error("the next daemon will be on trial again", { error: messageOf(error) });
    }
  }

  async #goOnAlone(): Promise<void> {
    try {
      await this.confirm();
    } catch (error) {
      this.#log.error("cannot go on: what runs is left to another daemon", { error: messageOf(error) });
      this.#options.failed();
    }
  }

  /** It is over without having been confirmed: the daemon ends. */
  close(): void {
    this.#cancel();
  }
}
