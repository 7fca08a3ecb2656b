/** How long a secret lives, and how many there may be. */
export interface OneTimeOptions {
  /** Makes a secret that nobody can guess. */
  make: () => string;
  /** ms. */
  life: number;
  /** Beyond so many outstanding ones the oldest is dropped. */
  most: number;
}

/** Secrets that work once and not for long; times are ms of a clock that never goes back. */
export class OneTimeSecrets {
  readonly #options: OneTimeOptions;
  /** When each ends to be valid, in the order in which they were made. */
  readonly #ends = new Map<string, number>();

  constructor(options: OneTimeOptions) {
    this.#options = options;
  }

  issue(now: number): string {
    for (const [secret, end] of this.#ends) {
      if (end > now && this.#ends.size < this.#options.most) break;
      this.#ends.delete(secret);
    }
    const secret = this.#options.make();
    this.#ends.set(secret, now + this.#options.life);
    return secret;
  }

  /** Whether the secret is good; from then on it isn't. */
  redeem(secret: string, now: number): boolean {
    const end = this.#ends.get(secret);
    this.#ends.delete(secret);
    return end !== undefined && end > now;
  }
}

/** 32 random bytes as hex. */
export function randomHex(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

/** 32 random bytes as 43 characters that need no escaping in an address. */
export function randomWord(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}
