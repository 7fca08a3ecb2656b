import { isTable, type Table } from "../config/source.ts";

/** A service with what it takes over from others, and what of that stands nowhere in its file. */
export interface Extended {
  service: Table;
  /** What it extends that is not there, in a few words; undefined where all is known. */
  unknown: string | undefined;
}

/**
 * A service together with those of the same file that it extends, as docker compose merges them: its own values win,
 * maps are joined. What stands in another file is not looked up.
 */
export function withBases(name: string, services: Table): Extended {
  return extended(name, { services, seen: new Set() });
}

function extended(name: string, { services, seen }: { services: Table; seen: Set<string> }): Extended {
  const own = services[name];
  const service = isTable(own) ? own : {};
  const base = service["extends"];
  if (base === undefined || base === null) return { service, unknown: undefined };
  const wanted = isTable(base) ? textOf(base["service"]) : textOf(base);
  const file = isTable(base) ? textOf(base["file"]) : "";
  if (file !== "") return { service, unknown: `${wanted} of ${file}` };
  if (seen.has(name) || !Object.hasOwn(services, wanted)) return { service, unknown: wanted };
  const { service: below, unknown } = extended(wanted, { services, seen: seen.add(name) });
  return { service: merged(below, service), unknown };
}

function merged(below: Table, above: Table): Table {
  const both: Table = { ...below, ...above };
  for (const [key, value] of Object.entries(above)) {
    const lower = below[key];
    if (key === "depends_on") both[key] = { ...needsOf(lower), ...needsOf(value) };
    else if (isTable(value) && isTable(lower)) both[key] = merged(lower, value);
  }
  return both;
}

/** The short form is a list, the long one a map. */
function needsOf(value: unknown): Table {
  if (!Array.isArray(value)) return isTable(value) ? value : {};
  return Object.fromEntries(value.map((name) => [textOf(name), { condition: "service_started" }]));
}

function textOf(value: unknown): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}
