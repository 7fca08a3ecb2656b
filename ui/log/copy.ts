/// <reference lib="dom" />
import { say } from "../app/toast.tsx";
import { ApiError, get, pathTo, wordsOf } from "../net/api.ts";
import { outside } from "../net/base.ts";
import { plainText } from "./ansi.ts";
import type { LineRange } from "./line_hash.ts";

/** A log up to this size is copied whole, bytes; and so many of the lines that were chosen. */
const most = { bytes: 5_000_000, lines: 10_000 };

interface CopyOptions {
  runId: string;
  /** Lines that were chosen. */
  selected: LineRange | undefined;
  /** What is copied of a log that is too large. */
  loaded: () => ReadonlyArray<{ text: string }>;
}

/** Copies the lines that were chosen, or the whole log, or of a large one what is at hand; says what it did. */
export async function copyLog({ runId, selected, loaded }: CopyOptions): Promise<void> {
  try {
    if (selected !== undefined) {
      const limit = Math.min(most.lines, selected.to - selected.from + 1);
      const { lines } = await get("/api/runs/:runId/log", { runId, from: selected.from, limit });
      const chosen = (lines ?? []).filter(({ n }) => n <= selected.to);
      return await copyText(textOf(chosen), `${countOf(chosen.length)} copied`);
    }
    const text = await readUpTo(
      pathTo("/api/runs/:runId/log/raw", { runId, plain: true }),
      most.bytes,
    );
    if (text !== undefined) return await copyText(text, "The log was copied");
    const lines = loaded();
    await copyText(textOf(lines), `The log is over 5 MB: the ${countOf(lines.length)} at hand were copied`);
  } catch (error) {
    say(`Cannot copy the log: ${wordsOf(error)}`, { role: "bad" });
  }
}

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string, said: string): Promise<void> {
  if (navigator.clipboard !== undefined) await navigator.clipboard.writeText(text);
  else if (!copyByHand(text)) throw new Error("this browser doesn't allow it");
  say(said, { role: "good" });
}

/** Plain HTTP beyond this machine has no clipboard of its own. */
function copyByHand(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  (document.fullscreenElement ?? document.body).append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  return isDone;
}

function textOf(lines: ReadonlyArray<{ text: string }>): string {
  return lines.map(({ text }) => plainText(text) + "\n").join("");
}

function countOf(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** A text, or undefined when it is larger than `bytes`. */
async function readUpTo(path: string, bytes: number): Promise<string | undefined> {
  const stop = new AbortController();
  const response = await fetch(outside(path), { signal: stop.signal });
  if (!response.ok) throw new ApiError(response.status, `the daemon answered ${response.status}`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const reader = response.body!.getReader();;) {
    const { value, done } = await reader.read();
    if (done) return await new Blob(chunks).text();
    size += value.length;
    if (size > bytes) {
      stop.abort();
      return undefined;
    }
    chunks.push(value);
  }
}
