import { isTable } from "../../../core/config/source.ts";

/** A plain value of YAML as text; "" for lists and maps, which aliases can make larger than any memory. */
export function textOf(value: unknown): string {
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}

/** A value as a message quotes it: a plain one as it stands there, others by their kind. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return isTable(value) ? "a map" : JSON.stringify(textOf(value).slice(0, 80));
}
