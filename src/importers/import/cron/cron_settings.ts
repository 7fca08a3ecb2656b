import { isTimeZone } from "../../../core/cron/zone.ts";
import { nearest } from "../../../core/nearest.ts";
import { type Entry, type Fate, takenWith } from "../imported.ts";
import { readSetting, settingOfCron } from "./setting.ts";

/** What the settings above an entry mean for it. */
export interface SettingsInForce {
  shell?: string;
  home?: string;
  zone?: string;
  env: Record<string, string>;
}

/** The settings of a table: each counts for the entries below it, until another of its name. */
export class CronSettings {
  readonly #file: string;
  readonly #inForce = new Map<string, Line>();
  readonly #lines: Line[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Why no entry with a schedule can be taken at this place. */
  get fault(): string | undefined {
    const zone = this.#inForce.get("CRON_TZ");
    return zone?.fault === undefined ? undefined : `line ${zone.number}: ${zone.fault}`;
  }

  /** Takes a line in if it is a setting, or was meant to be one. */
  read(line: string, number: number): boolean {
    const setting = readSetting(line);
    if (setting === undefined) return false;
    if ("fault" in setting) {
      this.#lines.push({ number, what: shortName(line), value: "", fault: setting.fault, isUsed: false });
      return true;
    }
    const { name, value } = setting;
    const fault = name === "CRON_TZ" ? zoneFault(value) : settingOfCron(name, value);
    const read: Line = {
      number,
      name,
      what: `${name}=`,
      value,
      isUsed: false,
      ...(fault === undefined ? {} : { fault }),
    };
    this.#lines.push(read);
    if (fault === undefined || name === "CRON_TZ") this.#inForce.set(name, read);
    return true;
  }

  /** The shell in force; undefined for /bin/sh. */
  get shell(): string | undefined {
    const value = this.#inForce.get("SHELL")?.value;
    return value === "" ? undefined : value;
  }

  /** The settings in force, which are used thereby. */
  use(): SettingsInForce {
    // Without a prototype, so that a variable named __proto__ is one.
    const env: Record<string, string> = Object.create(null);
    const found: SettingsInForce = { env };
    for (const [name, line] of this.#inForce) {
      line.isUsed = true;
      if (name === "CRON_TZ") {
        if (line.fault === undefined && line.value !== "") found.zone = line.value;
      } else if (name === "SHELL" && line.value !== "") found.shell = line.value;
      else {
        if (name === "HOME" && line.value.startsWith("/")) found.home = line.value;
        if (isVariable(name)) env[name] = line.value;
      }
    }
    return found;
  }

  /** What the settings in force make worth a note of an entry. */
  notes(hasSchedule: boolean): string[] {
    if (!hasSchedule || !this.#inForce.has("TZ")) return [];
    return ["its program alone sees TZ: the schedule follows CRON_TZ, or the daemon's zone"];
  }

  /** An account of all settings. */
  entries(): Entry[] {
    return this.#lines.map((line) => ({
      file: this.#file,
      line: line.number,
      what: line.what,
      fate: fateOf(line),
    }));
  }
}

interface Line {
  number: number;
  name?: string;
  /** Without the value, which may be a secret. */
  what: string;
  value: string;
  fault?: string;
  isUsed: boolean;
}

function fateOf({ name = "", value, fault, isUsed }: Line): Fate {
  if (name === "MAILTO" && value === "") return takenWith(["svc mails no output anyway"]);
  if (fault !== undefined) return { is: "refused", why: fault };
  const notes: string[] = [];
  if (!isVariable(name)) {
    notes.push("no shell can read a variable of that name, so it is left out");
  }
  if (name === "HOME" && !value.startsWith("/")) {
    notes.push("it is no absolute path: tasks start in the account's home folder");
  }
  if (!isUsed) notes.push("no entry that was taken stands below it");
  return takenWith(notes);
}

function isVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function zoneFault(zone: string): string | undefined {
  if (zone === "" || isTimeZone(zone)) return undefined;
  const near = nearest(zone, Intl.supportedValuesOf("timeZone"));
  const hint = near === undefined ? "" : `: did you mean "${near}"?`;
  return `${JSON.stringify(zone)} is no time zone${hint}`;
}

function shortName(line: string): string {
  const [head = ""] = line.trim().split("=", 1);
  return `${head}=`;
}
