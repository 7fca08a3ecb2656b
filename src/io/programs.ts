import { distrusted, ownUid } from "./trust.ts";
import { ownVariable } from "./own_variable.ts";

/** Where systems keep their programs, whatever PATH says; it is looked at after what PATH names. */
const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/**
 * What a program of the system is started with, beside what it is told: nothing of a unit's. Helpers are looked up in the
 * usual folders, then in those of the daemon's PATH that nobody else could change: some systems have nothing but a
 * shell in the usual ones.
 */
export const plainEnvironment: Readonly<Record<string, string>> = {
  get PATH() {
    return helperPath ??= [...new Set([...usual, ...foldersOf(trustedPath(ownVariable("PATH") ?? ""))])]
      .join(":");
  },
  LC_ALL: "C",
};

const usual = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
let helperPath: string | undefined;

/** Without one of these no process is told from another. */
const lookers = ["grep", "tr", "sleep"];

/** Programs that are needed beside a shell, and what is lost without one of them. */
const helpers: readonly (readonly [names: readonly string[], cost: string])[] = [
  [lookers, "what runs leave behind can't be found, nor what an earlier daemon left"],
  [["head"], "users of loopback can't be told apart"],
  [["cat", "mkdir", "rmdir"], "there are no control groups, and so no limits"],
  [["df"], "min_free_space is not held"],
];

type Find = (name: string) => string | undefined;

/**
 * Helpers that are nowhere where nobody else could have put them, in sentences; `users`: whether units have users of
 * their own.
 */
export function missingHelpers(
  { users, found = programPath, change = userChange }: {
    users: boolean;
    found?: Find;
    change?: () => UserChange;
  },
): string[] {
  const missing = helpers.flatMap(([names, cost]) =>
    names.filter((name) => found(name) === undefined).map((name) => `"${name}" is not in PATH: ${cost}`)
  );
  const changed = users ? change() : undefined;
  return changed?.why === undefined
    ? missing
    : [...missing, `no unit with a "user" can start: ${changed.why}`];
}

/** What becomes another user, and then a program: the path of util-linux's setpriv, or why there is none. */
export type UserChange = { path: string; why?: undefined } | { path?: undefined; why: string };

let changesUser: UserChange | undefined;

/** Looked for once. */
export function userChange(): UserChange {
  return changesUser ??= findUserChange(programPaths("setpriv", { path: ownVariable("PATH") ?? "" }));
}

/** The first of some programs that knows how. busybox has one of the same name that knows capabilities only. */
export function findUserChange(paths: readonly string[]): UserChange {
  const path = paths.find(knowsUsers);
  if (path !== undefined) return { path };
  const [other] = paths;
  return {
    why: other === undefined
      ? "setpriv is missing, which changes to users: install util-linux"
      : `"${other}" knows no users (it is busybox's, or very old): install setpriv of util-linux`,
  };
}

/** Asks for help behind the options that are needed: who does not know them ends there. */
function knowsUsers(setpriv: string): boolean {
  try {
    return new Deno.Command(setpriv, {
      args: ["--reuid=0", "--regid=0", "--init-groups", "--help"],
      clearEnv: true,
      env: { ...plainEnvironment },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).outputSync().success;
  } catch {
    return false;
  }
}

/** Why processes can't be looked for; undefined where they can. */
export function blindness(found: Find = programPath): string | undefined {
  const missing = lookers.filter((name) => found(name) === undefined);
  return missing.length === 0
    ? undefined
    : `there is no ${missing.map((name) => `"${name}"`).join(", no ")} in PATH`;
}

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
  if (!found.has(name)) found.set(name, findProgram(name, { path: ownVariable("PATH") ?? "" }));
  return found.get(name);
}

/** The same among the folders of `path` and the usual ones, not remembered. */
export function findProgram(
  name: string,
  options: { path: string; usual?: readonly string[]; uid?: number },
): string | undefined {
  return programPaths(name, options)[0];
}

/** All of them. */
function programPaths(
  name: string,
  { path, usual = folders, uid = ownUid() }: { path: string; usual?: readonly string[]; uid?: number },
): string[] {
  const all = [...foldersOf(path), ...usual];
  return [...new Set(all)].map((folder) => `${folder}/${name}`).filter((place) =>
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
