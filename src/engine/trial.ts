import { messageOf } from "../fault.ts";
import type { World } from "./world.ts";

/** How long a trial is, and who hears that it is over. */
export interface TrialTerms {
  /** Who does not hear within so many ms that it may go on goes on: there is nobody any more to put the old one back. */
  ms: number;
  /** Sees to it that no later daemon is on trial; what it throws keeps a trial from being confirmed. */
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
  readonly #since: number;
  readonly #cancel: () => void;
  #confirmed: Promise<void> | undefined;

  constructor({ clock, log }: Pick<World, "clock" | "log">, options: TrialOptions) {
    this.#options = options;
    this.leftBehind = options.leftBehind;
    this.#since = clock.now();
    log.info("on trial after an upgrade: nothing is started until it is confirmed", {
      seconds: Math.ceil(options.ms / 1000),
    });
    this.#cancel = clock.after(options.ms, () => {
      log.warn("nobody has confirmed the upgrade in time: this daemon goes on all the same");
      void this.#goOnAlone(log).catch(reportError);
    });
  }

  /** Goes on, once; rejects where that fails. */
  async confirm(): Promise<void> {
    if (this.#confirmed === undefined) this.#options.confirmed();
    await this.#goOn();
  }

  #goOn(): Promise<void> {
    this.#cancel();
    return this.#confirmed ??= this.#options.goOn(this.#since);
  }

  async #goOnAlone(log: World["log"]): Promise<void> {
    try {
      this.#options.confirmed();
    } catch (error) {
      log.error("the next daemon will be on trial again", { error: messageOf(error) });
    }
    try {
      await this.#goOn();
    } catch (error) {
      log.error("cannot go on: what runs is left to another daemon", { error: messageOf(error) });
      this.#options.failed();
    }
  }

  /** It is over without having been confirmed: the daemon ends. */
  close(): void {
    this.#cancel();
  }
}
