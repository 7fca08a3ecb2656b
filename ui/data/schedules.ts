/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { ApiError, get } from "../net/api.ts";

/** Expressions in the daemon's words. Many units share few of them. */
const known = signal<ReadonlyMap<string, string>>(new Map());
const mostKnown = 2000;
const wanted = new Set<string>();

/** An expression in words, which the daemon is asked for once; as it stands until they are there. */
export function cronWords(cron: string): string {
  const words = known.value.get(cron);
  if (words === undefined && !wanted.has(cron)) {
    wanted.add(cron);
    queueMicrotask(() => void ask(cron));
  }
  return words ?? cron;
}

/** Takes words as the daemon tells them. */
export function learnWords(cron: string, words: string): void {
  const all = new Map(known.value.size >= mostKnown ? [] : known.value);
  known.value = all.set(cron, words);
}

async function ask(cron: string): Promise<void> {
  try {
    const { description } = await get("/api/schedule/preview", { cron, count: 1 });
    learnWords(cron, description);
  } catch (error) {
    // What the daemon can't read it will not read the next time either; where it is away, another look will ask.
    if (error instanceof ApiError && error.status === 422) learnWords(cron, cron);
  } finally {
    wanted.delete(cron);
  }
}
