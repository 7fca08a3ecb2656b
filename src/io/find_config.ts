import { distrustWords } from "../core/config/files.ts";
import { folderOf, resolvePath } from "../core/config/path.ts";
import { Fault } from "../fault.ts";
import { isIrregular } from "./config_files.ts";
import { absolutePath, nameHint, whyNoFolder, workingFolder } from "./machine_places.ts";
import { distrusted, ownUid, wordsOf } from "./trust.ts";

/** Where a configuration is looked for, and as whom. All are the process's own unless given. */
export interface FindOptions {
  /** The value of `-c`. */
  flag?: string;
  env?: Record<string, string>;
  cwd?: string;
  isRoot?: boolean;
  /** The file that root looks for first. */
  systemFile?: string;
}

const usualSystemFile = "/etc/svc/svc.toml";

/**
 * The absolute path of the configuration file to use: `-c`, else SVC_CONFIG, else (as root) the system's file,
 * else `./svc.toml`, else the one in the XDG folder. A Fault `not_found` names the places, a Fault `forbidden`
 * tells root of a file that somebody else owns or may write.
 */
export function findConfigFile(options: FindOptions = {}): string {
  const {
    flag,
    env = Deno.env.toObject(),
    cwd = workingFolder(),
    isRoot = ownUid() === 0,
    systemFile = usualSystemFile,
  } = options;
  const named = [["-c", flag], ["SVC_CONFIG", env["SVC_CONFIG"]]] as const;
  for (const [source, value] of named) {
    if (!value) continue;
    const path = cwd === undefined ? absolutePath(value) : resolvePath(value, { base: cwd });
    if (!exists(path)) {
      throw new Fault(
        "not_found",
        `there is no configuration file "${path}" (from ${source}): check the path${nameHint(path)}`,
      );
    }
    if (isIrregular(path)) {
      throw new Fault(
        "invalid",
        `cannot read configuration file "${path}" (from ${source}): it is no regular file`,
      );
    }
    return trusted(path, isRoot);
  }
  const candidates = usualConfigFiles({ env, isRoot, systemFile, ...(cwd === undefined ? {} : { cwd }) });
  for (const path of candidates) {
    if (!exists(path)) continue;
    if (!isHidden(path)) return trusted(path, isRoot);
    // Not a word of what is there; another file in its place would be a surprise.
    throw new Fault(
      "forbidden",
      `cannot look for a configuration in "${folderOf(path)}": this user may not enter that folder; ` +
        "name a file with -c, or go to a folder of your own",
    );
  }
  const why = options.cwd === undefined ? whyNoFolder() : undefined;
  throw new Fault(
    "not_found",
    `no configuration file found: looked at ${candidates.join(", ")}${
      why === undefined ? "" : `, and not into the working folder: ${why}`
    }; name one with -c, or try it out with "svc demo"`,
  );
}

/** Where a configuration is looked for that nobody has named, the first place first; all are absolute. */
export function usualConfigFiles(options: Omit<FindOptions, "flag"> = {}): string[] {
  const {
    env = Deno.env.toObject(),
    cwd = workingFolder(),
    isRoot = ownUid() === 0,
    systemFile = usualSystemFile,
  } = options;
  const here = cwd === undefined ? [] : [resolvePath("svc.toml", { base: cwd })];
  return [...(isRoot ? [systemFile] : []), ...here, ...xdgFile(env)];
}

function xdgFile(env: Record<string, string>): string[] {
  const home = env["HOME"];
  // The XDG rules say that a relative path is to be ignored.
  const folder = env["XDG_CONFIG_HOME"]?.startsWith("/")
    ? env["XDG_CONFIG_HOME"]
    : home === undefined || home === ""
    ? undefined
    : `${home}/.config`;
  return folder === undefined ? [] : [`${folder}/svc/svc.toml`];
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound || thrown instanceof Deno.errors.NotADirectory) return false;
    // There is something that can't be looked at: reading it will say why.
    return true;
  }
}

/** Whether nobody can say if there is something at a path, since the way to it is closed to this user. */
function isHidden(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied;
  }
}

/** The path itself; as root only if nobody else could change what it leads to, and so run anything as root. */
function trusted(path: string, isRoot: boolean): string {
  const distrust = isRoot ? distrusted(path, 0) : undefined;
  if (distrust === undefined) return path;
  throw new Fault("forbidden", distrustWords(path, wordsOf(distrust, path)));
}
