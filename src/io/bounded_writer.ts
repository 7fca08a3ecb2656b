import { concat } from "../core/bytes.ts";

/** More than this that nobody takes is not kept, in bytes. */
const mostWaiting = 1_048_576;
/** How soon a descriptor is asked again that takes nothing at the moment and doesn't wait (others set it so), ms. */
const askAgain = 50;

/**
 * Writes lines somewhere without ever waiting there: a reader that stands still (a terminal after Ctrl-S, a stuck log
 * collector) holds up nobody. What is too much to wait for it is left out, and how much that was is said.
 */
export class BoundedWriter {
  readonly #write: (bytes: Uint8Array) => Promise<number>;
  readonly #told: (texts: number) => void;
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #dropped = 0;
  #isWriting = false;
  readonly #idle: (() => void)[] = [];

  /**
   * `write` takes some of the bytes and resolves with how many; `told` hears, when there is room again, how many texts
   * were left out, and may add another that says so.
   */
  constructor(write: (bytes: Uint8Array) => Promise<number>, told: (texts: number) => void) {
    this.#write = write;
    this.#told = told;
  }

  /** Takes a text of whole lines. */
  add(text: string): void {
    const bytes = new TextEncoder().encode(text);
    if (this.#bytes + bytes.length > mostWaiting) {
      this.#dropped++;
      return;
    }
    this.#sayDropped();
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#run();
  }

  /** Resolves when all has been written, nobody reads any more, or after `limit` ms. */
  flush(limit: number): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limit);
      this.#idle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #sayDropped(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#told(dropped);
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const parts = this.#waiting.splice(0);
        const all = concat(parts);
        // Nobody reads, or the disk is full: that is no reason to die.
        const isWritten = await this.#writeAll(all).then(() => true, () => false);
        this.#bytes -= all.length;
        if (!isWritten) this.#dropped += parts.length;
        else if (this.#waiting.length === 0) this.#sayDropped();
      }
    } catch (error) {
      reportError(error);
    } finally {
      this.#isWriting = false;
      for (const tell of this.#idle.splice(0)) tell();
    }
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      try {
        at += await this.#write(bytes.subarray(at));
      } catch (error) {
        if (!(error instanceof Deno.errors.WouldBlock)) throw error;
        await new Promise((resolve) => setTimeout(resolve, askAgain));
      }
    }
  }
}
