import type { ConfigSource } from "../../types.ts";
import { parseDotenv } from "../dotenv.ts";
import { messageOf } from "../../fault.ts";
import type { LoadInput } from "./load_input.ts";
import { folderOf, resolvePath } from "./path.ts";
import { createReport, type KeyPath, type Report } from "./report.ts";

/** One load in progress: where findings go, and files that are read once, however often they are named. */
export interface Context {
  input: LoadInput;
  report: Report;
  /** All files that were read, in the order of their first reading. */
  sources: ConfigSource[];
  /** Names of variables of the environment that are put into secret places. */
  secretVariables: Set<string>;
  /** The text of a file; throws a Fault when it can't be used. */
  readText: (path: string) => string;
  /** The variables of a dotenv file; what is wrong with it is reported at the key that names it first. */
  readVariables: (path: string, site: { file: string; path: KeyPath }) => Readonly<Record<string, string>>;
  /** A path as it is written in `file`, made absolute. */
  resolve: (path: string, file: string) => string;
}

/** A context for one load. */
export function createContext(input: LoadInput): Context {
  const report = createReport();
  const sources: ConfigSource[] = [];
  const readings = new Map<string, { text: string } | { thrown: unknown }>();
  const variables = new Map<string, Readonly<Record<string, string>>>();

  const read = (path: string): { text: string } | { thrown: unknown } => {
    try {
      const { text: written, bytes } = input.read(path);
      // A script with CR at its line ends is none to a shell (TOML 1.0 leaves line ends of texts to the parser).
      const text = written.replaceAll("\r\n", "\n");
      sources.push({ path, hash: input.hash(bytes), ...(text.trim() === "" && { isBlank: true }) });
      return { text };
    } catch (thrown) {
      return { thrown };
    }
  };
  const readText: Context["readText"] = (path) => {
    const reading = readings.get(path) ?? read(path);
    readings.set(path, reading);
    if ("thrown" in reading) throw reading.thrown;
    return reading.text;
  };
  const readVariables: Context["readVariables"] = (path, site) => {
    const known = variables.get(path);
    if (known !== undefined) return known;
    let entries: Readonly<Record<string, string>> = {};
    try {
      const dotenv = parseDotenv(readText(path));
      entries = dotenv.entries;
      if (dotenv.faults.length > 0) {
        const faults = dotenv.faults.map(({ line, reason }) => `line ${line}: ${reason}`).join("; ");
        report.error({ file: site.file, path: site.path }, `cannot use dotenv file "${path}", ${faults}`);
      }
    } catch (thrown) {
      report.error({ file: site.file, path: site.path }, messageOf(thrown));
    }
    variables.set(path, entries);
    return entries;
  };
  const resolve: Context["resolve"] = (path, file) =>
    resolvePath(path, { base: folderOf(file), ...(input.home !== undefined && { home: input.home }) });
  return { input, report, sources, secretVariables: new Set(), readText, readVariables, resolve };
}
