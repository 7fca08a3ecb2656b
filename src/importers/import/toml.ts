import { type ImportedUnit, Template } from "./imported.ts";

/** A configuration as text, and the lines (from 1) in which each unit stands. */
export interface WrittenUnits {
  text: string;
  lines: Map<string, { from: number; to: number }>;
}

/** Units as readable TOML. `remarks` are lines that stand above a unit, `head` those above all. */
export function writeUnits(
  units: readonly ImportedUnit[],
  { head = [], remarks = () => [] }: {
    head?: readonly string[];
    remarks?: (unit: ImportedUnit) => readonly string[];
  } = {},
): WrittenUnits {
  const out = head.map(remark);
  const lines: WrittenUnits["lines"] = new Map();
  for (const unit of units) {
    if (out.length > 0) out.push("");
    out.push(...remarks(unit).map(remark));
    const from = out.length + 1;
    const path = [sections[unit.kind], unit.name];
    for (const line of tableLines(unit.settings, { path, isListed: false })) out.push(...line.split("\n"));
    lines.set(unit.name, { from, to: out.length });
  }
  return { text: out.length === 0 ? "" : `${out.join("\n")}\n`, lines };
}

const sections = { task: "tasks", service: "services", compose: "compose" } as const;

/** A TOML string that is read as this very text, in the form that is easiest to read. */
export function tomlString(text: string): string {
  const hasPlainText = !/(?![\t\n])\p{Cc}/u.test(text);
  const fitsLiteral = hasPlainText && !text.includes("'''") && !text.endsWith("'");
  if (text.includes("\n")) {
    if (fitsLiteral) return `'''\n${text}'''`;
    return `"""\n${escapeLines(text)}"""`;
  }
  if (!/["\\]/.test(text) || !hasPlainText) return `"${escape(text)}"`;
  if (!text.includes("'")) return `'${text}'`;
  return fitsLiteral ? `'''${text}'''` : `"${escape(text)}"`;
}

/** A key as TOML has it, quoted where it must be. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : `"${escape(key)}"`;
}

/** Text in which svc's substitution finds nothing to substitute. */
export function escapeTemplate(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** Of a table first what stands in one place, in its order, then the tables below it: TOML allows no other order. */
function tableLines(
  table: object,
  { path, isListed }: { path: readonly string[]; isListed: boolean },
): string[] {
  const name = path.map(tomlKey).join(".");
  const entries = Object.entries(table).filter(([, value]) => value !== undefined);
  const below = entries.filter(([, value]) => isTable(value) || isListOfTables(value));
  // Scripts are the one text in which nothing is substituted.
  const isScript = (key: string): boolean =>
    key === "run" && (path.length === 2 || (path.length === 3 && path[2] === "health_check"));
  return [
    isListed ? `[[${name}]]` : `[${name}]`,
    ...entries.filter((entry) => !below.includes(entry)).map(([key, value]) =>
      `${tomlKey(key)} = ${tomlValue(value, { isScript: isScript(key) })}`
    ),
    ...below.flatMap(([key, value]): string[] => {
      const inside = [...path, key];
      if (!isListOfTables(value)) {
        return ["", ...tableLines(value as object, { path: inside, isListed: false })];
      }
      return value.flatMap((item) => ["", ...tableLines(item, { path: inside, isListed: true })]);
    }),
  ];
}

function tomlValue(value: unknown, { isScript = false }: { isScript?: boolean } = {}): string {
  if (typeof value === "string") return tomlString(isScript ? value : escapeTemplate(value));
  if (value instanceof Template) return tomlString(value.text);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => tomlValue(item)).join(", ")}]`;
  throw new TypeError(`no value of a configuration: ${typeof value}`);
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Template);
}

function isListOfTables(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTable);
}

/** Lines between three quotes, in which a quote that stands alone needs no escape unless it is the last sign. */
function escapeLines(text: string): string {
  return text.split("\n").map(escape).join("\n").replaceAll(
    /\\\\|((?:\\")+)(?!$)/g,
    (all, quotes?: string) => quotes?.length === 2 ? '"' : all,
  );
}

function escape(text: string): string {
  // A pair of halves is fine, half of one alone can't be written in a file.
  return text.toWellFormed().replaceAll(/["\\\p{Cc}]/gu, (character) => {
    const short = shorts.get(character);
    return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const shorts: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function remark(text: string): string {
  const plain = text.replaceAll(/(?:(?!\t)\p{Cc})+/gu, " ").trimEnd();
  return plain === "" ? "#" : `# ${plain}`;
}
