import {
  CronError,
  DATE,
  type FieldKind,
  HOUR,
  MINUTE,
  MONTH,
  parseValue,
  WEEKDAY,
} from "../../../core/cron/field.ts";
import { parseCron } from "../../../core/cron/parse.ts";

/** The time of an entry as svc has it; `cron` is absent for one that runs at boot. */
export interface EntryTime {
  cron?: string;
  /** Where svc and other daemons read it differently. */
  notes: string[];
  /** What stands behind it. */
  rest: string;
}

/** Reads the time at the head of a line of a crontab, which begins with no blank; a fault says what is wrong. */
export function readTime(line: string): EntryTime | { fault: string } {
  if (line.startsWith("@")) return readNickname(line);
  const match = /^(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)(?:[ \t]+|$)/.exec(line);
  if (match === null) {
    return { fault: hintOf(line) ?? "it is no entry: five time fields and a command are due" };
  }
  const fields = match.slice(1, 6);
  const cron = fields.join(" ");
  const fault = hintOf(line) ?? faultOf(cron);
  if (fault !== undefined) return { fault };
  const rest = line.slice(match[0].length);
  const sixth = rest.split(/[ \t]/)[0] ?? "";
  if (isField(sixth)) {
    return {
      fault:
        `more than five time fields: ${JSON.stringify(sixth)} is the command by crontab(5), while some ` +
        "programs begin with seconds and others end with a year; svc takes six fields that begin with seconds, " +
        "so write the task by hand",
    };
  }
  return { cron, notes: timeNotes(fields), rest };
}

/** Whether a text is a schedule of svc, or "@reboot". */
export function readsAsSchedule(text: string): boolean {
  return text === "@reboot" || faultOf(text) === undefined;
}

function readNickname(line: string): EntryTime | { fault: string } {
  const [, name = "", rest = ""] = /^(\S+)(?:[ \t]+([^]*))?$/.exec(line) ?? [];
  const known = name.toLowerCase();
  if (known === "@reboot") return { notes: [], rest };
  if (known !== "@every") {
    const fault = faultOf(name);
    return fault === undefined ? { cron: known, notes: [], rest } : { fault };
  }
  const [, span = "", behind = ""] = /^(\S*)(?:[ \t]+([^]*))?$/.exec(rest) ?? [];
  const fault = faultOf(`@every ${span}`);
  return fault === undefined ? { cron: `@every ${span}`, notes: [], rest: behind } : { fault };
}

function faultOf(cron: string): string | undefined {
  try {
    parseCron(cron);
    return undefined;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

/** What a line that is no entry most likely is. */
function hintOf(line: string): string | undefined {
  const odd = /[\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u3000\ufeff]/.exec(line);
  const fields = line.split(/[ \t]+/);
  if (odd !== null && odd.index < fields.slice(0, 5).join(" ").length) {
    const code = odd[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    const shown = line.slice(Math.max(0, odd.index - 10), odd.index);
    return `a blank that is no plain blank (U+${code}) stands behind ${
      JSON.stringify(shown)
    }: write a plain one`;
  }
  if (/^(?:<{7}|>{7}|={7}|\|{7})(?:\s|$)/.test(line)) {
    return "it is the mark of a conflict between two versions of the file";
  }
  if (/^-[\d*]/.test(line)) {
    return 'a leading "-" switches logging off in some daemons and is an error in others: remove it';
  }
  if (fields.slice(0, 5).some((field) => /^[\d*]*~[\d*/]*$/.test(field))) {
    return '"~" is a random value in some daemons: choose one, or let svc spread starts with jitter';
  }
  const [first = "", second = "", third = ""] = fields;
  if (
    /^\d+$/.test(first) && /^\d+$/.test(second) && /^[a-z][\w-]*\.[\w.-]+$/i.test(third) && fields.length > 3
  ) {
    return "it looks like a line of anacron's table: a period in days, a delay, a name and a command";
  }
  const fifth = fields[4] ?? "";
  const four = fields.slice(0, 4);
  if (/^[/.~$]/.test(fifth) && faultOf([...four, "*"].join(" ")) === undefined) {
    return "it has four time fields: five are due before the command";
  }
  return undefined;
}

/** A word that can be a time field and hardly a program. */
function isField(word: string): boolean {
  return /^[\d*?][\d*,/?LW#-]*$/.test(word) ||
    /^(?:SUN|MON|TUE|WED|THU|FRI|SAT|(?:sun|mon|tue|wed|thu|fri|sat)[-,](?:sun|mon|tue|wed|thu|fri|sat))\b[\w,-]*$/i
        .test(word) && (word === word.toUpperCase() || /[-,]/.test(word));
}

const kinds = [MINUTE, HOUR, DATE, MONTH, WEEKDAY] as const;

function timeNotes(fields: readonly string[]): string[] {
  const notes: string[] = [];
  for (const [at, field] of fields.entries()) {
    const kind = kinds[at];
    if (kind === undefined) continue;
    for (const item of field.split(",")) notes.push(...itemNotes(item, kind));
  }
  const [, , date = "", , weekday = ""] = fields;
  const week = ["1-7", "8-14", "15-21", "22-28"].indexOf(date);
  if (week >= 0 && /^[\da-z]+$/i.test(weekday)) {
    notes.push(
      `it runs on the days ${date} and on every ${weekday}, since either day field is enough: ` +
        `"${weekday}#${week + 1}" as weekday and "*" as day would be that weekday of the month alone`,
    );
  }
  return notes;
}

function itemNotes(item: string, kind: FieldKind): string[] {
  const [base = "", step] = item.split("/");
  if (item === "?") return ['"?" is an error in classic cron, and means "*" here'];
  if (kind === WEEKDAY && item.includes("#")) {
    return [
      `${JSON.stringify(item)} is that weekday of the month here; Debian's cron reads every such weekday`,
    ];
  }
  if (kind !== MONTH && /L|\dW/.test(item) && !/^[a-z]{3}$/i.test(item)) {
    return [`${JSON.stringify(item)} is an error in classic cron, and is understood here`];
  }
  if (step !== undefined && /^\w+$/.test(base)) {
    return [
      `${JSON.stringify(item)} is an error in Debian's cron, and means from ${base} on, every ${step} here`,
    ];
  }
  const ends = /^(\w+)-(\w+)$/.exec(base);
  if (ends !== null && parseValue(kind, ends[1] ?? "") > parseValue(kind, ends[2] ?? "")) {
    return [
      `${JSON.stringify(base)} never comes in classic cron, which counts upwards; here it goes round the end`,
    ];
  }
  if (step !== undefined && base === "*" && Number(step) >= kind.size) {
    return [`${JSON.stringify(item)} steps over the whole ${kind.name}: it stands for ${kind.min} alone`];
  }
  return [];
}
