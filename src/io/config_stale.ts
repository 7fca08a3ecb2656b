import type { Config } from "../types.ts";
import { expandGlob, hashBytes } from "./config_files.ts";

/** Whether anything on disk differs from what a configuration was read from: a changed, missing or new file. */
export function isConfigStale(config: Config): boolean {
  const known = new Set(config.sources.map(({ path }) => path));
  if (config.includeGlobs.some((pattern) => expandGlob(pattern).some((path) => !known.has(path)))) {
    return true;
  }
  return config.sources.some(({ path, hash }) => {
    try {
      return hashBytes(Deno.readFileSync(path)) !== hash;
    } catch {
      return true;
    }
  });
}
