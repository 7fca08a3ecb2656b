import type { Config, Problem } from "../../types.ts";

/** Reads a whole file by absolute path; throws a Fault for one that is missing, unreadable, too large or no text. */
export type ReadFile = (path: string) => { text: string; bytes: Uint8Array };

/** What a search for files has found. */
export interface GlobMatches {
  /** Sorted. */
  files: string[];
  /** Why there may be more, as a sentence without its subject, the glob. */
  unfinished?: string;
}

/** Everything that a load depends on. */
export interface LoadInput {
  /** The root file, absolute. */
  path: string;
  /** What `${VAR}` is taken from. */
  env: Readonly<Record<string, string>>;
  read: ReadFile;
  /** The files that an absolute glob matches. */
  glob: (absolutePattern: string) => GlobMatches;
  /** The hash of a file's content, hex. */
  hash: (bytes: Uint8Array) => string;
  /** What a leading `~` in a path stands for; absent: itself. */
  home?: string;
  /** Whether the daemon may change the account of a run. */
  isRoot: boolean;
  /**
   * Why somebody besides root could change what lies at a path, as in "user 1000 owns it"; undefined where nobody
   * can. Throws a Fault for what is no regular file. Absent: it doesn't matter, since the daemon is not root's.
   */
  distrust?: (path: string) => string | undefined;
  /** Reads YAML, or says with the line what is wrong with it; wanted only where compose files are named. */
  parseYaml?: (text: string) => { value: unknown } | { fault: string };
  /** Whether a program is found in PATH. */
  hasProgram?: (name: string) => boolean;
  /** Whether a shell of that name or path knows `set -o pipefail`; undefined where there is none such. Absent: all do. */
  knowsPipefail?: (shell: string) => boolean | undefined;
}

/** A configuration, or why there is none. */
export interface LoadResult {
  /** Absent when there are errors. */
  config?: Config;
  /** By file, line and column. */
  errors: Problem[];
  warnings: Problem[];
  /** Nothing was decided: `parseYaml` is needed. */
  needsYaml?: true;
}
