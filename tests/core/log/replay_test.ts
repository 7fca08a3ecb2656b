import assert from "node:assert/strict";
import { Intake } from "../../../src/core/log/intake.ts";
import type { Journal, JournalEntry } from "../../../src/core/log/journal.ts";
import { limitsOf } from "../../../src/core/log/limits.ts";
import { replay } from "../../../src/core/log/replay.ts";

const policy = { maxSize: 0, onFull: "drop_old" } as const;
const nothing = { give: () => {}, say: () => {}, settle: () => {}, limits: limitsOf(policy) };

function journalOf(entries: JournalEntry[]): Journal {
  const intake = new Intake(nothing).state;
  const base = { ...policy, at: 1, next: 0, storedAt: 0, isFull: false, mask: "", intake, rest: {} };
  return { base, entries, outputBytes: 0 };
}

/** What is pushed, by streams that take so many bytes at once. */
function pushed(entries: JournalEntry[], most: number): string[] {
  const all: string[] = [];
  replay(journalOf(entries), {
    push: (stream, bytes, at) => {
      const some = bytes.subarray(0, most);
      all.push(`${stream} ${new TextDecoder().decode(some)} ${at}`);
      return some.length;
    },
    tick: (at) => all.push(`tick ${at}`),
    idle: () => all.push("idle"),
    system: (text, at) => all.push(`${text} ${at}`),
  });
  return all;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("replay() takes chunks in the parts and at the times at which they were taken", () => {
  const entries: JournalEntry[] = [
    { kind: "stdout", bytes: bytes("abcde"), at: 2 },
    { kind: "stderr", bytes: bytes("f"), at: 3 },
    { kind: "rest", stream: "stdout", at: 4 },
    { kind: "tick", at: 5 },
    { kind: "idle" },
    { kind: "system", text: "said", at: 6 },
    { kind: "rest", stream: "stdout", at: 7 },
  ];
  const all = ["stdout ab 2", "stderr f 3", "stdout cd 4", "tick 5", "idle", "said 6", "stdout e 7"];
  assert.deepEqual(pushed(entries, 2), all);
});

Deno.test("replay() loses nothing of chunks that were taken in larger parts, and asks for nothing in smaller ones", () => {
  const entries: JournalEntry[] = [
    { kind: "stdout", bytes: bytes("abcd"), at: 2 },
    { kind: "rest", stream: "stdout", at: 3 },
    { kind: "stdout", bytes: bytes("efgh"), at: 4 },
  ];
  const single = ["a 2", "b 3", "c 4", "d 4", "e 4", "f 4", "g 4", "h 4"];
  assert.deepEqual(pushed(entries, 1), single.map((one) => `stdout ${one}`));
  assert.deepEqual(pushed(entries, 9), ["stdout abcd 2", "stdout efgh 4"]);
});
