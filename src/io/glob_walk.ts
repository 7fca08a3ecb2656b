import { PathGlob, type Places } from "../core/config/glob.ts";
import type { GlobMatches } from "../core/config/load_input.ts";
import { messageOf } from "../fault.ts";
import { isPassingFailure } from "./passing_failure.ts";
import { inTurns } from "./turns.ts";

/** So many files and folders are looked at for one glob, and for all globs of a load. */
export const mostEntries = 20_000;
const mostEntriesOfAll = 100_000;
/** A step looks at so many. */
const entriesOfStep = 256;
/** A folder that takes more bytes itself holds more than `mostEntries`, and is not even listed: that can't be cut short. */
const largestFolder = 1024 * 1024;
/** Longer paths can't be asked for. */
const longestPath = 4_096;

/** What may still be looked at. */
export interface Budget {
  left: number;
}

/** For all globs of one load. */
export function newBudget(): Budget {
  return { left: mostEntriesOfAll };
}

/** The regular files that an absolute glob matches; folders that can't be listed match nothing. */
export function expandGlob(glob: string): GlobMatches {
  const walk = walkGlob(glob, newBudget());
  for (let step = walk.next();; step = walk.next()) if (step.done) return step.value;
}

/** What each of these globs matches, found without holding up the thread that asks. */
export async function expandGlobs(globs: readonly string[]): Promise<Map<string, GlobMatches>> {
  const budget = newBudget();
  const found = new Map<string, GlobMatches>();
  for (const glob of new Set(globs)) found.set(glob, await inTurns(walkGlob(glob, budget)));
  return found;
}

/** The same in steps, for who has something else to do in between; what is small is one step. */
export function* walkGlob(glob: string, budget: Budget): Generator<void, GlobMatches> {
  const pattern = new PathGlob(glob);
  const files = new Set<string>();
  let own = Math.min(mostEntries, budget.left);
  let ofStep = 0;
  const ended = (unfinished?: string): GlobMatches => ({
    files: [...files].sort(),
    ...(unfinished !== undefined && { unfinished }),
  });
  const open: { folder: string; places: Places }[] = [{ folder: "", places: pattern.begin() }];
  try {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { folder, places } = next;
      const entries = entriesOf(folder, pattern.literals(places));
      const cost = 1 + entries.length;
      own -= cost;
      budget.left -= cost;
      if (own < 0) return ended(tooMany);
      for (const { name, is } of entries) {
        const path = `${folder}/${name}`;
        const below = pattern.below(places, { name, isFolder: is === "folder" });
        if (below.length === 0 || path.length > longestPath) continue;
        if (pattern.isMatch(below) && (is === "file" || is === "unknown" && isFile(path))) files.add(path);
        if (is !== "file" && pattern.goesOn(below)) open.push({ folder: path, places: below });
      }
      ofStep += cost;
      if (ofStep < entriesOfStep) continue;
      ofStep = 0;
      yield;
    }
  } catch (error) {
    if (error instanceof TooLarge) return ended(tooMany);
    return ended(`can't be looked for: ${messageOf(error)}; try again`);
  }
  return ended();
}

const tooMany = `leads through more than ${mostEntries} files and folders: ` +
  'name the folders more exactly (no "**" over what is not for svc), or move what does not belong there';

interface Entry {
  name: string;
  /** Links are for a look at what they lead to. */
  is: "file" | "folder" | "unknown";
}

/** Thrown inside this file only. */
class TooLarge extends Error {}

/** What is in a folder, or may be there where only certain names count. Throws where that can't be known now. */
function entriesOf(folder: string, literals: readonly string[] | undefined): Entry[] {
  if (literals !== undefined) return literals.map((name) => ({ name, is: "unknown" }));
  const path = folder === "" ? "/" : folder;
  try {
    if (Deno.statSync(path).size > largestFolder) throw new TooLarge();
    return Array.from(Deno.readDirSync(path), ({ name, isFile, isDirectory }) => ({
      name,
      is: isFile ? "file" : isDirectory ? "folder" : "unknown",
    }));
  } catch (error) {
    if (error instanceof TooLarge || isPassingFailure(error)) throw error;
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (isPassingFailure(error)) throw error;
    return false;
  }
}
