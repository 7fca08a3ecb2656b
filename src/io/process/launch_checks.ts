import { resolve } from "node:path";
import { Fault, messageOf } from "../../fault.ts";
import { trustedPath } from "../programs.ts";
import { distrusted, wordsOf } from "../trust.ts";

/** Throws `Fault` unless there is a folder of this path. */
export function checkFolder(path: string): void {
  const folder = fileAt(path);
  if (folder === undefined) {
    throw new Fault("not_found", `no such folder "${path}": create it, or change working_dir`);
  }
  if (!folder.isDirectory) throw new Fault("invalid", `"${path}" is no folder: change working_dir`);
}

/**
 * The path of a shell, which may be named without one and is then looked for in `path`; for root (`uid` 0) only where
 * nobody else could change it. Throws `Fault`: what can't be executed would look like the script's own failure.
 */
export function findShell(
  shell: string,
  { path = "", uid }: { path?: string | undefined; uid: number },
): string {
  const isBare = !shell.includes("/");
  const places = isBare ? path.split(":").map((folder) => `${folder || "."}/${shell}`) : [shell];
  const there = places.map((place) => ({ place, file: fileAt(place) })).filter(({ file }) => file?.isFile);
  const found = there.find(({ place }) => !isBare || foreign(place, uid) === undefined);
  if (found !== undefined) {
    if ((found.file!.mode ?? 0o111) & 0o111) return found.place;
    throw new Fault(
      "forbidden",
      `shell "${found.place}" is not executable: change its mode, or change shell`,
    );
  }
  const [other] = there;
  if (other === undefined) {
    throw new Fault("not_found", `no such shell "${shell}": install it, or change shell`);
  }
  throw new Fault(
    "forbidden",
    `root starts no shell that somebody else could change, and PATH leads "${shell}" to one ` +
      `(${foreign(other.place, uid)}): take its folder out of PATH, or name the shell by its path`,
  );
}

/**
 * PATH for a run that needs a program found by it, and starts others by it of itself: root's leads to nothing that
 * somebody else could change. Throws `Fault` where the program is not there.
 */
export function pathTo(program: string, { path, uid }: { path: string; uid: number }): string {
  const trusted = uid === 0 ? trustedPath(path, uid) : path;
  const place = trusted.split(":").filter((folder) => folder !== "").map((folder) => `${folder}/${program}`)
    .find(isProgram);
  if (place === undefined) {
    const isElsewhere = trusted !== path && isInPath(program, path);
    const where = isElsewhere ? "in a folder of PATH that only root may change" : "in PATH";
    throw new Fault("not_found", `cannot find "${program}" ${where}: install it, or set PATH for this unit`);
  }
  const why = foreign(place, uid);
  if (why === undefined) return trusted;
  throw new Fault("forbidden", `root does not start "${place}": ${why}; change its owner or mode`);
}

/** Why root may not start what lies at a path, in words; others are not told what to start. */
function foreign(place: string, uid: number): string | undefined {
  if (uid !== 0) return undefined;
  const path = resolve(place);
  const distrust = distrusted(path, uid);
  return distrust === undefined ? undefined : wordsOf(distrust, path);
}

/** What is at a path; undefined for nothing. Throws `Fault` where one may not look. */
export function fileAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw new Fault("forbidden", `cannot look at "${path}": ${messageOf(error)}`);
  }
}

/** Whether a program is found in a list of folders such as PATH. */
export function isInPath(program: string, path: string): boolean {
  return programAt(program, path) !== undefined;
}

/** Where in a list of folders such as PATH a program is found first. */
export function programAt(program: string, path: string): string | undefined {
  return path.split(":").filter((folder) => folder !== "").map((folder) => `${folder}/${program}`).find(
    isProgram,
  );
}

function isProgram(path: string): boolean {
  const found = fileAt(path);
  return found?.isFile === true && ((found.mode ?? 0) & 0o111) !== 0;
}
