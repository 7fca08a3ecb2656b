import { Fault, messageOf } from "../../fault.ts";

/** Throws `Fault` unless there is a folder of this path. */
export function checkFolder(path: string): void {
  const folder = fileAt(path);
  if (folder === undefined) {
    throw new Fault("not_found", `no such folder "${path}": create it, or change working_dir`);
  }
  if (!folder.isDirectory) throw new Fault("invalid", `"${path}" is no folder: change working_dir`);
}

/**
 * The path of a shell, which may be named without one and is then looked for in `path`. Throws `Fault`: what
 * can't be executed would look like the script's own failure.
 */
export function findShell(shell: string, path = ""): string {
  const places = shell.includes("/") ? [shell] : path.split(":").map((folder) => `${folder || "."}/${shell}`);
  const found = places.map((place) => ({ place, file: fileAt(place) })).find(({ file }) => file?.isFile);
  if (found === undefined) {
    throw new Fault("not_found", `no such shell "${shell}": install it, or change shell`);
  }
  if ((found.file!.mode ?? 0o111) & 0o111) return found.place;
  throw new Fault("forbidden", `shell "${found.place}" is not executable: change its mode, or change shell`);
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
  return path.split(":").filter((folder) => folder !== "").some((folder) => {
    const found = fileAt(`${folder}/${program}`);
    return found?.isFile === true && ((found.mode ?? 0) & 0o111) !== 0;
  });
}
