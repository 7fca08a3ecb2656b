import { NAME_PATTERN } from "../../../core/config/gather.ts";
import { isTable, type Table } from "../../../core/config/source.ts";
import { withBases } from "../../../core/compose/extends.ts";
import { composeSection } from "../../../core/config/daemon_schema.ts";
import {
  type Entry,
  type ImportContext,
  type Imported,
  type ImportedUnit,
  type SourceFile,
  takenWith,
} from "../imported.ts";
import { aliasOf } from "./alias.ts";
import { type ComposeSource, readComposeSource } from "./compose_source.ts";
import { fileEntries } from "./file_entries.ts";
import { serviceNotes } from "./service_notes.ts";
import { projectFaults } from "./project_faults.ts";
import { namesNoRestart, serviceTable } from "./service_table.ts";
import { shown, textOf } from "./plain.ts";
import { withFallbacks } from "./interpolate.ts";

/** Makes a `[compose.ALIAS]` table of each compose file: svc goes on reading the file itself. */
export function importCompose(files: readonly SourceFile[], context: ImportContext): Imported {
  const taken = new Set(context.taken);
  const units: ImportedUnit[] = [];
  const entries: Entry[] = [];
  for (const file of files) {
    const one = importFile(file, { context, taken });
    if (one.broken !== undefined) return one;
    for (const { name, services = [] } of one.units) for (const used of [name, ...services]) taken.add(used);
    units.push(...one.units);
    entries.push(...one.entries);
  }
  return { units, entries };
}

function importFile(
  { path, text }: SourceFile,
  { context, taken }: { context: ImportContext; taken: ReadonlySet<string> },
): Imported {
  const broken = (line: number, why: string): Imported => ({
    units: [],
    entries: [],
    broken: { file: path, line, why },
  });
  if (path === "-") {
    return broken(
      0,
      "svc goes on reading a compose file where it is: name the file in place of standard input",
    );
  }
  const source = readComposeSource(text);
  if ("fault" in source) return broken(source.line, source.fault);
  const { value: root, lineOf } = source;
  if (root === undefined || root === null) return { units: [], entries: [] };
  if (!isTable(root)) {
    return broken(1, `it is no compose file: ${shown(root)} stands where a map with "services" is due`);
  }
  const all = root["services"];
  if (!isTable(all)) {
    const fault = all === undefined
      ? 'it has no "services"'
      : `its "services" are ${shown(all)}, not a map of services`;
    return broken(lineOf("services"), `it is no compose file: ${fault}`);
  }
  const wanted = typeof root["name"] === "string" ? withFallbacks(root["name"]) : undefined;
  const alias = aliasOf({ wanted, path, services: Object.keys(all), taken });
  const faults = projectFaults(root);
  if (faults.size > 0) return { units: [], entries: refusedEntries(faults, { all, source, path, context }) };
  const refusals = new Map(
    Object.entries(all).flatMap(([name, service]): [string, Refusal][] => {
      const refusal = refusalOf(service, { name, alias });
      return refusal === undefined ? [] : [[name, refusal]];
    }),
  );
  const services = new Map(
    Object.entries(all).flatMap(([name, service]): [string, Table][] =>
      isTable(service) && !refusals.has(name) ? [[name, withBases(name, all).service]] : []
    ),
  );
  // A file of which all is taken may gain services later; those are then taken, too.
  const isNamed = [...refusals.values()].some(({ profiles }) => profiles.length === 0);
  const awaited = new Set([...services.values()].flatMap(awaitedBy));
  const tables: [string, Table][] = [];
  const entries: Entry[] = fileEntries(source, { path, context });
  const pull = pullOf(services);
  const tags = Map.groupBy(
    source.tags.filter(({ path: [key] }) => key === "services"),
    ({ path }) => path[1],
  );
  for (const name of Object.keys(all)) {
    const entry = { file: path, line: lineOf("services", name) || lineOf("services"), what: name };
    const service = services.get(name);
    if (service === undefined) {
      const { why = "", profiles = [] } = refusals.get(name) ?? {};
      const reason = profiles.length > 0 ? profileWords(profiles, { name, alias, isNamed }) : why;
      entries.push({ ...entry, fate: { is: "refused", why: reason } });
      continue;
    }
    const { settings, notes } = serviceTable(service, {
      name,
      unknown: withBases(name, all).unknown,
      among: { alias, taken: services, awaited },
    });
    if (Object.keys(settings).length > 0) tables.push([name, settings]);
    entries.push({
      ...entry,
      unit: `${alias}.${name}`,
      fate: takenWith([
        ...notes,
        ...pullNotes(service, pull),
        ...serviceNotes(
          isTable(all[name]) ? all[name] : {},
          (...inner) => lineOf("services", name, ...inner),
        ),
        ...(tags.get(name) ?? []).map(tagNote),
      ]),
    });
  }
  entries.push(...together(services, { path, lineOf, awaited, all }));
  entries.sort((a, b) => a.line - b.line);
  if (services.size === 0) return { units: [], entries };
  return {
    units: [{
      kind: "compose",
      name: alias,
      services: [...services.keys()].map((name) => `${alias}.${name}`),
      settings: Object.fromEntries([
        ["file", path],
        ["services", isNamed ? [...services.keys()] : undefined],
        ["pull", pull],
        ...tables,
      ]),
    }],
    entries,
  };
}

/** An account of a file that docker compose refuses: a start of any of its services would fail. */
function refusedEntries(
  faults: ReadonlyMap<string, string>,
  { all, source, path, context }: { all: Table; source: ComposeSource; path: string; context: ImportContext },
): Entry[] {
  const { lineOf } = source;
  const [first = ""] = faults.keys();
  const refuses = "docker compose refuses the whole file until that is mended";
  const services = Object.keys(all).map((name): Entry => {
    const own = faults.get(name);
    const why = own === undefined
      ? `${refuses}: see ${first}, line ${lineOf("services", first) || lineOf("services")}`
      : `${own}: ${refuses}. If it is a part of a project, "docker compose config" writes all of that as one file: ` +
        "import that";
    return {
      file: path,
      line: lineOf("services", name) || lineOf("services"),
      what: name,
      fate: { is: "refused", why },
    };
  });
  return [...fileEntries(source, { path, context }), ...services].sort((a, b) => a.line - b.line);
}

/** What is so for several services, told once. */
function together(
  services: ReadonlyMap<string, Table>,
  { path, lineOf, awaited, all }: {
    path: string;
    lineOf: ComposeSource["lineOf"];
    awaited: ReadonlySet<string>;
    all: Table;
  },
): Entry[] {
  const named = [...services].filter(([, service]) => isSet(service["container_name"])).map(([name]) => name);
  const once = [...services].filter(([name, service]) =>
    namesNoRestart(service) && !awaited.has(name) && withBases(name, all).unknown === undefined
  ).map(([name]) => name);
  const [first = ""] = named;
  return [
    ...(named.length === 0 ? [] : [{
      file: path,
      line: lineOf("services", first, "container_name"),
      what: "container_name",
      fate: takenWith([`containers are called svc-RUNID in its place: ${named.join(", ")}`]),
    }]),
    ...(once.length === 0 ? [] : [{
      file: path,
      line: lineOf("services"),
      what: "no restart",
      fate: takenWith([
        `these name no restart policy, so they are not started again when they end, as with compose: ${
          once.join(", ")
        }. ` + 'Take restart = "never" out of a table, and it is',
      ]),
    }]),
  ];
}

interface Refusal {
  why: string;
  /** Those that would switch it on, where nothing else is against it. */
  profiles: string[];
}

/** Why a service is left out. */
function refusalOf(service: unknown, { name, alias }: { name: string; alias: string }): Refusal | undefined {
  const refused = (why: string): Refusal => ({ why, profiles: [] });
  if (!isTable(service)) return refused(`${shown(service)} is no service`);
  if (!namePattern.test(`${alias}.${name}`)) {
    return refused(
      `${
        JSON.stringify(name)
      } can be no part of a name in svc, which has letters, digits, and . _ : - (100 at most): ` +
        "rename it in the compose file",
    );
  }
  if (reserved.has(name)) {
    return refused(`${JSON.stringify(name)} is a key of [compose.${alias}]: rename it in the compose file`);
  }
  const profiles = Array.isArray(service["profiles"]) ? service["profiles"].map(textOf) : [];
  if (profiles.length > 0) return { why: "", profiles };
  return undefined;
}

function profileWords(
  profiles: readonly string[],
  { name, alias, isNamed }: { name: string; alias: string; isNamed: boolean },
): string {
  const list = profiles.map((profile) => JSON.stringify(profile)).join(" or ");
  const key = isNamed
    ? `adding ${JSON.stringify(name)} to services`
    : `profiles = [${JSON.stringify(profiles[0])}]`;
  return `it belongs to the profile ${list}, which is off: ${key} in [compose.${alias}] takes it in`;
}

const namePattern = new RegExp(NAME_PATTERN);

/** Keys of the table itself, which no table of a service may have; the last one is none that an object can hold. */
const reserved: ReadonlySet<string> = new Set([...composeSection.keys, "__proto__"]);

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function awaitedBy({ depends_on: needs }: Table): string[] {
  if (!isTable(needs)) return [];
  return Object.entries(needs).flatMap(([name, how]) =>
    isTable(how) && how["condition"] === "service_completed_successfully" ? [name] : []
  );
}

/** What all services say of fetching their images, if that is one thing. */
function pullOf(services: ReadonlyMap<string, Table>): string | undefined {
  const [policy, ...others] = new Set(
    [...services.values()].map(({ pull_policy: own }) => textOf(own ?? "missing")),
  );
  return others.length === 0 && (policy === "always" || policy === "never") ? policy : undefined;
}

function pullNotes({ pull_policy: own }: Table, pull: string | undefined): string[] {
  if (own === undefined || own === null || own === "missing" || own === "if_not_present" || own === pull) {
    return [];
  }
  return [
    `pull_policy ${shown(own)} does not count: svc fetches what is missing; pull in the table of the alias ` +
    "holds for all services",
  ];
}

function tagNote({ tag, path, line }: ComposeSource["tags"][number]): string {
  const what = path.slice(2).join(".") || "it";
  return `the tag ${tag} before ${what} (line ${line}) is docker compose's own: svc reads what stands behind it`;
}
