import { messageOf } from "../fault.ts";
import type { Clock } from "../io/clock.ts";
import type { Bus } from "./bus.ts";

/** Whether a promise resolves within `ms`. */
export async function within(clock: Clock, promise: Promise<unknown>, ms: number): Promise<boolean> {
  let cancel = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(ms, () => resolve(false));
  });
  const inTime = await Promise.race([promise.then(() => true), late]);
  cancel();
  return inTime;
}

/** What a promise gives within `ms`, or why there is nothing. Never rejects. */
export async function answerWithin<T>(
  clock: Clock,
  promise: Promise<T>,
  ms: number,
): Promise<{ value: T } | { trouble: string }> {
  let cancel = (): void => {};
  const late = new Promise<{ trouble: string }>((resolve) => {
    cancel = clock.after(ms, () => resolve({ trouble: `no answer within ${ms / 1000} s` }));
  });
  const answer = promise.then((value) => ({ value }), (error) => ({ trouble: messageOf(error) }));
  const first = await Promise.race([answer, late]);
  cancel();
  return first;
}

/** Hears of the end of some runs. `ended` resolves once all of them have ended; `forget` stops listening. */
export function listenForEnds(
  bus: Bus,
  runIds: Iterable<string>,
): { ended: Promise<void>; forget: () => void } {
  const left = new Set(runIds);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const forget = bus.subscribe((event) => {
    if (event.type !== "run.completed" && event.type !== "run.failed") return;
    if (!left.delete(event.run.id) || left.size > 0) return;
    forget();
    resolve();
  });
  if (left.size === 0) {
    forget();
    resolve();
  }
  return { ended, forget };
}
