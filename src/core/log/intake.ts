import type { LogLimits } from "./limits.ts";
import type { MaskPlan } from "./mask_plan.ts";
import { OutputMask, type OutputMaskState } from "./output_mask.ts";
import { type LiveRegion, Outputs, type OutputsState, type PartialLine } from "./outputs.ts";
import type { OutputStream, StreamLines } from "./recent_lines.ts";

/** All that an intake goes on from, for a journal: safe to JSON. */
export interface IntakeState {
  outputs: OutputsState;
  /** Absent where nothing is masked. */
  mask?: OutputMaskState;
}

/**
 * What the process of a run wrote on its way to lines: first through the masks, then as `Outputs` does it. A function of
 * what it is given and of the times that come with it, so that a journal of these makes the same lines again. Times are
 * Unix ms.
 */
export class Intake {
  readonly #mask: OutputMask | undefined;
  readonly #outputs: Outputs;
  readonly #say: (text: string, at: number) => void;
  readonly #settle: () => void;
  readonly #hear: ((stream: OutputStream, bytes: Uint8Array) => void) | undefined;

  constructor(
    { limits, mask, give, say, settle, hear }: {
      limits: Pick<LogLimits, "line" | "span">;
      /** What never stands in the log. */
      mask?: MaskPlan | undefined;
      /** Takes what nothing can redraw any more, in order; spans are valid until `settle`. */
      give: (lines: StreamLines) => void;
      /** Takes what whoever reads the log should know. */
      say: (text: string, at: number) => void;
      /** What was given so far is about to be no longer valid. */
      settle: () => void;
      /** Hears what goes on its way, masked. */
      hear?: ((stream: OutputStream, bytes: Uint8Array) => void) | undefined;
    },
  ) {
    this.#mask = mask === undefined ? undefined : new OutputMask(mask);
    this.#outputs = new Outputs({ limits, mask, give });
    this.#say = say;
    this.#settle = settle;
    this.#hear = hear;
  }

  get state(): IntakeState {
    const outputs = this.#outputs.state;
    return this.#mask === undefined ? { outputs } : { outputs, mask: this.#mask.state };
  }

  /** Takes the place of another intake, which was in this state; nothing may have come before. */
  restore({ outputs, mask }: IntakeState): void {
    this.#outputs.restore(outputs);
    if (mask !== undefined) this.#mask?.restore(mask);
  }

  /** Nothing is held or being redrawn: there may be unfinished lines. */
  get isAtRest(): boolean {
    return this.#outputs.isAtRest;
  }

  /** Takes what a stream brought, as far as it can be taken at once; answers how many bytes that were: one at least. */
  push(stream: OutputStream, chunk: Uint8Array, at: number): number {
    if (this.#mask === undefined) {
      const taken = this.#outputs.push(stream, chunk, at);
      this.#pass(at);
      this.#hear?.(stream, chunk.subarray(0, taken));
      return taken;
    }
    return this.#mask.writeSome(stream, chunk, (bytes) => this.#pushAll(stream, bytes, at));
  }

  /** Hands out what nothing redraws any more at a time. */
  tick(at: number): void {
    this.#outputs.tick(at);
    this.#pass(at);
  }

  /** When there is something for `tick` to do, if nothing comes before. */
  get dueAt(): number | undefined {
    return this.#outputs.dueAt;
  }

  /** Hands out the whole lines. */
  release(): void {
    this.#outputs.release();
  }

  /** Hands out those of them that nobody is expected to redraw. */
  releaseIdle(): void {
    this.#outputs.releaseIdle();
  }

  /** Whether `releaseIdle` has something to do. */
  get hasIdle(): boolean {
    return this.#outputs.hasIdle;
  }

  /** Hands out all that is unfinished at a time; what comes then is a new beginning. */
  end(at: number): void {
    this.#mask?.end((stream, bytes) => this.#pushAll(stream, bytes, at));
    this.#outputs.end(at);
    this.#pass(at);
  }

  /** What has begun but can still change. */
  partials(): PartialLine[] {
    return this.#outputs.partials();
  }

  /** What is being redrawn: a region of a stream at most. */
  regions(): LiveRegion[] {
    return this.#outputs.regions();
  }

  /** Another number whenever there is something else to see of the regions; 0 before there was one. */
  get version(): number {
    return this.#outputs.version;
  }

  #pushAll(stream: OutputStream, bytes: Uint8Array, at: number): void {
    for (let from = 0; from < bytes.length;) {
      from += this.#outputs.push(stream, from === 0 ? bytes : bytes.subarray(from), at);
      this.#pass(at);
    }
    this.#hear?.(stream, bytes);
  }

  #pass(at: number): void {
    for (const text of this.#outputs.unsaid()) this.#say(text, at);
    this.#settle();
  }
}
