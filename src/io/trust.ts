/**
 * Whatever the program opens, runs, connects to or believes because it lies at a certain place is looked at here
 * first: nobody but its own user and root may be able to change it.
 */
import { type Distrust, distrustOf, isOpenToReaders, type Standing, type Way } from "../core/trust.ts";
import { Fault, messageOf } from "../fault.ts";
import { readRegular, type Unread } from "./read_regular.ts";

/** A way with more links than this leads round in a circle (as for the kernel). */
const mostLinks = 40;

let own: number | undefined;

/** The number of the user that this process runs as; asked for once, since the right to ask may be given up later. */
export function ownUid(): number {
  return own ??= Deno.uid() ?? 0;
}

/** Why somebody else could change what lies at an absolute path, or will lie there; undefined where nobody can. */
export function distrusted(path: string, uid: number = ownUid()): Distrust | undefined {
  return distrustOf(wayTo(path), uid);
}

/**
 * Throws `Fault` (forbidden) where somebody besides `uid` and root could change what lies at a path. `attempt` says
 * what is refused, `mend` what to do.
 */
export function demandTrusted(
  path: string,
  { attempt, mend, uid = ownUid() }: { attempt: string; mend: string; uid?: number },
): void {
  const distrust = distrusted(path, uid);
  if (distrust === undefined) return;
  throw new Fault("forbidden", `${attempt}: ${wordsOf(distrust, path)}; ${mend}`);
}

/** Whether every user of the machine may read what lies at an absolute path. */
export function isReadByAll(path: string): boolean {
  return isOpenToReaders(wayTo(path));
}

/** What is wrong, as a part of a sentence about `path`. */
export function wordsOf({ path: at, why }: Distrust, path: string): string {
  return at === path ? why : `${why.replace(/ it$/, "")} "${at}", which leads to it`;
}

/**
 * Makes a folder that is this user's alone (0700), or takes one that is there. Throws `Fault` where it is somebody
 * else's, a link of somebody else's, or lies where others can put another in its place.
 */
export function claimPrivateFolder(path: string, { attempt, mend }: { attempt: string; mend: string }): void {
  demandTrusted(path, { attempt, mend });
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    const { isDirectory, uid, mode } = Deno.statSync(path);
    if (!isDirectory) throw new Fault("invalid", `${attempt}: it is no folder; ${mend}`);
    // Root may not take a folder of another user's; nobody else could close it.
    if (uid !== ownUid()) throw new Fault("forbidden", `${attempt}: user ${uid} owns it; ${mend}`);
    if (((mode ?? 0) & 0o077) !== 0) Deno.chmodSync(path, 0o700);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("internal", `${attempt}: ${messageOf(error)}; ${mend}`);
  }
  // It may have been made by somebody else in the meantime.
  demandTrusted(path, { attempt, mend });
}

/**
 * Writes a file of this user's alone (0600) as a whole: under another name first, which must not be there as
 * anything but a rest of an earlier try. Answers what puts it into its place.
 */
export function preparePrivateFile(path: string, text: string): () => void {
  const next = `${path}.new`;
  removeFile(next);
  // Made anew: what others may have put there, a link say, is never written through.
  Deno.writeTextFileSync(next, text, { createNew: true, mode: 0o600 });
  return () => Deno.renameSync(next, path);
}

/**
 * Reads a file as a whole although somebody else may control the way to it, for what he may decide himself: the
 * variables of his own units, say. By no link of his, since what he can't read himself would become his: the file that
 * is opened is the one that was looked at. Throws `Fault` (forbidden); fails as `readRegular` does.
 */
export function readWithoutLinks(path: string, most: number, uid: number = ownUid()): Uint8Array | Unread {
  const { steps, isWhole } = wayTo(path);
  const own = new Set([0, uid, steps[0]?.uid ?? 0]);
  const foreignLink = (way: readonly Standing[]): Standing | undefined =>
    way.find(({ kind, uid: owner }) => kind === "link" && !own.has(owner));
  const link = foreignLink(steps);
  const refused = (why: string): Fault =>
    new Fault("forbidden", `refusing "${path}": ${why}; name the file itself, or make the link root's`);
  if (link !== undefined) throw refused(`user ${link.uid} owns the link "${link.path}"`);
  const last = steps.at(-1)!;
  return readRegular(isWhole ? last.path : path, most, (opened) => {
    const seen = Deno.lstatSync(last.path);
    const isOther = opened.ino !== seen.ino || opened.dev !== seen.dev || opened.uid !== last.uid;
    // A folder on the way may have become a link, too.
    if (isWhole && (isOther || foreignLink(wayTo(path).steps) !== undefined)) {
      throw refused("it was changed while it was opened");
    }
  });
}

/** Every step on the way to a path, links and what they lead to among them; what isn't there ends it. */
export function wayTo(path: string): Way {
  const steps: Standing[] = [];
  let links = 0;
  let blind: string | undefined;
  const walk = (from: string, parts: readonly string[]): string | undefined => {
    let at = from;
    for (const [index, part] of parts.entries()) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        at = parentOf(at);
        continue;
      }
      const next = at === "/" ? `/${part}` : `${at}/${part}`;
      const standing = standingAt(next);
      if (standing === "blind") blind = next;
      if (standing === undefined || standing === "blind") return undefined;
      steps.push(standing);
      if (standing.kind !== "link") {
        at = next;
        continue;
      }
      if (++links > mostLinks) throw new Fault("invalid", `"${path}" leads through too many links`);
      const target = Deno.readLinkSync(next);
      const rest = [...target.split("/"), ...parts.slice(index + 1)];
      return walk(target.startsWith("/") ? "/" : at, rest);
    }
    return at;
  };
  const root = standingAt("/");
  if (root !== undefined && root !== "blind") steps.push(root);
  const isWhole = walk("/", path.split("/")) !== undefined;
  return { steps, isWhole, ...(blind === undefined ? {} : { blind }) };
}

/** Undefined where there is nothing; "blind": in the kernel's folders, which the runtime keeps from the program. */
function standingAt(path: string): Standing | "blind" | undefined {
  try {
    const { isFile, isDirectory, isSymlink, uid, gid, mode } = Deno.lstatSync(path);
    const kind = isSymlink ? "link" : isDirectory ? "folder" : isFile ? "file" : "other";
    // Where the system tells no owner there is nobody else.
    return { path, kind, uid: uid ?? 0, gid: gid ?? 0, mode: (mode ?? 0) & 0o7777 };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    // One that may not be looked at can't be used either: whoever does so hears why.
    if (error instanceof Deno.errors.PermissionDenied) return undefined;
    if (error instanceof Deno.errors.NotCapable) return "blind";
    throw error;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
