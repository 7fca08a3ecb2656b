import { Intake } from "./intake.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import { limitsOf } from "./limits.ts";
import type { MaskPlan } from "./mask_plan.ts";
import type { OutputStream } from "./recent_lines.ts";

/** What is done again. */
export interface Replayed {
  /** Takes what a stream brought, as far as it can be taken at once; answers how many bytes that were: one at least. */
  push(stream: OutputStream, bytes: Uint8Array, at: number): number;
  tick(at: number): void;
  idle(): void;
  system(text: string, at: number): void;
}

/** Does again what a journal says, entry by entry. What was read and not taken yet is taken at the end, at its last time. */
export function replay({ base, entries }: Journal, { push, tick, idle, system }: Replayed): void {
  const rest = new Map<OutputStream, Uint8Array>();
  for (const [stream, text] of Object.entries(base.rest)) {
    rest.set(stream as OutputStream, Uint8Array.fromBase64(text));
  }
  let last = base.at;
  const take = (stream: OutputStream, bytes: Uint8Array, at: number): void => {
    rest.delete(stream);
    const taken = push(stream, bytes, at);
    if (taken < bytes.length) rest.set(stream, bytes.subarray(taken));
  };
  /** Takes all that is left of a chunk: a program of another version may have taken it in larger parts. */
  const drain = (stream: OutputStream): void => {
    for (let part = rest.get(stream); part !== undefined; part = rest.get(stream)) take(stream, part, last);
  };
  const redo = (entry: JournalEntry): void => {
    if (entry.kind === "idle") return idle();
    const { at } = entry;
    last = at;
    switch (entry.kind) {
      case "tick":
        return tick(at);
      case "system":
        return system(entry.text, at);
      case "rest": {
        const part = rest.get(entry.stream);
        return part === undefined ? undefined : take(entry.stream, part, at);
      }
      default:
        drain(entry.kind);
        return take(entry.kind, entry.bytes, at);
    }
  };
  for (const entry of entries) redo(entry);
  for (const stream of [...rest.keys()]) drain(stream);
}

/** How many lines of output a journal makes, without those that could still be redrawn at its end. */
export function countReplayed(journal: Journal, mask: MaskPlan | undefined): number {
  let count = 0;
  const intake = new Intake({
    limits: limitsOf(journal.base),
    mask,
    give: ({ span }) => count += span.lines,
    say: () => {},
    settle: () => {},
  });
  intake.restore(journal.base.intake);
  replay(journal, {
    push: (stream, bytes, at) => intake.push(stream, bytes, at),
    tick: (at) => intake.tick(at),
    idle: () => intake.releaseIdle(),
    system: () => intake.release(),
  });
  return count;
}
