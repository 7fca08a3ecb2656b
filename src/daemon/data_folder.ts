import { stopMark } from "../core/service_file.ts";
import { Fault, messageOf } from "../fault.ts";
import { lockFolder, removeIfPossible } from "../io/folder_lock.ts";
import type { Places } from "../local/places.ts";
import { claimPrivateFolder, distrusted, ownUid, preparePrivateFile, wordsOf } from "../io/trust.ts";

/** A data folder that this process holds alone, until `release` or its death. */
export interface DataFolder {
  path: string;
  /** Whether it is still there, and still this process's. */
  isHeld(): boolean;
  /** Writes down that a stop has begun, until the next daemon holds the folder. Answers why that can't be. */
  markStop(): string | undefined;
  release(): void;
}

/** What root would otherwise write through, or believe: files of these names are this user's own, and no links. */
const ownFiles = [
  "daemon.json",
  "daemon.json.new",
  "daemon.pid",
  "notes/groups",
  "notes/groups.new",
  "svc.db",
  "svc.db-journal",
  "svc.db-shm",
  "svc.db-wal",
  "svc.db.before-upgrade",
  "svc.db.before-upgrade.new",
  "svc.sock",
  "svc.sock.kept",
  "trial",
  "trial.new",
  stopMark,
  `${stopMark}.new`,
];
const mend = "name a folder of your own, in a place that nobody else may write, with --data";

/**
 * Makes the data folder and what is inside it (0700), and takes it for this process. Throws `Fault` when it
 * can't be written, when somebody else owns it or could change it, and when another daemon holds it (with that
 * one's pid).
 */
export function lockDataFolder(path: string): DataFolder {
  const attempt = `cannot use data folder "${path}"`;
  claimPrivateFolder(path, { attempt, mend });
  for (const inner of ["journals", "keepers", "logs", "notes", "spools"]) {
    claimPrivateFolder(`${path}/${inner}`, { attempt, mend });
  }
  for (const name of ownFiles) demandOwnFile(`${path}/${name}`, attempt);
  const lock = lockFolder(path);
  const mark = `${path}/${stopMark}`;
  removeIfPossible(mark);
  return {
    path,
    isHeld: lock.isHeld,
    markStop() {
      if (!lock.isHeld()) return undefined;
      try {
        preparePrivateFile(mark, "")();
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    release() {
      // The second where a start has failed between preparing it and putting it into its place.
      const announcements = lock.isHeld() ? ["daemon.json", "daemon.json.new"] : [];
      for (const name of announcements) removeIfPossible(`${path}/${name}`);
      lock.release();
    },
  };
}

/** Makes the folder of a control socket that lies outside the data folder; throws `Fault` where another user could be in it. */
export function claimSocketFolder(path: string): void {
  claimPrivateFolder(path, {
    attempt: `cannot use folder "${path}" for the control socket`,
    mend: "name another with --socket",
  });
}

/**
 * Looks at where a socket was named to be. Throws `Fault` as root where somebody else could put another in its place;
 * who is asked for by a flag, and others, are told by `warn`.
 */
export function lookAtSocketPlace(
  { socketPath, socketNamedBy }: Pick<Places, "socketPath" | "socketNamedBy">,
  { warn, uid = ownUid() }: { warn: (sentence: string) => void; uid?: number },
): void {
  if (socketNamedBy === undefined) return;
  const distrust = distrusted(socketPath, uid);
  if (distrust === undefined) return;
  const why = `control socket "${socketPath}" (${socketNamedBy}): ${wordsOf(distrust, socketPath)}`;
  if (uid === 0 && socketNamedBy === "SVC_SOCKET") {
    throw new Fault("forbidden", `cannot use ${why}; name a place that only root may write`);
  }
  warn(`others may put another in the place of ${why}`);
}

/**
 * Writes a file in two steps, so that a reader sees the old or the new one, never a half: what can be refused is
 * refused now (with a `Fault`), and the result puts it into its place.
 */
export function prepareFile(path: string, text: string): () => void {
  let put = (): void => {};
  refusable(path, () => put = preparePrivateFile(path, text));
  return () => refusable(path, put);
}

function refusable(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Fault(
      "internal",
      `cannot write "${path}": ${messageOf(error)}; make room there, or give another data folder with --data`,
    );
  }
}

/** Throws `Fault` for a file that somebody else owns, and for what is none: nothing is written through a link. */
function demandOwnFile(path: string, attempt: string): void {
  let found: Deno.FileInfo;
  try {
    found = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw new Fault("internal", `${attempt}: ${messageOf(error)}; ${mend}`);
  }
  const { isSymlink, uid } = found;
  if (!isSymlink && (uid === null || uid === ownUid() || uid === 0)) return;
  const why = isSymlink ? `"${path}" is a link` : `user ${uid} owns "${path}"`;
  throw new Fault("forbidden", `${attempt}: ${why}; remove it, or ${mend}`);
}
