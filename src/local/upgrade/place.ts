import { dirname } from "node:path";
import { packageManagers } from "../../core/upgrade/package_owner.ts";
import { Fault, messageOf } from "../../fault.ts";
import { readRegular } from "../../io/read_regular.ts";
import { distrusted, wordsOf } from "../../io/trust.ts";
import { programPath } from "../../io/programs.ts";
import { system } from "../service/manager.ts";

/** The program of the daemon that runs, and the words by which it was started. */
export interface ProgramPlace {
  /** Absolute, no link. */
  path: string;
  words: string[];
}

/** A daemon writes down no more, bytes. */
const mostRecorded = 1024 * 1024;

/** Where the program before is kept, for the way back. */
export function keptAs(path: string): string {
  return `${path}.before-upgrade`;
}

/** Finds the program of a daemon by what that wrote down, and whether it may be replaced. Throws `Fault`. */
export async function findProgram(dataDir: string): Promise<ProgramPlace> {
  const { program, words } = readStartedBy(dataDir);
  if (program === null) {
    throw new Fault(
      "conflict",
      'cannot upgrade: the daemon runs from source, not as one file; bring the source up to date, then "svc handover"',
    );
  }
  let path: string;
  try {
    path = await Deno.realPath(program);
  } catch (error) {
    throw new Fault(
      "conflict",
      `cannot upgrade: the program of the daemon, "${program}", is not there any more (${
        messageOf(error)
      }); put the new one there, then "svc handover"`,
    );
  }
  await refusePackaged(path);
  await demandWritable(path);
  return { path, words };
}

function readStartedBy(dataDir: string): { program: string | null; words: string[] } {
  const path = `${dataDir}/daemon.json`;
  const attempt = "cannot upgrade: how the daemon was started can't be told";
  const distrust = distrusted(path);
  if (distrust !== undefined) throw new Fault("forbidden", `${attempt}: ${wordsOf(distrust, path)}`);
  try {
    const read = readRegular(path, mostRecorded);
    if (typeof read === "string") throw new TypeError(`"${path}" is no record of a daemon`);
    const { started_by: by } = JSON.parse(new TextDecoder().decode(read)) as { started_by?: unknown };
    if (isStartedBy(by)) return by;
  } catch (error) {
    throw new Fault("internal", `${attempt}: ${messageOf(error)}; run this as the daemon's user or as root`);
  }
  throw new Fault(
    "conflict",
    `${attempt}: "${path}" does not say; replace the program by hand, then "svc handover"`,
  );
}

function isStartedBy(by: unknown): by is { program: string | null; words: string[] } {
  if (typeof by !== "object" || by === null || !("program" in by) || !("words" in by)) return false;
  return (by.program === null || typeof by.program === "string") && Array.isArray(by.words) &&
    by.words.every((word) => typeof word === "string");
}

async function refusePackaged(path: string): Promise<void> {
  for (const { ask, nameIn, upgrade } of packageManagers) {
    if (programPath(ask[0]!) === undefined) continue;
    const { code, stdout } = await system([...ask, path]);
    const name = code === 0 ? nameIn.exec(stdout)?.[1] : undefined;
    if (name === undefined) continue;
    throw new Fault(
      "conflict",
      `cannot upgrade: "${path}" is of the package "${name}"; upgrade that: ${
        upgrade(name)
      }, then "svc handover"`,
    );
  }
}

async function demandWritable(path: string): Promise<void> {
  const folder = dirname(path);
  const { code } = await system(["/bin/sh", "-c", '[ -w "$1" ] && [ -x "$1" ]', "sh", folder]);
  if (code === 0) return;
  throw new Fault(
    "forbidden",
    `cannot upgrade: "${folder}", where the program of the daemon is, can't be written; run this as root, or as who may`,
  );
}
