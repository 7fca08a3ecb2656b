import { acceptPause, acceptTrouble } from "../../core/listen/accept_pause.ts";
import { messageOf } from "../../fault.ts";
import type { ListenLog } from "./listen_log.ts";
import type { SpareDescriptors } from "./spare_descriptors.ts";

/** What connections come from, as much of `Deno.Listener` as is used. */
export interface Source {
  accept(): Promise<Deno.Conn>;
  close(): void;
}

export interface AcceptorOptions {
  /** Where it listens, in words: "127.0.0.1:8420". */
  name: string;
  log: ListenLog;
  /** Takes a connection over, or closes it. */
  admit: (connection: Deno.Conn) => void;
  /** Ends a connection that costs nobody an answer; false: there is none. */
  relieve: () => boolean;
  /** What is given up when no descriptor is left. */
  spares: SpareDescriptors;
  /** The spares are there to serve clients, not only to turn them away. */
  servesBySpares: boolean;
  /** Listens again; throws where it can't. */
  open: () => Source;
  /** Waits for some ms, or until the signal. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Accepts connections for as long as it is not closed. An error of accept is told once and waited out on the same
 * listener, which is never given up for it: it could not be opened again once the permission `net` is gone.
 */
export class Acceptor {
  readonly #options: AcceptorOptions;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #source: Source;
  #failures = 0;

  constructor(source: Source, options: AcceptorOptions) {
    this.#source = source;
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Takes no more connections. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort();
      closeQuietly(this.#source);
    }
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let connection: Deno.Conn;
      try {
        connection = await this.#source.accept();
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error);
        continue;
      }
      this.#accepted(connection);
    }
  }

  #accepted(connection: Deno.Conn): void {
    const { admit, name, log, spares, servesBySpares } = this.#options;
    // What was given up is taken back as soon as there is something to take.
    const isShort = spares.isShort && !spares.refill();
    if (isShort && !servesBySpares) {
      closeQuietly(connection);
      spares.refill();
      return;
    }
    admit(connection);
    if (isShort) return;
    if (this.#failures === 0) return;
    this.#failures = 0;
    log.info(`${name} takes connections again`);
  }

  async #recover(error: unknown): Promise<void> {
    const { name, log, relieve, spares, pause } = this.#options;
    const kind = acceptTrouble(error);
    const isFirst = this.#failures++ === 0;
    if (kind === "ended") return await this.#reopen(error);
    if (isFirst) {
      log.error(
        kind === "full"
          ? `${name} can't take connections: no file descriptor is left; idle clients are cut off, and it is tried again`
          : `${name} can't take connections; it is tried again`,
        { error: messageOf(error) },
      );
    }
    const madeRoom = kind === "full" && (relieve() || spares.giveUp());
    // Room that was made is used at once the first time; then others may be faster, and nobody gains by a busy loop.
    await pause(madeRoom && isFirst ? 0 : acceptPause(this.#failures), this.#closing.signal);
  }

  /** A listener that has ended on its own is opened again, as far as that is allowed. */
  async #reopen(error: unknown): Promise<void> {
    const { name, log, open, pause } = this.#options;
    closeQuietly(this.#source);
    try {
      this.#source = open();
      this.#failures = 0;
      log.error(`${name} had ended and was opened again`, { error: messageOf(error) });
    } catch (refusal) {
      if (this.#failures === 1) {
        log.error(
          `${name} has ended and can't be opened again: restart the daemon; units go on`,
          { error: messageOf(error), refusal: messageOf(refusal) },
        );
      }
      await pause(acceptPause(this.#failures), this.#closing.signal);
    }
  }
}

function closeQuietly(what: { close(): void }): void {
  try {
    what.close();
  } catch {
    // It is closed.
  }
}
