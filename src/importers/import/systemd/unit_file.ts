import type { SourceFile } from "../imported.ts";
import { shortLine } from "../short_line.ts";

/** One `KEY=VALUE` of a unit file, its continued lines joined. */
export interface Assignment {
  section: string;
  key: string;
  value: string;
  file: string;
  line: number;
}

/** A line that systemd can't read, and why. */
export interface UnitFault {
  file: string;
  line: number;
  what: string;
  why: string;
}

/** A unit with its drop-ins. */
export interface UnitFile {
  /** Such as "api.service". */
  name: string;
  file: string;
  /** Where it stands by its own account, which tells whose it is. */
  origin: string;
  /** Where it begins. */
  line: number;
  assignments: Assignment[];
  faults: UnitFault[];
  /** Sections by name, where each first begins. */
  sections: Map<string, { file: string; line: number }>;
}

/** A file, or a part of one: `systemctl cat` prints several in a row, each below a remark with its path. */
export interface UnitText extends SourceFile {
  /** Where the unit file stands by its own account; the path of the source where that is not known. */
  origin: string;
  /** The number of its first line in the source. */
  first: number;
}

/** The unit files that a source holds. */
export function splitSource({ path, text }: SourceFile): UnitText[] {
  if (path !== "-") return [{ path, text, origin: path, first: 1 }];
  const parts: { origin: string; first: number; lines: string[] }[] = [{ origin: "-", first: 1, lines: [] }];
  for (const [index, line] of text.split("\n").entries()) {
    const origin = /^# (\/\S+\.(?:service|timer|conf))$/.exec(line)?.[1];
    if (origin !== undefined) parts.push({ origin, first: index + 2, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts
    .filter(({ lines }) => lines.some((line) => line.trim() !== ""))
    .map(({ origin, first, lines }) => ({ path, origin, first, text: lines.join("\n") }));
}

/** Reads a unit file into `unit`; what it says comes behind what is there. */
export function readInto(unit: UnitFile, { path: file, text: source, first }: UnitText): void {
  let section = "";
  for (const { line: number, text } of logicalLines(source)) {
    const line = first + number - 1;
    const rest = text.trim();
    if (rest === "") continue;
    const fault = (why: string): void => {
      unit.faults.push({ file, line, what: shortLine(rest), why });
    };
    if (rest.startsWith("[")) {
      section = /^\[([^\]]*)\]$/.exec(rest)?.[1] ?? "";
      if (section === "") fault('the "]" of its section is missing');
      else if (!unit.sections.has(section)) unit.sections.set(section, { file, line });
      continue;
    }
    const at = rest.indexOf("=");
    if (at < 0) fault('no "=" stands in it: systemd passes it over');
    else if (section === "") fault("it stands in front of all sections: systemd passes it over");
    else {
      const key = rest.slice(0, at).trimEnd();
      unit.assignments.push({ section, key, value: rest.slice(at + 1).trimStart(), file, line });
    }
  }
}

/** The last value of a key; undefined where there is none, or an empty one. */
export function lastOf(unit: UnitFile, section: string, key: string): Assignment | undefined {
  const last = unit.assignments.findLast((one) => one.section === section && one.key === key);
  return last?.value === "" ? undefined : last;
}

/** The values of a key that takes several; an empty one clears those before it. */
export function allOf(unit: UnitFile, section: string, key: string): Assignment[] {
  const all = unit.assignments.filter((one) => one.section === section && one.key === key);
  return all.slice(all.findLastIndex(({ value }) => value === "") + 1);
}

/** A key with its value for people, shortened. */
export function wordsOf({ key, value }: Assignment): string {
  return shortLine(`${key}=${value}`);
}

/** Lines without remarks, joined where one ends in a backslash; remarks may stand in between. */
function* logicalLines(text: string): Generator<{ line: number; text: string }> {
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of text.split("\n").entries()) {
    if (/^[ \t]*[#;]/.test(raw)) continue;
    const goesOn = /(?:^|[^\\])(?:\\\\)*\\$/.test(raw);
    const part = goesOn ? `${raw.slice(0, -1)} ` : raw;
    open = open === undefined ? { line: index + 1, text: part } : { line: open.line, text: open.text + part };
    if (goesOn) continue;
    yield open;
    open = undefined;
  }
  if (open !== undefined) yield open;
}

/** The units that start a unit once it is enabled. */
export function startersOf(unit: UnitFile): string[] {
  return ["WantedBy", "RequiredBy", "UpheldBy"].flatMap((key) => allOf(unit, "Install", key))
    .flatMap(({ value }) => value.split(/\s+/)).filter((name) => name !== "");
}
