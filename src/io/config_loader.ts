import type { LoadResult } from "../core/config/load_input.ts";
import type { Config, Place, Unit } from "../types.ts";
import { loadConfigFile } from "./config_files.ts";
import { nativeHash, printOf } from "./unit_print.ts";
import { ownUid } from "./trust.ts";
import { inTurns } from "./turns.ts";
import { workerClient } from "./workers/client.ts";

/** Loads a configuration anew without holding up the thread that asks. */
export interface ConfigLoader {
  /** `current` is the configuration in force: units that are the same in both come back as what they are in it. */
  load(current: Config): Promise<LoadResult>;
  close(): void;
}

/** Configurations of up to this many units are loaded at once, where they are: a worker costs memory and a start. */
const smallConfig = 500;

/** What the worker is asked: to load a configuration, and then for units of what it has loaded. */
export type ConfigJob =
  | { path: string; env: Record<string, string>; isRoot: boolean }
  | { units: number[] };
export type ConfigOutcome = LoadedParts | Unit[];

/** A loaded configuration without its units: most are known where it goes, so that they are not copied there. */
export interface LoadedParts {
  result: Omit<LoadResult, "config"> & { config?: Omit<Config, "units"> };
  /** What tells each unit's definition from every other. */
  prints: string[];
  /** Where each unit stands. */
  places: { files: string[]; at: Int32Array<ArrayBuffer> };
}

/** Loads large configurations in a worker. `entry` is the address of the program, `path` the root file. */
export function workerLoader({ entry, path }: { entry: string; path: string }): ConfigLoader {
  const worker = workerClient<ConfigJob, ConfigOutcome>({ entry, name: "config", read: true });
  const prints = new WeakMap<Unit, string>();
  return {
    async load(current) {
      if (current.units.length <= smallConfig) return await loadConfigFile(path);
      const [loaded, known] = await Promise.all([
        worker.ask({ path, env: Deno.env.toObject(), isRoot: ownUid() === 0 }),
        inTurns(knownUnits(current.units, prints)),
      ]);
      const { result: { config, ...rest }, prints: found, places } = loaded as LoadedParts;
      if (config === undefined) return rest;
      const wanted = found.flatMap((print, index) => known.has(print) ? [] : [index]);
      const fresh = wanted.length === 0 ? [] : await worker.ask({ units: wanted }) as Unit[];
      let next = 0;
      const units = found.map((print, index) => {
        const own = known.get(print);
        const unit = own === undefined ? fresh[next++]! : standingAt(own, placeIn(places, index));
        prints.set(unit, print);
        return unit;
      });
      return { ...rest, config: { ...config, units } };
    },
    close: () => worker.close(),
  };
}

/** Does the jobs in the worker. */
export function configJobs(): (job: ConfigJob) => Promise<ConfigOutcome> {
  let last: Unit[] = [];
  return async (job) => {
    if ("units" in job) return job.units.map((index) => unitAt(last, index));
    const { path, ...options } = job;
    const { config, ...rest } = await loadConfigFile(path, options);
    if (config === undefined) return { result: rest, prints: [], places: placesOf([]) };
    const { units, ...parts } = config;
    last = units;
    const hash = nativeHash();
    const prints = units.map((unit) => printOf(unit, hash));
    return { result: { ...rest, config: parts }, prints, places: placesOf(units) };
  };
}

/** A worker that was started anew in between has loaded nothing. */
function unitAt(units: readonly Unit[], index: number): Unit {
  const unit = units[index];
  if (unit === undefined) throw new Error("what was loaded is gone: reload again");
  return unit;
}

/** Units by their prints, each made once: the worker takes longer all the same. */
function* knownUnits(
  units: readonly Unit[],
  prints: WeakMap<Unit, string>,
): Generator<void, Map<string, Unit>> {
  const known = new Map<string, Unit>();
  for (const unit of units) {
    let print = prints.get(unit);
    if (print === undefined) {
      yield;
      print = printOf(unit);
      prints.set(unit, print);
    }
    known.set(print, unit);
  }
  return known;
}

function placesOf(units: readonly Unit[]): LoadedParts["places"] {
  const files = [...new Set(units.map(({ place }) => place.file))];
  const numbers = new Map(files.map((file, number) => [file, number]));
  return {
    files,
    at: Int32Array.from(
      units.flatMap(({ place }) => [numbers.get(place.file)!, place.line, place.column]),
    ),
  };
}

function placeIn({ files, at }: LoadedParts["places"], index: number): Place {
  const [file = 0, line = 0, column = 0] = at.subarray(index * 3);
  return { file: files[file]!, line, column };
}

function standingAt(unit: Unit, place: Place): Unit {
  const { file, line, column } = unit.place;
  return file === place.file && line === place.line && column === place.column ? unit : { ...unit, place };
}
