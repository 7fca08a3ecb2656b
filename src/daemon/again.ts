import type { Places } from "../local/places.ts";
import { ownVariable } from "../io/own_variable.ts";

/** How a daemon was started: which program it is, and the words by which another is to be started in its place. */
export interface StartedBy {
  /** Absolute path; null where it runs from source. */
  program: string | null;
  words: string[];
}

/** What a daemon was told beside its places. */
export interface Told extends Places {
  host: string;
  /** The one that it has. */
  port: number;
  logLevel?: string;
  logFormat?: string;
}

/** How this daemon was started. */
export function startedBy(told: Told): StartedBy {
  const words: (readonly [string, string | undefined])[] = [
    ["--config", told.configPath],
    ["--data", told.dataDir],
    ["--socket", told.socketNamedBy === undefined ? undefined : told.socketPath],
    ["--host", told.host],
    ["--port", String(told.port)],
    ["--log-level", told.logLevel],
    ["--log-format", told.logFormat],
  ];
  return {
    program: ownProgram(),
    words: ["daemon", ...words.flatMap(([flag, value]) => value === undefined ? [] : [flag, value])],
  };
}

/** The file that this program is; the portable form has a start script, which says where it is. */
function ownProgram(): string | null {
  const script = ownVariable("SVC_PROGRAM");
  if (script?.startsWith("/")) return script;
  return Deno.build.standalone ? Deno.execPath() : null;
}
