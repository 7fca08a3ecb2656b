import { HeldLines, type Passing } from "../../core/log/held_lines.ts";
import type { MaskPlan } from "../../core/log/mask_plan.ts";
import type { LogLimits } from "../../core/log/limits.ts";
import { OutputText, type TextSink } from "./output_text.ts";
import type { LiveRegion, LogTimer, OutputStream, PartialLine } from "./writer.ts";

const NEWLINE = 10;

/** What becomes of the lines of both streams. */
export interface OutputsSink {
  take(passing: Passing<OutputStream>): void;
  /** Something that whoever reads the output should know; said behind what is being taken. */
  tell(text: string): void;
  /** Lines were taken for lack of news. */
  ticked(at: number): void;
}

/**
 * The two streams of a process on their way to the log, and the timer by which lines go there that can't be redrawn
 * any more.
 */
export class Outputs {
  readonly #streams: Record<OutputStream, OutputText>;
  readonly #held: HeldLines<OutputStream>;
  readonly #timer: LogTimer;
  readonly #sink: OutputsSink;
  #cancel: (() => void) | undefined;

  constructor(
    { limits, mask, timer, sink }: {
      limits: LogLimits;
      mask: MaskPlan | undefined;
      timer: LogTimer;
      sink: OutputsSink;
    },
  ) {
    this.#timer = timer;
    this.#sink = sink;
    const held = new HeldLines<OutputStream>((passing) => sink.take(passing));
    this.#held = held;
    const textSink: TextSink = {
      take: (passing) => held.take(passing),
      takeBack: (stream, count) => held.takeBack(stream, count),
      tell: (text) => sink.tell(text),
      // Of both: it is often stderr that hides it for what stdout draws.
      showCursor: (isShown) => void (held.isCursorHidden = !isShown),
    };
    this.#streams = {
      stdout: new OutputText("stdout", { limits, mask, sink: textSink }),
      stderr: new OutputText("stderr", { limits, mask, sink: textSink }),
    };
  }

  /** Takes what a stream brought at a time, Unix ms, as far as it can be taken at once; answers how many bytes that were. */
  push(stream: OutputStream, chunk: Uint8Array, at: number): number {
    const taken = this.#streams[stream].push(chunk, at);
    this.#held.release(at);
    this.#tickLater(at);
    return taken;
  }

  /** Hands out the whole lines that are held. */
  release(): void {
    this.#held.releaseAll();
  }

  /** Hands out those of them that nobody is expected to redraw. */
  releaseIdle(): void {
    this.#held.releaseIdle();
  }

  /** Hands out all that is unfinished, and ends. */
  end(at: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const text of this.#texts) text.end(at);
    this.#held.releaseAll();
  }

  /** What has begun but can still change. */
  partials(): PartialLine[] {
    const held = this.#held.lines.flatMap(linesOf);
    return [...held, ...this.#texts.flatMap((text) => text.partials())];
  }

  /** What is being redrawn. */
  regions(): LiveRegion[] {
    return this.#texts.flatMap((text) => text.region() ?? []);
  }

  /** Another number whenever there is something else to see of the regions. */
  get version(): number {
    return this.#streams.stdout.version + this.#streams.stderr.version;
  }

  get #texts(): OutputText[] {
    return [this.#streams.stdout, this.#streams.stderr];
  }

  /** Sees to it that rows that nobody redraws any more become lines. */
  #tickLater(now: number): void {
    if (this.#cancel !== undefined) return;
    const due = this.#earliest();
    if (due === undefined) return;
    const at = Math.max(due, now);
    this.#cancel = this.#timer.after(at - now, () => {
      this.#cancel = undefined;
      for (const text of this.#texts) text.tick(at);
      this.#held.release(at);
      this.#sink.ticked(at);
      this.#tickLater(at);
    });
  }

  #earliest(): number | undefined {
    let earliest = this.#held.dueAt;
    for (const { dueAt } of this.#texts) {
      if (dueAt !== undefined && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
    }
    return earliest;
  }
}

/** What is held, line by line. */
function linesOf({ span: { body, continued, joined }, stream, at }: Passing<OutputStream>): PartialLine[] {
  const lines: PartialLine[] = [];
  for (let from = 0; from < body.length || lines.length === 0;) {
    const newline = body.indexOf(NEWLINE, from);
    const end = newline < 0 || joined ? body.length : newline;
    lines.push({ stream, bytes: body.subarray(from, end), at, continued: continued && from === 0 });
    from = end + 1;
  }
  return lines;
}
