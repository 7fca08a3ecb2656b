import { distrusted, ownUid } from "./trust.ts";

/** Where systems keep their programs, whatever PATH says; it is looked at after what PATH names. */
const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** What a program of the system is started with, beside what it is told: nothing of a unit's, nothing to look up. */
export const plainEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
};

/**
 * What a program gets that acts for whoever calls svc: their own variables, of PATH only what `trustedPath` leaves and the
 * usual folders, and no HOME in which somebody else could put settings or programs.
 */
export function ownEnvironment(): Record<string, string> {
  const { PATH: path = "", HOME: home, ...rest } = Deno.env.toObject();
  const isOwn = home?.startsWith("/") === true && distrusted(home) === undefined;
  const PATH = [...new Set([...foldersOf(trustedPath(path)), ...folders])].join(":");
  return { ...rest, PATH, ...(isOwn ? { HOME: home } : {}) };
}

/** Of the folders of a PATH those that nobody but `uid` and root could change; "" where there is none. */
export function trustedPath(path: string, uid: number = ownUid()): string {
  return foldersOf(path).filter((folder) => distrusted(folder, uid) === undefined).join(":");
}

/** The folders of a PATH. An empty name means the folder where one is: whatever lies there is nobody's program. */
function foldersOf(path: string): string[] {
  return path.split(":").filter((folder) => folder.startsWith("/"));
}

const found = new Map<string, string | undefined>();

/**
 * The absolute path of a program of the system: the first of its name that nobody but this user and root could
 * change. Looked for once. Undefined where there is none.
 */
export function programPath(name: string): string | undefined {
  if (!found.has(name)) found.set(name, findProgram(name, { path: Deno.env.get("PATH") ?? "" }));
  return found.get(name);
}

/** The same among the folders of `path` and the usual ones, not remembered. */
export function findProgram(
  name: string,
  { path, usual = folders, uid = ownUid() }: { path: string; usual?: readonly string[]; uid?: number },
): string | undefined {
  const all = [...foldersOf(path), ...usual];
  return [...new Set(all)].map((folder) => `${folder}/${name}`).find((place) =>
    isProgram(place) && distrusted(place, uid) === undefined
  );
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0o111) & 0o111) !== 0;
  } catch {
    return false;
  }
}
