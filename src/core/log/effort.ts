/** What a byte of output pays for, in units of about 50 ns: more than drawing it usually costs. */
const EARNED = 3;
/** What time pays for, in units for each ms: a tenth of a processor. */
const RESTED = 2000;
/** What may be spent ahead: some 5 ms. */
const MOST = 100_000;

/** How it stands, for a journal. */
export interface EffortState {
  debt: number;
  /** Absent: never. */
  restedAt?: number;
}

/**
 * What a stream has made its terminal do beyond what its bytes pay for. It is counted in steps, never measured, so
 * that the same output is always drawn in the same way.
 */
export class Effort {
  #debt = 0;
  #restedAt = -Infinity;

  get state(): EffortState {
    return { debt: this.#debt, ...(this.#restedAt === -Infinity ? {} : { restedAt: this.#restedAt }) };
  }

  restore({ debt, restedAt = -Infinity }: EffortState): void {
    this.#debt = debt;
    this.#restedAt = restedAt;
  }

  /** Notes what something costs, in units of about 50 ns. */
  spend(units: number): void {
    this.#debt += units;
  }

  /** Bytes were drawn. */
  earn(bytes: number): void {
    this.#debt -= bytes * EARNED;
  }

  /**
   * Something ends that is always looked at by itself, a line for one: what was earned beyond its cost is nothing to
   * be saved. Text is looked at in pieces that depend on how it came, and must not count differently for that.
   */
  forgetSavings(): void {
    if (this.#debt < 0) this.#debt = 0;
  }

  /** Time has gone by until `at`, in ms. */
  recover(at: number): void {
    const ms = at - this.#restedAt;
    this.#restedAt = at;
    if (ms > 0 && this.#debt > 0) this.#debt = Math.max(0, this.#debt - ms * RESTED);
  }

  /** It was too much. */
  get isOver(): boolean {
    return this.#debt > MOST;
  }

  /** Drawing can begin again. */
  get isRested(): boolean {
    return this.#debt <= MOST / 2;
  }
}
