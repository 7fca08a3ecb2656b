import { durationWords } from "../../core/time_words.ts";
import { messageOf } from "../../fault.ts";
import { systemClock } from "../clock.ts";

/** The end of the time that something may take. */
export interface Ending extends Disposable {
  signal: AbortSignal;
  /** That there was no answer in time; undefined while there is time. */
  words(): string | undefined;
}

/** An ending that comes after `timeout` (ms; 0: never), unless it is disposed of before. */
export function endingAfter(timeout: number): Ending {
  const control = new AbortController();
  const cancel = timeout > 0 ? systemClock.after(timeout, () => control.abort()) : (): void => {};
  return {
    signal: control.signal,
    words: () => control.signal.aborted ? `no answer within ${durationWords(timeout)}` : undefined,
    [Symbol.dispose]: cancel,
  };
}

/** Without the web address, which `fetch` quotes and which may hold a password: what stands behind it says enough. */
export function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const text = messageOf(cause ?? error);
  const inner = /client error \(\w+\): (.*)$/s.exec(text)?.[1];
  return (inner ?? text.replace(/^error sending request[^:]*: /, "")).replace(/\(?https?:\/\/\S+/g, "***");
}
