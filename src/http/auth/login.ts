import { Derivations, type Deriver } from "./derivations.ts";
import { stretch } from "./derive.ts";
import { equalBytes } from "./equal_bytes.ts";
import { OneTimeSecrets, randomHex } from "./one_time.ts";

/** How long a challenge may be answered, ms (docs/security.md#login). */
const challengeLife = 5 * 60_000;
/** Outstanding challenges (docs/security.md#login). */
const mostChallenges = 1000;

/** Login by challenge and response: the password itself is never sent. Times are ms of a clock that never goes back. */
export class Login {
  readonly #password: string;
  readonly #challenges = new OneTimeSecrets({ make: randomHex, life: challengeLife, most: mostChallenges });
  readonly #derivations = new Derivations();
  /** The user who runs the daemon waits for nobody from elsewhere. */
  readonly #own = new Derivations();

  constructor(password: string) {
    this.#password = password;
  }

  /** A nonce to answer: 32 bytes as hex. */
  challenge(now: number): string {
    return this.#challenges.issue(now);
  }

  /**
   * Whether the response is the right one to a challenge that is still good; `deriver` is absent for a login over the
   * control socket. The challenge is spent either way, and before anything is derived. Throws `Fault` busy when
   * too many others are logging in.
   */
  async verify(
    { nonce, response }: { nonce: string; response: string },
    { now, deriver }: { now: number; deriver?: Deriver | undefined },
  ): Promise<boolean> {
    if (!this.#challenges.redeem(nonce, now)) return false;
    const given = /^[0-9a-f]{64}$/i.test(response) ? Uint8Array.fromHex(response) : undefined;
    if (given === undefined) return false;
    const derive = (): Promise<Uint8Array> => stretch(this.#password, nonce);
    const derived = deriver === undefined
      ? await this.#own.run({ key: "", isSuspect: false }, derive)
      : await this.#derivations.run(deriver, derive);
    return equalBytes(given, derived);
  }
}
