import { isShellName } from "../../core/entry.ts";
import { inheritedVariables } from "../../core/inherited.ts";
import { shellArguments } from "../../core/posix_shell.ts";
import { Fault } from "../../fault.ts";
import { programPath, userChange } from "../programs.ts";
import { type Account, accountOf, ownAccount } from "./accounts.ts";
import { checkFolder, findShell, pathTo } from "./launch_checks.ts";
import type { LauncherOrder } from "./launcher.ts";
import type { LaunchSpec } from "./processes.ts";

/** What runs get of the daemon's own variables; it changes only with the names of those that are secret. */
let inherited: Record<string, string> | undefined;
let hidden: ReadonlySet<string> = new Set();

/** How many notes were thought of: a run and its probes have one each. */
let notes = 0;

/** Keeps variables of the daemon's own from the runs that are launched from now on. */
export function hideVariables(names: readonly string[]): void {
  hidden = new Set(names);
  inherited = undefined;
}

/** Where the launcher of a run leaves word, and what it does about the run's control group. */
export interface LaunchPlace {
  /** A folder that the daemon may write. */
  noteFolder: string;
  /** Called once it is sure that only the machine can still refuse; see `joinArguments`. */
  groups: () => readonly string[];
}

/** What is to be started, as the machine will have it: all of it is there, and may be used. */
export interface LaunchPlan {
  /** Absolute. */
  cwd: string;
  env: Record<string, string>;
  command: string[];
  as: LauncherOrder["as"];
}

/** Looks for all that a start needs. Throws `Fault` when shell, folder or user do not exist. */
export function planLaunch(spec: LaunchSpec): LaunchPlan {
  const account = spec.user === undefined ? ownAccount() : accountOf(spec.user);
  const cwd = spec.cwd.replace(/^~(?=\/|$)/, account.home);
  const env: Record<string, string> = { ...baseEnvironment(spec, account), ...spec.env };
  checkFolder(cwd);
  const { uid } = account;
  if (spec.needs !== undefined) env["PATH"] = pathTo(spec.needs, { path: env["PATH"] ?? "", uid });
  const command = [findShell(spec.shell, { path: env["PATH"], uid }), ...shellArguments(spec)];
  const as = spec.user === undefined ? undefined : otherUser(spec.user, account);
  return { cwd, env, command, as };
}

/** What the launcher is told for a plan; undefined where there is nothing that it would be needed for. */
export function launcherOrder(
  { cwd, env, command, as }: LaunchPlan,
  { spec, place, groups, reader }: {
    spec: LaunchSpec;
    place: LaunchPlace;
    groups: readonly string[];
    reader: LauncherOrder["reader"] | undefined;
  },
): LauncherOrder | undefined {
  if (as === undefined && spec.umask === undefined && groups.length === 0) return undefined;
  const note = `${place.noteFolder}/${spec.runId}.${++notes}.note`;
  const plain = { path: "/bin/sh", flags: "" } as const;
  return { note, umask: spec.umask, as, cwd, groups, command, reader: reader ?? plain, env };
}

/** What the launcher needs to become another user; undefined where that is who the daemon runs as. Throws `Fault`. */
function otherUser(user: string, { uid, gid }: Account): LauncherOrder["as"] {
  if (uid === ownAccount().uid && gid === ownAccount().gid) return undefined;
  const { path: setpriv, why } = userChange();
  if (why !== undefined) throw new Fault("not_found", `cannot start as user "${user}": ${why}`);
  return { uid, gid, setpriv };
}

/**
 * The shell for the launcher: the plain one drops variables whose names are none for it (`a.b`, functions that
 * bash exports), so that these take bash, which then looks at none of them (`-p`). Undefined where they would be lost.
 */
export function readerOf(env: Record<string, string>): LauncherOrder["reader"] | undefined {
  if (Object.keys(env).every(isShellName)) return { path: "/bin/sh", flags: "" };
  const bash = programPath("bash");
  return bash === undefined ? undefined : { path: bash, flags: "-p" };
}

function baseEnvironment(spec: LaunchSpec, account: Account): Record<string, string> {
  const person = { HOME: account.home, USER: account.name, LOGNAME: account.name };
  if (spec.envBase === "clean") return { PATH: "/usr/bin:/bin", ...person, SHELL: spec.shell };
  inherited ??= inheritedVariables(Deno.env.toObject(), hidden);
  // A manager of services gives a daemon less than a login does, and cron gives all four to its jobs.
  const lacking = { ...person, SHELL: spec.shell, ...inherited };
  return spec.user === undefined ? lacking : { ...lacking, ...person };
}
