import type { SourceFile } from "../imported.ts";

/** A value, and where it stands. */
export interface IniValue {
  /** Lines of it are joined by line breaks. */
  text: string;
  file: string;
  line: number;
  /** Whether a remark behind it was left out. */
  isCut: boolean;
  /** It stands in [DEFAULT], for all sections. */
  isShared?: true;
}

/** A section; one that stands twice is one section, in which later keys win. */
export interface IniSection {
  name: string;
  file: string;
  line: number;
  /** Further lines on which it begins again. */
  again: number[];
  /** By name in lower case. */
  keys: Map<string, IniValue>;
  /** Lines in it that are no keys. */
  faults: { file: string; line: number; why: string }[];
}

/**
 * Reads files as supervisord does: a remark begins at `;` or `#` behind a blank, even within quotes, and what stands
 * further in than its key goes on with the value. What [DEFAULT] says holds for every section that says nothing
 * else. `stray` is the first line that stands in front of all sections.
 */
export function readIni(
  files: readonly SourceFile[],
): { sections: Map<string, IniSection>; stray?: { file: string; line: number } } {
  const sections = new Map<string, IniSection>();
  for (const { path: file, text } of files) {
    let section: IniSection | undefined;
    let open: { lines: string[]; value: IniValue } | undefined;
    let indent = 0;
    const close = (): void => {
      if (open !== undefined) open.value.text = open.lines.join("\n").trimEnd();
      open = undefined;
    };
    for (const [index, raw] of text.split("\n").entries()) {
      const line = index + 1;
      const end = remarkAt(raw);
      const rest = raw.slice(0, end).trim();
      if (rest === "") {
        if (end === undefined) open?.lines.push("");
        continue;
      }
      const depth = raw.search(/\S/);
      if (section !== undefined && open !== undefined && depth > indent) {
        open.lines.push(rest);
        open.value.isCut ||= end !== undefined;
        continue;
      }
      close();
      indent = depth;
      const header = /^\[(.+)\]/.exec(rest)?.[1];
      if (header !== undefined) {
        const known = sections.get(header);
        known?.again.push(line);
        section = known ?? { name: header, file, line, again: [], keys: new Map(), faults: [] };
        sections.set(header, section);
        continue;
      }
      if (section === undefined) return { sections: new Map(), stray: { file, line } };
      const at = rest.search(/[=:]/);
      if (at <= 0) {
        section.faults.push({ file, line, why: `line ${line} is no key: a name, "=" and a value are due` });
        continue;
      }
      const value: IniValue = { text: "", file, line, isCut: end !== undefined };
      section.keys.set(rest.slice(0, at).trim().toLowerCase(), value);
      open = { lines: [rest.slice(at + 1).trim()], value };
    }
    close();
  }
  const shared = sections.get("DEFAULT")?.keys ?? new Map<string, IniValue>();
  for (const { name, keys } of sections.values()) {
    if (name === "DEFAULT") continue;
    for (const [key, value] of shared) if (!keys.has(key)) keys.set(key, { ...value, isShared: true });
  }
  return { sections };
}

/** Where a remark begins in a line; undefined where there is none. */
function remarkAt(line: string): number | undefined {
  if (/^\s*[;#]/.test(line)) return 0;
  // The first of each sign is looked at, then the second of each, and so on, as Python's reader does.
  const places = new Map([[";", -1], ["#", -1]]);
  while (places.size > 0) {
    let found: number | undefined;
    for (const [sign, last] of places) {
      const at = line.indexOf(sign, last + 1);
      if (at < 0) {
        places.delete(sign);
        continue;
      }
      places.set(sign, at);
      if (at === 0 || /\s/.test(line[at - 1] ?? "")) found = Math.min(found ?? at, at);
    }
    if (found !== undefined) return found;
  }
  return undefined;
}
