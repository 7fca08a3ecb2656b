import type { TickJson } from "../../../src/http/schemas/unit.ts";

/** What daylight saving does to a tick, in words; empty where it does nothing. `ticks`: those around it. */
export function tickNote(tick: TickJson, ticks: readonly TickJson[]): string {
  const shown = clock(tick.local);
  if (tick.note === "repeat") return `the second ${shown} is left out`;
  if (tick.note !== "gap") return "";
  const wanted = usualTime(ticks);
  return wanted === undefined
    ? `moved out of the hour that does not exist that day`
    : `${wanted} does not exist that day: runs at ${shown}`;
}

/** `Sun 2027-03-28 03:00`, with seconds where there are some. */
export function tickTime({ local }: Pick<TickJson, "local">): string {
  const date = local.slice(0, 10);
  const weekday =
    ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(`${date}T00:00:00Z`).getUTCDay()];
  return `${weekday} ${date} ${clock(local)}`;
}

/** The time of day of a local time, without seconds where there are none. */
function clock(local: string): string {
  const time = local.slice(11, 19);
  return time.endsWith(":00") ? time.slice(0, 5) : time;
}

/** The time of day of a schedule that has only one. */
function usualTime(ticks: readonly TickJson[]): string | undefined {
  const times = new Set(ticks.filter(({ note }) => note !== "gap").map(({ local }) => clock(local)));
  return times.size === 1 ? [...times][0] : undefined;
}
