import { Fault, messageOf } from "../fault.ts";
import { ownEnvironment } from "./programs.ts";
import { demandTrusted } from "./trust.ts";
import { ownVariable } from "./own_variable.ts";

/** The files of a program that its start script has unpacked. */
export interface UnpackedProgram {
  /** The start script, absolute. */
  script: string;
  /** The scripts' own folder, `program` in the cache of this very build, absolute. */
  folder: string;
  /** How many there are. */
  files: number;
}

let underWay: Promise<void> | undefined;

/**
 * Is called before more of the program is loaded: the files of the portable form lie in a cache, which people and
 * cleaners empty, and once Deno has missed one it never looks for it again. Where some are gone the start script
 * unpacks them anew. Undefined where all are there, or are no business of a script's. Rejects with a `Fault`
 * (unavailable) where they can't be had.
 */
export function restoreProgram(
  program: UnpackedProgram | undefined = ownFiles(),
): Promise<void> | undefined {
  if (program === undefined || isWhole(program)) return undefined;
  return underWay ??= unpack(program).finally(() => underWay = undefined);
}

/** What the start script has said of them; a worker is started by who has looked already. */
function ownFiles(): UnpackedProgram | undefined {
  if ("WorkerGlobalScope" in globalThis) return undefined;
  const script = ownVariable("SVC_PROGRAM");
  const files = Number(ownVariable("SVC_PROGRAM_FILES") ?? 0);
  if (!script?.startsWith("/") || !(files > 0)) return undefined;
  const { pathname } = new URL(".", import.meta.url);
  return { script, files, folder: decodeURIComponent(pathname).replace(/\/$/, "") };
}

function isWhole({ folder, files }: UnpackedProgram): boolean {
  try {
    return [...Deno.readDirSync(folder)].length >= files;
  } catch {
    return false;
  }
}

async function unpack(program: UnpackedProgram): Promise<void> {
  const { script, folder } = program;
  const attempt = `files of svc are gone from "${folder}", and "${script}" can't unpack them again`;
  const mend = "restart the daemon";
  demandTrusted(script, { attempt, mend });
  const why = await unpackBy(script, folder.split("/").slice(0, -2).join("/"));
  if (isWhole(program)) return;
  throw new Fault("unavailable", `${attempt}: ${why || "it is of another version by now"}; ${mend}`);
}

/** Has the script unpack itself below a folder, as at any start; answers why it could not, in a line. */
async function unpackBy(script: string, cache: string): Promise<string> {
  try {
    const { stderr } = await new Deno.Command(script, {
      args: ["version"],
      clearEnv: true,
      env: { ...ownEnvironment(), SVC_CACHE: cache },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    return new TextDecoder().decode(stderr).trim().split("\n").at(-1)!.replace(/^svc: /, "");
  } catch (error) {
    return messageOf(error);
  }
}
