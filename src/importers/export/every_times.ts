/**
 * `@every` as times of day. An interval that divides a day evenly comes back to the same times each day of a
 * clock that never changes, UTC, and can so be written as fields.
 */

/** Hours, minutes and seconds that all fit together: each with each. */
export interface TimesOfDay {
  hours: readonly number[];
  minutes: readonly number[];
  seconds: readonly number[];
}

const DAY = 86_400;

/** The fewest products of fields that say "every so many ms from midnight UTC"; undefined where it takes more than `most`. */
export function everyTimes(everyMs: number, most = 12): TimesOfDay[] | undefined {
  const every = everyMs / 1000;
  if (!Number.isInteger(every) || DAY % every !== 0) return undefined;
  const byHour = new Map<string, { hours: number[]; minutes: Map<number, number[]> }>();
  for (let hour = 0; hour < 24; hour++) {
    const minutes = minutesOf(hour, every);
    if (minutes.size === 0) continue;
    const key = JSON.stringify([...minutes]);
    const known = byHour.get(key);
    if (known === undefined) byHour.set(key, { hours: [hour], minutes });
    else known.hours.push(hour);
  }
  const times = [...byHour.values()].flatMap(({ hours, minutes }) =>
    [...groupBySeconds(minutes)].map(({ minutes, seconds }) => ({ hours, minutes, seconds }))
  );
  return times.length > most ? undefined : times;
}

/** Minutes of an hour in which something is due, each with its seconds. */
function minutesOf(hour: number, every: number): Map<number, number[]> {
  const minutes = new Map<number, number[]>();
  const from = hour * 3600;
  for (let at = Math.ceil(from / every) * every; at < from + 3600; at += every) {
    const minute = Math.floor(at % 3600 / 60);
    const seconds = minutes.get(minute);
    if (seconds === undefined) minutes.set(minute, [at % 60]);
    else seconds.push(at % 60);
  }
  return minutes;
}

function groupBySeconds(minutes: ReadonlyMap<number, number[]>): { minutes: number[]; seconds: number[] }[] {
  const groups = new Map<string, { minutes: number[]; seconds: number[] }>();
  for (const [minute, seconds] of minutes) {
    const key = seconds.join();
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { minutes: [minute], seconds });
    else known.minutes.push(minute);
  }
  return [...groups.values()];
}
