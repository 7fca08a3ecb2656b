import type { Context } from "./context.ts";
import type { Site } from "./section.ts";
import { quoted } from "./values.ts";

/** What one table says about variables, its paths as they are written. */
export interface VariableSource {
  env?: Record<string, string>;
  env_file?: string;
  secrets?: Record<string, string>;
  secrets_file?: string;
}

/** One step of the environment: everything that one table adds, files beneath inline values, paths absolute. */
export interface Layer {
  env: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
  envFile?: string;
  secretsFile?: string;
}

/** Reads what a table adds to the environment; files that can't be used and names that can't be are reported. */
export function readLayer(
  source: VariableSource,
  { context, site }: { context: Context; site: Site },
): Layer {
  const files = {
    ...(source.env_file !== undefined && { envFile: context.resolve(source.env_file, site.file) }),
    ...(source.secrets_file !== undefined &&
      { secretsFile: context.resolve(source.secrets_file, site.file) }),
  };
  const read = (path: string | undefined, key: string): Readonly<Record<string, string>> =>
    path === undefined ? {} : context.readVariables(path, { file: site.file, path: [...site.path, key] });
  const { env = {}, secrets = {} } = source;
  checkNames(env, { key: "env", site });
  checkNames(secrets, { key: "secrets", site });
  return {
    env: { ...read(files.envFile, "env_file"), ...env },
    secrets: { ...read(files.secretsFile, "secrets_file"), ...secrets },
    ...files,
  };
}

/** Two layers as one: the upper one wins, name by name. */
export function stack(lower: Layer, upper: Layer): {
  env: Record<string, string>;
  secrets: Record<string, string>;
  envFile?: string;
  secretsFile?: string;
} {
  return {
    ...lower,
    ...upper,
    env: { ...lower.env, ...upper.env },
    secrets: { ...lower.secrets, ...upper.secrets },
  };
}

function checkNames(values: Record<string, string>, { key, site }: { key: string; site: Site }): void {
  for (const name of Object.keys(values)) {
    if (/^[^=\s\0]+$/.test(name)) continue;
    site.report.error(
      { file: site.file, path: [...site.path, key, name] },
      `${quoted(name)} is no name of a variable: use letters, digits and _`,
    );
  }
}
