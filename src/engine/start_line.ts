import type { Run } from "../types.ts";

/** How many catch-up runs execute at once (contract 3.3). */
const mostCatchUps = 4;

/**
 * The daemon-wide line of runs that their tasks have admitted: in order of their ticks they execute as soon as
 * the limits let them.
 */
export class StartLine<T> {
  readonly #execute: (run: Run, task: T) => void;
  readonly #waiting: { run: Run; task: T }[] = [];
  /** Catch-up runs that have not ended. */
  readonly #catchUps = new Set<string>();
  #maxParallel: number;
  #executing = 0;
  #catchingUp = 0;
  #isPumping = false;
  #isClosed = false;

  /** `execute` starts a run; its end must be told by `left`. 0 of `maxParallel` is no limit. */
  constructor(maxParallel: number, execute: (run: Run, task: T) => void) {
    this.#maxParallel = maxParallel;
    this.#execute = execute;
  }

  setMaxParallel(limit: number): void {
    this.#maxParallel = limit;
    this.pump();
  }

  /** Says of a run that it makes up for a missed tick. */
  markCatchUp(runId: string): void {
    this.#catchUps.add(runId);
  }

  /** Takes a run in; an earlier tick of another task goes first. */
  join(run: Run, task: T): void {
    const at = this.#waiting.findIndex((one) => isLater(one.run, run));
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { run, task });
    this.pump();
  }

  /** Takes a run out that will not execute. */
  leave(run: Run): void {
    const at = this.#waiting.findIndex((one) => one.run.id === run.id);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#catchUps.delete(run.id);
  }

  /** A run that was executed has ended; `pump` then lets others go. */
  left(run: Run): void {
    this.#executing--;
    if (this.#catchUps.delete(run.id)) this.#catchingUp--;
  }

  /** Lets go what may go. */
  pump(): void {
    if (this.#isPumping) return; // a run that ends at once does not nest
    this.#isPumping = true;
    while (!this.#isClosed) {
      const at = this.#waiting.findIndex(({ run }) => !this.#mustWait(run));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) break;
      this.#executing++;
      if (this.#catchUps.has(next.run.id)) this.#catchingUp++;
      try {
        this.#execute(next.run, next.task);
      } catch (error) {
        // It could not be stored that the run starts, so it has not: it goes first when the line moves again.
        this.#executing--;
        if (this.#catchUps.has(next.run.id)) this.#catchingUp--;
        this.#waiting.unshift(next);
        this.#isPumping = false;
        throw error;
      }
    }
    this.#isPumping = false;
  }

  /** From now on nothing goes. */
  close(): void {
    this.#isClosed = true;
  }

  #mustWait(run: Run): boolean {
    if (this.#maxParallel > 0 && this.#executing >= this.#maxParallel) return true;
    return this.#catchUps.has(run.id) && this.#catchingUp >= mostCatchUps;
  }
}

function isLater(run: Run, than: Run): boolean {
  return run.createdAt > than.createdAt || (run.createdAt === than.createdAt && run.id > than.id);
}
