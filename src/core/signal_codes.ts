import type { Exit } from "./run_machine.ts";

/** Signals that end a process, as Linux counts them. */
const fatal: ReadonlyMap<number, string> = new Map([
  [1, "SIGHUP"],
  [2, "SIGINT"],
  [3, "SIGQUIT"],
  [4, "SIGILL"],
  [5, "SIGTRAP"],
  [6, "SIGABRT"],
  [7, "SIGBUS"],
  [8, "SIGFPE"],
  [9, "SIGKILL"],
  [10, "SIGUSR1"],
  [11, "SIGSEGV"],
  [12, "SIGUSR2"],
  [13, "SIGPIPE"],
  [14, "SIGALRM"],
  [15, "SIGTERM"],
  [24, "SIGXCPU"],
  [25, "SIGXFSZ"],
  [31, "SIGSYS"],
]);

/** The real-time signals, which have no names; the C library keeps the first two to itself. */
const realTime = { first: 34, last: 64 };

/** The signal that an exit code stands for as shells give it (128 + n), as "SIGTERM" or "signal 40"; undefined for a plain code. */
export function signalOfCode(code: number): string | undefined {
  const number = code - 128;
  if (number >= realTime.first && number <= realTime.last) return `signal ${number}`;
  return fatal.get(number);
}

/** How a process has ended of which a shell knows the code alone: one that exits by 143 itself can't be told from one that SIGTERM has ended. */
export function exitOfCode(code: number): Exit {
  // Some shells give 256 + n for a signal.
  const plain = code > 256 && code <= 256 + realTime.last ? code - 128 : code;
  const signal = signalOfCode(plain);
  return signal === undefined ? { code: plain } : { code: plain, signal };
}
