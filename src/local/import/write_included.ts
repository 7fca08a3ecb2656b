import { stringify } from "smol-toml";
import type { RootFile } from "../../importers/import/check.ts";
import { hasWildcard, matchesGlob } from "../../core/config/glob.ts";
import { folderOf } from "../../core/config/path.ts";
import { parseToml } from "../../core/config/source.ts";
import { Fault } from "../../fault.ts";
import { loadConfigFile, readConfigFile } from "../../io/config_files.ts";
import { demand } from "../service/manager.ts";
import { renderProblem } from "../validate.ts";

/** Where an import goes: a file that the root file of a configuration includes, or will. */
export interface Destination {
  path: string;
  /** The root file as it is once it includes the file. */
  root: RootFile;
  /** What has to be added to `include` of the root file; absent where a pattern of it matches already. */
  missingInclude?: string;
  /** Names that the configuration uses already. */
  taken: Set<string>;
  /** The configuration names compose files, so that loading it takes a reader of YAML. */
  needsYaml: boolean;
}

/** Where an import of a kind goes. Throws `Fault` where the configuration does not load or there is such a file already. */
export async function findDestination(configPath: string, kind: string): Promise<Destination> {
  const { config, errors } = await loadConfigFile(configPath);
  const [first] = errors;
  if (config === undefined) {
    const why = first === undefined ? "it can't be loaded" : renderProblem(first);
    throw new Fault(
      "invalid",
      `cannot write beside "${configPath}": ${why}; mend it, or import without --write`,
    );
  }
  const name = `imported-${kind}.toml`;
  const included = config.includeGlobs.map((glob) => `${folderOf(glob)}/${name}`)
    .find((path, at) => !hasWildcard(folderOf(path)) && matchesGlob(path, config.includeGlobs[at] ?? ""));
  const path = included ?? `${folderOf(configPath)}/${name}`;
  if (exists(path)) {
    throw new Fault(
      "conflict",
      `cannot write "${path}": there is something of that name; rename it if its units are to stay, ` +
        "remove it if this import replaces it",
    );
  }
  const taken = new Set([
    ...config.units.map((unit) => unit.name),
    ...config.compose.map(({ alias }) => alias),
  ]);
  const needsYaml = config.compose.length > 0;
  const { text } = readConfigFile(configPath);
  if (included !== undefined) return { path, root: { path: configPath, text }, taken, needsYaml };
  const root = { path: configPath, text: including(text, name) };
  return { path, root, missingInclude: name, taken, needsYaml };
}

/** Writes the file (0600, since it may hold secrets) whole or not at all, and never over another. Throws `Fault`. */
export async function writeIncluded(path: string, text: string): Promise<void> {
  // By a child: the program itself may not write to folders of the system. A link refuses a name that is taken.
  const script = 'umask 077; mkdir -p "$(dirname "$1")" || exit; part="$1.$$.part"; ' +
    'cat > "$part" && { ln "$part" "$1" 2>/dev/null || { [ ! -e "$1" ] && mv "$part" "$1"; }; }; ' +
    'code=$?; rm -f "$part"; [ $code = 0 ] || echo "there is something of that name, or no room" >&2; exit $code';
  await demand(`write "${path}"`, ["/bin/sh", "-c", script, "sh", path], text);
}

function including(text: string, name: string): string {
  const parsed = parseToml(text);
  if ("message" in parsed) return text;
  const daemon = (parsed.tree["daemon"] ?? {}) as Record<string, unknown>;
  const include = Array.isArray(daemon["include"]) ? daemon["include"] : [];
  return stringify({ ...parsed.tree, daemon: { ...daemon, include: [...include, name] } });
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory);
  }
}
