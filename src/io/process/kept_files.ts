import { type KeeperFile, keeperPath, parseKeeper } from "../../core/keeper.ts";
import { readSpoolName, type SpoolStream } from "../../core/spool.ts";
import { messageOf } from "../../fault.ts";
import { readRegular } from "../read_regular.ts";
import { ownUid } from "../trust.ts";

/** A keeper's file is no larger, bytes: the kernel takes no more words and variables than 6 MiB. */
const largest = 16 * 1024 * 1024;

/** A keeper's file, and when it was written last (Unix ms): the end of its run, where that stands in it. */
export type SeenKeeper = KeeperFile & { at: number };

/** What an earlier daemon left of one stream. */
export interface LeftStream {
  files: { number: number; size: number }[];
  /** Pids of the live readers by their files' numbers. */
  readers: Map<number, number>;
  /** Pid of what throws it away, while that lives. */
  counter?: number;
  /** Whether there is a file that tells how much was thrown away. */
  isCounted: boolean;
}

/** What an earlier daemon left of a run. */
export type LeftSpools = Record<SpoolStream, LeftStream>;

/**
 * Reads a run's keeper's file; undefined where there is none. `why`: it is not to be believed, or can't be read. Nobody
 * else may have written it, or been able to read it.
 */
export function readKeeper(folder: string, runId: string): SeenKeeper | { why: string } | undefined {
  const path = keeperPath(folder, runId);
  try {
    const { isFile, uid, mode, mtime } = Deno.lstatSync(path);
    if (!isFile) return { why: "it is no file" };
    if (uid !== ownUid()) return { why: `user ${uid} owns it` };
    if (((mode ?? 0) & 0o077) !== 0) return { why: "others may read it" };
    const bytes = readRegular(path, largest);
    if (typeof bytes === "string") return { why: `it is ${bytes}` };
    const file = parseKeeper(new TextDecoder().decode(bytes));
    if ("why" in file) return file;
    return file.words.runId === runId
      ? { ...file, at: mtime?.getTime() ?? 0 }
      : { why: "it is another run's" };
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? undefined : { why: messageOf(error) };
  }
}

/** The runs that have something like a keeper's file in a folder. */
export function keptIds(folder: string): string[] {
  return namesIn(folder).filter((name) => /^[0-9A-Za-z]+$/.test(name) && !others.has(name));
}

/** What else lies in the folder of the keepers. */
const others: ReadonlySet<string> = new Set(["bell", "daemon", "died"]);

/** What lies in a folder of spools, by runs; `readers`: lines of the warden, "PID NAME". */
export function leftSpools(folder: string, readers: readonly string[]): Map<string, LeftSpools> {
  const found = new Map<string, LeftSpools>();
  const streamOf = (runId: string, stream: SpoolStream): LeftStream => {
    const left = found.get(runId) ?? { stdout: noStream(), stderr: noStream() };
    found.set(runId, left);
    return left[stream];
  };
  for (const file of namesIn(folder)) {
    const name = readSpoolName(file);
    if (name === undefined) continue;
    const stream = streamOf(name.runId, name.stream);
    if (name.number === "lost") stream.isCounted = true;
    else stream.files.push({ number: name.number, size: sizeOf(`${folder}/${file}`) });
  }
  for (const line of readers) {
    const [pid, file] = line.split(" ");
    const name = readSpoolName(file ?? "");
    if (name === undefined || !(Number(pid) > 0)) continue;
    const stream = streamOf(name.runId, name.stream);
    if (name.number === "lost") stream.counter = Number(pid);
    else stream.readers.set(name.number, Number(pid));
  }
  return found;
}

/** Of a run of which nothing was left. */
export function noSpools(): LeftSpools {
  return { stdout: noStream(), stderr: noStream() };
}

function noStream(): LeftStream {
  return { files: [], readers: new Map(), isCounted: false };
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return []; // it is gone, and so is what lay in it
  }
}

function sizeOf(path: string): number {
  try {
    return Deno.lstatSync(path).size;
  } catch {
    return 0;
  }
}
