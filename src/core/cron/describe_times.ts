/** The times of day of a schedule in words. */

import { bitsOf } from "./bits.ts";
import type { Field } from "./field.ts";
import type { FieldSchedule } from "./parse.ts";
import { evenStep, everyUnit, joinWords, runsOf, twoDigits } from "./words.ts";

/**
 * Words for times: a `list` ("02:00 and 14:00") follows "daily at", a `pattern` ("every 15 minutes") stands
 * by itself. `seconds` ends the sentence where several seconds of a minute are meant.
 */
export interface TimeWords {
  kind: "list" | "pattern";
  text: string;
  seconds: string;
}

/** Words for the times of day of a schedule; `daily` says that no day is left out, so that a range may pass midnight. */
export function describeTimes(schedule: FieldSchedule, daily: boolean): TimeWords {
  const seconds = valuesOf(schedule.second);
  const minutes = valuesOf(schedule.minute);
  const hours = valuesOf(schedule.hour);
  const times = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  const [second = 0] = seconds;
  if (seconds.length === 1) {
    return { ...describeMinutes({ times, minutes, hours, second, daily }), seconds: "" };
  }
  if (seconds.length * times.length <= LISTED) {
    const list = times.flatMap((time) => seconds.map((each) => clock(time, each, true)));
    return { kind: "list", text: joinWords(list), seconds: "" };
  }
  const within = secondWords(seconds);
  if (times.length === 1440) {
    const text = within.whole ? within.text : `${within.text} of every minute`;
    return { kind: "pattern", text, seconds: "" };
  }
  const windows = windowsOf(times, { step: 1, daily });
  if (within.whole && windows !== undefined) {
    const ranges = windows.map(({ first, last }) =>
      `from ${clock(first, second, true)} to ${clock(last, seconds.at(-1) ?? 0, true)}`
    );
    return { kind: "pattern", text: `${within.text} ${joinWords(ranges)}`, seconds: "" };
  }
  const words = describeMinutes({ times, minutes, hours, second: 0, daily });
  return { ...words, seconds: `, ${within.text} of that minute` };
}

/** So many times of day are listed before rules for the minutes and the hours say it better. */
const LISTED = 6;

interface Times {
  /** Minutes of the day, ascending: all of `hours` with all of `minutes`. */
  times: number[];
  minutes: number[];
  hours: number[];
  /** The one second of those minutes. */
  second: number;
  daily: boolean;
}

function describeMinutes(given: Times): { kind: "list" | "pattern"; text: string } {
  const { times, minutes, second, daily } = given;
  const [first = 0, next = 0] = times;
  const last = times.at(-1) ?? 0;
  const at = (time: number): string => clock(time, second, second !== 0);
  const step = evenStep(times);
  if (times.length > 2 && step > 0 && first + 1440 - last === step) {
    return { kind: "pattern", text: roundTheClock({ step, first, last, second, daily }) };
  }
  const smallest = times.reduce(
    (least, time, i) => Math.min(least, time - (times[i - 1] ?? -Infinity)),
    next - first,
  );
  const windows = times.length > 3 ? windowsOf(times, { step: smallest, daily }) : undefined;
  if (windows !== undefined) {
    const ranges = windows.map((window) => `from ${at(window.first)} to ${at(window.last)}`);
    return { kind: "pattern", text: `${everyMinutes(smallest)} ${joinWords(ranges)}` };
  }
  if (times.length <= LISTED || minutes.length === 1) {
    return { kind: "list", text: joinWords(times.map(at)) };
  }
  return { kind: "pattern", text: minutesInHours(given) };
}

/** Times at one distance all through the day, midnight included. */
function roundTheClock(
  { step, first, last, second, daily }: {
    step: number;
    first: number;
    last: number;
    second: number;
    daily: boolean;
  },
): string {
  const every = everyMinutes(step);
  if (step < 60 && first === 0) return second === 0 ? every : `${every} at second ${second}`;
  if (first === 0 && second === 0) return every;
  const exact = second !== 0;
  if (step === 60) return `${every} at ${clock(first, second, exact).slice(2)}`;
  const from = `${every} from ${clock(first, second, exact)}`;
  return daily ? from : `${from} to ${clock(last, second, exact)}`;
}

function minutesInHours({ minutes, hours, second }: Times): string {
  const step = evenStep(minutes);
  const first = minutes[0] ?? 0;
  const last = minutes.at(-1) ?? 0;
  const mark = (minute: number): string => `:${twoDigits(minute)}`;
  let text: string;
  if (step > 0 && first === 0 && last + step === 60) text = everyMinutes(step);
  else if (step > 0 && minutes.length > 3) {
    text = `${everyMinutes(step)} from ${mark(first)} to ${mark(last)}`;
  } else text = `at ${joinWords(minutes.map(mark))}`;
  if (second !== 0) text += ` at second ${second}`;
  return `${text} ${hourWords(hours)}`;
}

function hourWords(hours: readonly number[]): string {
  if (hours.length === 24) return "of every hour";
  const parts = runsOf(hours, 1).flatMap((run) =>
    run.length > 2 ? [`${twoDigits(run[0] ?? 0)} to ${twoDigits(run.at(-1) ?? 0)}`] : run.map(twoDigits)
  );
  return `of ${hours.length === 1 ? "hour" : "the hours"} ${joinWords(parts)}`;
}

/** `whole`: at one distance through all minutes, so that no minute needs to be mentioned. */
function secondWords(seconds: readonly number[]): { text: string; whole: boolean } {
  const step = evenStep(seconds);
  const first = seconds[0] ?? 0;
  const last = seconds.at(-1) ?? 0;
  if (step > 0 && first === 0 && last + step === 60) return { text: everyUnit(step, "second"), whole: true };
  if (step > 0 && seconds.length > 3) {
    return { text: `${everyUnit(step, "second")} from second ${first} to ${last}`, whole: false };
  }
  return { text: `at seconds ${joinWords(seconds.map(String))}`, whole: false };
}

/** Up to three ranges of three or more times that are `step` apart and cover all of them; undefined otherwise. */
function windowsOf(
  times: readonly number[],
  { step, daily }: { step: number; daily: boolean },
): Array<{ first: number; last: number }> | undefined {
  const runs = runsOf(times, step);
  const [head, tail] = [runs[0], runs.at(-1)];
  // Where every day is alike, a range may pass midnight; otherwise its end would be on another day than it says.
  if (daily && runs.length > 1 && head && tail && (head[0] ?? 0) + 1440 - (tail.at(-1) ?? 0) === step) {
    runs.pop();
    runs.shift();
    runs.push([...tail, ...head]);
  }
  if (runs.length > 3 || runs.some((run) => run.length < 3)) return undefined;
  return runs.map((run) => ({ first: run[0] ?? 0, last: run.at(-1) ?? 0 }));
}

function everyMinutes(step: number): string {
  return step % 60 === 0 ? everyUnit(step / 60, "hour") : everyUnit(step, "minute");
}

/** "09:05", or "09:05:30" when `exact`. */
function clock(time: number, second: number, exact: boolean): string {
  const text = `${twoDigits(Math.floor(time / 60))}:${twoDigits(time % 60)}`;
  return exact ? `${text}:${twoDigits(second)}` : text;
}

function valuesOf(field: Field): number[] {
  return [...bitsOf(field.low), ...bitsOf(field.high).map((bit) => bit + 32)];
}
