import type { Intake } from "../../core/log/intake.ts";
import type { JournalBase, JournalEntry } from "../../core/log/journal.ts";
import type { SpoolPosition, SpoolPositions } from "../../core/spool_position.ts";
import type { RunJournal } from "./journal.ts";
import type { LineStore } from "./line_store.ts";
import type { OutputStream } from "./writer.ts";

/** A journal of this many bytes begins anew whatever is held. */
const MOST = 1024 * 1024;

/** What was read of a run's output and is no line on the disk yet: keeps a journal of it, so that it outlives the daemon. */
export class Unwritten {
  readonly #journal: RunJournal | undefined;
  readonly #intake: Intake;
  readonly #store: LineStore;
  readonly #tickAt: () => number | undefined;
  readonly #about: Pick<JournalBase, "maxSize" | "onFull" | "mask">;
  /** What was not taken yet of the chunk that came last. */
  readonly #rest: { [stream in OutputStream]?: Uint8Array | undefined } = {};
  /** Where what comes behind all that came is to be had. */
  readonly #spooled: SpoolPositions;

  constructor(journal: RunJournal | undefined, { intake, store, tickAt, about, spooled }: {
    intake: Intake;
    store: LineStore;
    /** When the next tick is to be, Unix ms. */
    tickAt: () => number | undefined;
    about: Pick<JournalBase, "maxSize" | "onFull" | "mask">;
    /** Where what came by way of files is to be gone on with. */
    spooled: SpoolPositions;
  }) {
    this.#journal = journal;
    this.#intake = intake;
    this.#store = store;
    this.#tickAt = tickAt;
    this.#about = about;
    this.#spooled = { ...spooled };
  }

  /** A chunk has come, or what was left of it when it came before; `position`: behind it, where it came by way of files. */
  chunk(
    stream: OutputStream,
    { chunk, at, position }: { chunk: Uint8Array; at: number; position: SpoolPosition | undefined },
  ): void {
    const journal = this.#journal;
    if (journal === undefined) return;
    let rest = this.#rest[stream];
    if (rest !== undefined && rest.length !== chunk.length) {
      // Another one, though there was more of the last.
      rest = this.#rest[stream] = undefined;
      if (journal.hasBegun) this.begin(at);
    }
    if (!journal.hasBegun && journal.mayBegin(at)) this.begin(at);
    this.note(
      rest === undefined ? { kind: stream, bytes: chunk, at, position } : { kind: "rest", stream, at },
    );
    if (position !== undefined) this.#spooled[stream] = position;
  }

  /** So much of it was taken. */
  taken(
    stream: OutputStream,
    { chunk, taken, at }: { chunk: Uint8Array; taken: number; at: number },
  ): void {
    const journal = this.#journal;
    if (journal === undefined) return;
    const rest = this.#rest[stream];
    if (taken === chunk.length) this.#rest[stream] = undefined;
    else this.#rest[stream] = rest === undefined ? chunk.slice(taken) : rest.subarray(taken);
    if (journal.size > MOST && journal.mayBegin(at)) this.begin(at);
  }

  /** Something else is about to happen that decides what becomes of what is held. */
  note(entry: JournalEntry): void {
    if (this.#journal?.hasBegun) this.#journal.add(entry);
  }

  /** What was given out is on the disk: the journal begins anew where little is held. */
  written(): void {
    const journal = this.#journal;
    if (journal === undefined || journal.size === 0 || !this.#intake.isAtRest) return;
    const { at } = this.#store;
    journal.begin(this.#base(at), { at, isSmall: true });
  }

  /** Begins the journal, or begins it anew, with what is held. */
  begin(at: number): void {
    if (this.#journal === undefined) return;
    this.#store.flush();
    this.#journal.begin(this.#base(at), { at });
  }

  /** Somebody else is to go on: whether all that is held stands in the journal. */
  leave(at: number): boolean {
    this.begin(at);
    this.closeFile();
    return this.#journal?.hasBegun === true;
  }

  closeFile(): void {
    this.#journal?.closeFile();
  }

  /** All is on the disk, and nothing more comes. */
  end(): void {
    this.#journal?.remove();
  }

  #base(at: number): JournalBase {
    const { stdout, stderr } = this.#rest;
    const tickAt = this.#tickAt();
    return {
      ...this.#about,
      at,
      ...this.#store.start,
      ...(tickAt === undefined ? {} : { tickAt }),
      ...(Object.keys(this.#spooled).length === 0 ? {} : { spooled: this.#spooled }),
      intake: this.#intake.state,
      rest: {
        ...(stdout === undefined ? {} : { stdout: stdout.toBase64() }),
        ...(stderr === undefined ? {} : { stderr: stderr.toBase64() }),
      },
    };
  }
}
