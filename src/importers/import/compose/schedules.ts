import { isTable } from "../../../core/config/source.ts";
import { textOf } from "./plain.ts";

/** A label or variable that holds a schedule. */
export interface FoundSchedule {
  name: string;
  value: string;
  /** Its key in a map, or its number in a list. */
  at: string;
}

/** The schedules among labels or variables of a service, which stand in a map or a list of NAME=VALUE. */
export function schedulesIn(pairs: unknown): FoundSchedule[] {
  return pairsOf(pairs).filter(({ name, value }) =>
    value !== "" && (isScheduleName(name) ? /[\s@*$]/.test(value) : isSchedule(value))
  );
}

function pairsOf(pairs: unknown): FoundSchedule[] {
  if (Array.isArray(pairs)) {
    return pairs.flatMap((pair, index) => {
      const [, name, value] = /^([^=]+)=([^]*)$/.exec(textOf(pair)) ?? [];
      return name === undefined || value === undefined ? [] : [{ name, value, at: String(index) }];
    });
  }
  if (!isTable(pairs)) return [];
  return Object.entries(pairs).flatMap(([name, value]) =>
    typeof value === "string" ? [{ name, value, at: name }] : []
  );
}

function isScheduleName(name: string): boolean {
  return /(?:^|[._-])(?:schedule|cron|crontab|cron_?expression)$/i.test(name);
}

/** Five to seven fields of a crontab, or a word such as @daily. */
function isSchedule(value: string): boolean {
  const text = value.trim();
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|reboot|every\s+\S+)$/.test(text)) {
    return true;
  }
  const fields = text.split(/\s+/);
  return fields.length >= 5 && fields.length <= 7 && /[*]/.test(text) &&
    fields.every((field) => /^[\d*?,/LW#A-Za-z-]+$/.test(field) && /^(?:[\d*?L]|[A-Za-z]{3}\b)/.test(field));
}
