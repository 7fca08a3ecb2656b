import { writeAbout } from "../../core/kept_about.ts";
import { type KeptWords, writeKept } from "../../core/kept_words.ts";
import { newNonce } from "../../io/ids.ts";
import type { KeepOrder } from "../../io/process/processes.ts";
import type { Unit } from "../../types.ts";
import type { RunWorld } from "../world.ts";
import { maskedEverywhere } from "./masking.ts";

/** What a run is kept with that may outlive this daemon: nothing where the unit does not want it, or the machine can't. */
export function keepOrderOf({ processes }: RunWorld, unit: Unit): Omit<KeepOrder, "unkept"> | undefined {
  if (!unit.survive || !processes.keeping.available) return undefined;
  const about = writeAbout({ unit, masked: maskedEverywhere() });
  return { nonce: newNonce(), about, isLong: unit.kind === "service" };
}

/** How a run stands, as its row says it to the next daemon: written when it changes, before anything is done about it. */
export class KeptRow {
  readonly #world: RunWorld;
  readonly #runId: string;
  #words: KeptWords;
  #stored: string;
  #isWaiting = false;
  #isOver = false;

  /** `words` are stored already. */
  constructor(world: RunWorld, runId: string, words: KeptWords) {
    this.#world = world;
    this.#runId = runId;
    this.#words = words;
    this.#stored = writeKept(words);
  }

  /** As it is stored. */
  get text(): string {
    return this.#stored;
  }

  get words(): KeptWords {
    return this.#words;
  }

  /** Takes in what has changed. What can't be stored keeps nothing from being done, and is tried again. */
  put(change: Partial<KeptWords>): void {
    this.#words = { ...this.#words, ...change };
    this.#store();
  }

  /** The run is over, or somebody else's: nothing is stored any more. */
  close(): void {
    this.#isOver = true;
  }

  #store(): void {
    const text = writeKept(this.#words);
    if (text === this.#stored || this.#isOver) return;
    const { store, refusals } = this.#world;
    try {
      store.runs.setKept(this.#runId, text);
      this.#stored = text;
    } catch (error) {
      const what = "cannot store how a run stands";
      const refused = { error, facts: { run: this.#runId } };
      if (this.#isWaiting) return refusals.note(what, refused);
      this.#isWaiting = true;
      refusals.tryAgain(what, { ...refused, isOver: () => this.#isOver }, () => {
        this.#isWaiting = false;
        this.#store();
      });
    }
  }
}
