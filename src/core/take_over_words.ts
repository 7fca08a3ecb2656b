import { durationWords, zonedTime } from "./time_words.ts";

/** What a daemon found at its start of what an earlier one had left. */
export interface TakenOver {
  /** Runs whose process lived: they go on. */
  adopted: number;
  /** Runs that had ended while no daemon was there. */
  endedMeanwhile: number;
}

/** What a daemon took over, as a clause: "took over 3 runs, 1 had ended meanwhile"; undefined where there was nothing. */
export function takenOverWords({ adopted, endedMeanwhile }: TakenOver): string | undefined {
  if (adopted === 0 && endedMeanwhile === 0) return undefined;
  const taken = `took over ${counted(adopted)}`;
  return endedMeanwhile === 0 ? taken : `${taken}, ${endedMeanwhile} had ended meanwhile`;
}

function counted(runs: number): string {
  return runs === 0 ? "no run" : runs === 1 ? "1 run" : `${runs} runs`;
}

/** The same of what a daemon says of itself; an older one says nothing. */
export function takenOverFact(
  { adopted = 0, ended_meanwhile = 0 }: {
    adopted?: number | undefined;
    ended_meanwhile?: number | undefined;
  },
): string | undefined {
  return takenOverWords({ adopted, endedMeanwhile: ended_meanwhile });
}

/** What is noted of a run that outlived a daemon; when that was stands behind it: "4 m ago", "2026-11-25 14:03". */
export const adoptedNote = "taken over from an earlier daemon";

/** The note with its time. */
export function adoptedWords(when: string): string {
  return `${adoptedNote} ${when}`;
}

/** A time when nobody watched a run: Unix ms. `from`: when a daemon was seen for the last time. */
export interface Absence {
  from: number;
  to: number;
  timezone: string;
  /** Whether all of its output is there, each byte once. */
  isExact: boolean;
}

/** What the log of a run says of a time when nobody watched it. */
export function absenceWords({ from, to, timezone, isExact }: Absence): string {
  const span = durationWords(to - from);
  const words = `the daemon was not there from ${zonedTime(from, timezone)} to ${
    zonedTime(to, timezone)
  } (${span}): taken over; lines of that time carry the time at which they were read`;
  return isExact ? words : `${words}, and some may be doubled or missing`;
}
