import { durationWords, roughWords } from "../../../src/core/time_words.ts";
import type { Unit } from "../../data/units.ts";

/** What the first line of the page says. */
export interface Sentence {
  isWell: boolean;
  /** `All well.` or `2 need attention.` */
  head: string;
  /** `42 tasks, 6 services up, 3 running, next: backup-db in 12 m.` */
  rest: string;
}

/** Whether all is well, in one sentence. `attention`: how many units need it; `running`: active runs of tasks; `isRefused`: by the database. */
export function sentenceOf(
  units: readonly Unit[],
  { attention, running, now, isRefused = false }: {
    attention: number;
    running: number;
    now: number;
    isRefused?: boolean;
  },
): Sentence {
  const tasks = units.filter(({ kind }) => kind === "task").length;
  const services = units.filter(({ kind }) => kind === "service");
  const up = services.filter(({ service_state }) => service_state === "running").length;
  const next = nextUnits(units, 1)[0];
  const parts = [
    ...(tasks > 0 ? [`${tasks} ${tasks === 1 ? "task" : "tasks"}`] : []),
    ...(services.length > 0 ? [servicesUp(up, services.length)] : []),
    ...(running > 0 ? [`${running} running`] : []),
    ...(next === undefined ? [] : [`next: ${next.name} ${untilWords(Date.parse(next.next_run_at!) - now)}`]),
  ];
  const well = isRefused ? "Nothing goes on." : "All well.";
  return {
    isWell: attention === 0 && !isRefused,
    head: attention === 0 ? well : `${attention} ${attention === 1 ? "needs" : "need"} attention.`,
    rest: parts.length === 0 ? "" : `${parts.join(", ")}.`,
  };
}

function servicesUp(up: number, all: number): string {
  const word = all === 1 ? "service" : "services";
  return up === all ? `${all} ${word} up` : `${up} of ${all} ${word} up`;
}

/** `in 12 m`, `in 8 s`; `now` for what is due. */
export function untilWords(ms: number): string {
  if (ms < 1000) return "now";
  return ms < 60_000
    ? `in ${durationWords(Math.floor(ms / 1000) * 1000).replace(".0", "")}`
    : `in ${roughWords(ms)}`;
}

/** The units that run next, the soonest first. */
export function nextUnits(units: readonly Unit[], count: number): Unit[] {
  return units.filter(({ next_run_at }) => next_run_at !== undefined)
    .sort((a, b) => Date.parse(a.next_run_at!) - Date.parse(b.next_run_at!))
    .slice(0, count);
}
