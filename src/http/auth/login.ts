import { Fault } from "../../fault.ts";
import { stretch } from "./derive.ts";
import { equalBytes } from "./equal_bytes.ts";
import { OneTimeSecrets, randomHex } from "./one_time.ts";

/** How long a challenge may be answered, ms (contract 4). */
const challengeLife = 5 * 60_000;
/** Outstanding challenges (contract 4). */
const mostChallenges = 1000;
/** Derivations at once: they are made so that they cost, and runs need the processors too. */
const atOnce = 2;
/** Derivations that may wait for their turn. */
const mostWaiting = 16;

/** Login by challenge and response: the password itself is never sent. Times are ms of a clock that never goes back. */
export class Login {
  readonly #password: string;
  readonly #challenges = new OneTimeSecrets({ make: randomHex, life: challengeLife, most: mostChallenges });
  readonly #waiting: (() => void)[] = [];
  #free = atOnce;

  constructor(password: string) {
    this.#password = password;
  }

  /** A nonce to answer: 32 bytes as hex. */
  challenge(now: number): string {
    return this.#challenges.issue(now);
  }

  /**
   * Whether the response is the right one to a challenge that is still good. The challenge is spent either way, and
   * before anything is derived. Throws `Fault` unavailable when too many others are logging in.
   */
  async verify({ nonce, response }: { nonce: string; response: string }, now: number): Promise<boolean> {
    if (!this.#challenges.redeem(nonce, now)) return false;
    const given = /^[0-9a-f]{64}$/i.test(response) ? Uint8Array.fromHex(response) : undefined;
    if (given === undefined) return false;
    await this.#enter();
    try {
      return equalBytes(given, await stretch(this.#password, nonce));
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (this.#waiting.length >= mostWaiting) {
      throw new Fault("unavailable", "too many logins at once: ask for a new challenge in a few seconds");
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
