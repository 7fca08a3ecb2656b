import { loadConfig } from "../../src/core/config/load.ts";
import type { LoadResult } from "../../src/core/config/load_input.ts";
import { hashBytes, readConfigFile } from "../../src/io/config_files.ts";
import { expandGlob } from "../../src/io/glob_walk.ts";

/** Loads a file as a daemon of root's would that believes it, whoever the tests run as. */
export function loadAsRoot(path: string): LoadResult {
  return loadConfig({
    path,
    env: { HOME: "/root" },
    home: "/root",
    read: readConfigFile,
    glob: expandGlob,
    hash: hashBytes,
    isRoot: true,
  });
}
