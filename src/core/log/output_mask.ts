import { Masker } from "./mask.ts";
import type { MaskPlan } from "./mask_plan.ts";
import type { OutputStream } from "./recent_lines.ts";
import { findRedraw } from "./redraw_scan.ts";
import { mostDrawn } from "./terminal.ts";

/** What the maskers of both streams hold back, for a journal. */
export type OutputMaskState = Record<OutputStream, Masker["state"]>;

/** The output of a run on its way to the log, without the values of the unit's secrets (docs/security.md#a-unit). */
export class OutputMask {
  readonly #maskers: Record<OutputStream, Masker>;

  constructor(plan: MaskPlan) {
    this.#maskers = { stdout: new Masker(plan), stderr: new Masker(plan) };
  }

  get state(): OutputMaskState {
    return { stdout: this.#maskers.stdout.state, stderr: this.#maskers.stderr.state };
  }

  restore({ stdout, stderr }: OutputMaskState): void {
    this.#maskers.stdout.restore(stdout);
    this.#maskers.stderr.restore(stderr);
  }

  /**
   * Takes what a process wrote, as far as it can be taken without holding others up; answers how many bytes that were.
   * `take` must be done with its bytes when it returns.
   */
  writeSome(stream: OutputStream, chunk: Uint8Array, take: (bytes: Uint8Array) => void): number {
    const isDrawn = chunk.length > mostDrawn && findRedraw(chunk) < chunk.length;
    const some = isDrawn ? chunk.subarray(0, mostDrawn) : chunk;
    this.#maskers[stream].push(some, take);
    return some.length;
  }

  /** The process will write nothing more: hands on what was held back. */
  end(take: (stream: OutputStream, bytes: Uint8Array) => void): void {
    for (const stream of ["stdout", "stderr"] as const) {
      this.#maskers[stream].end((bytes) => take(stream, bytes));
    }
  }
}
