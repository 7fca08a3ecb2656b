import { type LocalConnection, ownerOf, rowPattern } from "../../core/peer_owner.ts";

/** How long a question may take, in ms, and how many may wait for the next look at the table. */
export interface PeerOwnersOptions {
  patience: number;
  most: number;
}

interface Asked {
  pattern: string;
  answer: (rows: readonly string[]) => void;
}

/**
 * Tells which user is at the other end of connections of this machine to itself. One look at the table of connections
 * serves all who asked meanwhile; who waits too long, or is one too many, is told nothing.
 */
export class PeerOwners {
  readonly #look: (pattern: string) => Promise<readonly string[]>;
  readonly #options: PeerOwnersOptions;
  #waiting: Asked[] = [];
  #isLooking = false;

  /** `look` finds the rows of the table that hold a regular expression. */
  constructor(
    look: (pattern: string) => Promise<readonly string[]>,
    options: PeerOwnersOptions = { patience: 1000, most: 32 },
  ) {
    this.#look = look;
    this.#options = options;
  }

  /** The uid of the client; undefined where that can't be told, or not in time. */
  async ownerOf(connection: LocalConnection): Promise<number | undefined> {
    const pattern = rowPattern(connection);
    if (pattern === undefined || this.#waiting.length >= this.#options.most) return undefined;
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const timer = setTimeout(() => resolve([]), this.#options.patience);
    const asked: Asked = { pattern, answer: resolve };
    this.#waiting.push(asked);
    if (!this.#isLooking) void this.#lookForAll().catch(reportError);
    const rows = await promise;
    clearTimeout(timer);
    this.#waiting = this.#waiting.filter((one) => one !== asked);
    return ownerOf(rows, connection);
  }

  async #lookForAll(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#waiting.length > 0) {
        const asked = this.#waiting.splice(0);
        const rows = await this.#look(asked.map(({ pattern }) => pattern).join("|")).catch(() => []);
        for (const { answer } of asked) answer(rows);
      }
    } finally {
      this.#isLooking = false;
    }
  }
}
