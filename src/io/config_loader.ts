import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { LoadResult } from "../core/config/load_input.ts";
import type { Config, Place, Unit } from "../types.ts";
import { loadConfigFile } from "./config_files.ts";
import { workerClient } from "./workers/client.ts";

/** Loads a configuration anew without holding up the thread that asks. */
export interface ConfigLoader {
  /** `current` is the configuration in force: units that are the same in both come back as what they are in it. */
  load(current: Config): Promise<LoadResult>;
  close(): void;
}

/** Configurations of up to this many units are loaded at once, where they are: a worker costs memory and a start. */
const smallConfig = 500;
/** Work on the asking thread goes on for this long at a time, ms. */
const longestTurn = 20;

/** What the worker is to load. */
export interface LoadJob {
  path: string;
  env: Record<string, string>;
  isRoot: boolean;
  /** Fingerprints of units that need not be sent back. */
  known: string[];
}

/** A loaded configuration in which known units stand by their fingerprints. */
export interface LoadedParts {
  result: Omit<LoadResult, "config"> & { config?: Omit<Config, "units"> };
  units: (Unit | { print: string; place: Place })[];
}

/** Loads large configurations in a worker. `entry` is the address of the program, `path` the root file. */
export function workerLoader({ entry, path }: { entry: string; path: string }): ConfigLoader {
  const worker = workerClient<LoadJob, LoadedParts>({ entry, name: "config", read: true });
  const prints = new WeakMap<Unit, string>();
  return {
    async load(current) {
      if (current.units.length <= smallConfig) return await loadConfigFile(path);
      const known = await printsOf(current.units, prints);
      const { result, units } = await worker.ask({
        path,
        env: Deno.env.toObject(),
        isRoot: Deno.uid() === 0,
        known: [...known.keys()],
      });
      const { config, ...rest } = result;
      if (config === undefined) return rest;
      return { ...rest, config: { ...config, units: units.map((unit) => restored(unit, known)) } };
    },
    close: () => worker.close(),
  };
}

/** Does one job in the worker. */
export async function loadIn({ path, env, isRoot, known }: LoadJob): Promise<LoadedParts> {
  const { config, ...rest } = await loadConfigFile(path, { env, isRoot });
  if (config === undefined) return { result: rest, units: [] };
  const { units, ...parts } = config;
  const isKnown = new Set(known);
  return {
    result: { ...rest, config: parts },
    units: units.map((unit) => {
      const print = printOf(unit);
      return isKnown.has(print) ? { print, place: unit.place } : unit;
    }),
  };
}

function restored(unit: LoadedParts["units"][number], known: ReadonlyMap<string, Unit>): Unit {
  if (!("print" in unit)) return unit;
  const own = known.get(unit.print)!;
  const { place } = unit;
  const stays = own.place.line === place.line && own.place.file === place.file &&
    own.place.column === place.column;
  return stays ? own : { ...own, place };
}

/** Units by their fingerprints, which are made in turns with everything else, once for each unit. */
async function printsOf(
  units: readonly Unit[],
  prints: WeakMap<Unit, string>,
): Promise<Map<string, Unit>> {
  const found = new Map<string, Unit>();
  let begun = performance.now();
  for (const unit of units) {
    let print = prints.get(unit);
    if (print === undefined) {
      if (performance.now() - begun > longestTurn) {
        await new Promise((resolve) => setTimeout(resolve));
        begun = performance.now();
      }
      print = printOf(unit);
      prints.set(unit, print);
    }
    found.set(print, unit);
  }
  return found;
}

/** What tells a definition from every other, wherever it stands. */
function printOf({ place: _, ...definition }: Unit): string {
  return sha256(utf8ToBytes(JSON.stringify(definition))).toHex();
}
