import { elapsed, type MonotonicMs } from "./time.ts";

/** A clock that is ahead by no more than this of what was to be expected is believed at once, ms. */
export const believedAtOnce = 5 * 60_000;
/** A daemon that starts was away for a while, so that it believes one that is ahead by so much, ms. */
export const believedAtStart = 7 * 24 * 3_600_000;
/** One that is further ahead is believed once it has stayed so for this long, ms in which a daemon ran. */
export const believedAfter = 24 * 3_600_000;
/** One that leaps on by more than this meanwhile is doubted from the beginning, ms. */
const farther = 24 * 3_600_000;

/**
 * The time by which the age of what is kept is reckoned. The wall clock may be a year ahead for a minute, and what was
 * removed meanwhile would not come back; history that is kept for a day too long harms nobody.
 */
export interface AgeClock {
  /** The time that is believed, Unix ms. */
  time: number;
  /** When it was looked at. */
  at: MonotonicMs;
  /** For how long a daemon has run while the wall clock was ahead of it, ms; 0: it is not. */
  doubtedFor: number;
  /** By how much it was, ms. */
  ahead: number;
}

/** The state of a daemon that starts, from what an earlier one has stored. */
export function beginAge(
  known: Omit<AgeClock, "at">,
  { now, monotonic }: { now: number; monotonic: MonotonicMs },
): AgeClock {
  const isBelieved = now - known.time <= believedAtStart;
  return isBelieved ? { time: now, at: monotonic, doubtedFor: 0, ahead: 0 } : { ...known, at: monotonic };
}

/** The state after a look at both clocks. A clock that is set back is believed at once: that removes nothing. */
export function lookAtAge(
  before: AgeClock,
  { now, monotonic }: { now: number; monotonic: MonotonicMs },
): AgeClock {
  const gone = Math.max(0, elapsed(before.at, monotonic));
  const time = before.time + gone;
  const ahead = now - time;
  const believed: AgeClock = { time: now, at: monotonic, doubtedFor: 0, ahead: 0 };
  if (ahead <= believedAtOnce) return believed;
  const isNew = before.ahead === 0 || ahead - before.ahead > farther;
  const doubtedFor = isNew ? 0 : before.doubtedFor + gone;
  return doubtedFor >= believedAfter ? believed : { time, at: monotonic, doubtedFor, ahead };
}
