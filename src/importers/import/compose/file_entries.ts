import { escapeGlob } from "../../../core/config/glob.ts";
import { isTable } from "../../../core/config/source.ts";
import { type Entry, type ImportContext, takenWith } from "../imported.ts";
import { textOf } from "./plain.ts";
import type { ComposeSource } from "./compose_source.ts";

/** What is to be told of a compose file beside its services. */
export function fileEntries(
  { value, lineOf, tags, needed }: ComposeSource,
  { path, context }: { path: string; context: ImportContext },
): Entry[] {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const find = (name: string) => context.files(escapeGlob(`${folder}/${name}`))[0];
  const root = isTable(value) ? value : {};
  const entries: Entry[] = [];
  for (const [at, included] of listOf(root["include"]).entries()) {
    const what = `include ${namesOf(included)}`;
    const line = lineOf("include", String(at)) || lineOf("include");
    const why =
      'docker compose follows it, svc sees no service of it: "docker compose config" writes all as one file, import that';
    entries.push({ file: path, line, what, fate: { is: "refused", why } });
  }
  const overriding = overridesOf(path.slice(folder.length + 1)).find((name) => find(name) !== undefined);
  if (overriding !== undefined) {
    const why =
      `docker compose adds it to ${
        path.slice(folder.length + 1)
      } by itself, svc names the one file: make one ` +
      'of the two ("docker compose config" does) and import that';
    entries.push({
      file: `${folder}/${overriding}`,
      line: 0,
      what: overriding,
      fate: { is: "refused", why },
    });
  }
  const given = find(".env")?.text ?? "";
  const named = new Map([...passedThrough(root["services"], lineOf), ...needed]);
  const lacking = [...named].sort(([, a], [, b]) => a - b).filter(([name]) =>
    !new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, "m").test(given)
  );
  const [first] = lacking;
  if (first !== undefined) {
    const names = lacking.map(([name]) => name);
    const shown = names.length > 20 ? [...names.slice(0, 20), `${names.length - 20} more`] : names;
    const note =
      "docker compose takes what has no value in the file from .env beside it, from env_file of the table, or " +
      "from the environment of the daemon, not from your shell";
    entries.push({
      file: path,
      line: first[1],
      what: `${names.length === 1 ? "variable" : "variables"} ${shown.join(", ")}`,
      fate: takenWith([note]),
    });
  }
  for (const { tag, path: [key = "", inner], line } of tags) {
    // Those of services are told with them.
    if (key === "services" && inner !== undefined) continue;
    const note = `before ${key || "the whole file"}: docker compose's own, svc reads what stands behind it`;
    entries.push({ file: path, line, what: `tag ${tag}`, fate: takenWith([note]) });
  }
  return entries;
}

/** Variables of services that are handed on from where docker compose runs: they stand there without a value. */
function passedThrough(services: unknown, lineOf: ComposeSource["lineOf"]): [name: string, line: number][] {
  return Object.entries(isTable(services) ? services : {}).flatMap(([service, settings]) => {
    const own = isTable(settings) ? settings["environment"] : undefined;
    const pairs = Array.isArray(own)
      ? own.map((pair, at) => [textOf(pair), String(at)] as const)
      : Object.entries(isTable(own) ? own : {}).flatMap(([name, value]) =>
        value === null ? [[name, name] as const] : []
      );
    return pairs.filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      .map(([name, at]): [string, number] => [name, lineOf("services", service, "environment", at)]);
  });
}

/** The files that docker compose reads along with one of these names. */
function overridesOf(name: string): string[] {
  const [, base] = /^((?:docker-)?compose)\.ya?ml$/.exec(name) ?? [];
  return base === undefined ? [] : [`${base}.override.yml`, `${base}.override.yaml`];
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function namesOf(included: unknown): string {
  return isTable(included) ? listOf(included["path"]).map(textOf).join(", ") : textOf(included);
}
