/** A file, folder or link on the way to something, as it stands on disk; a link is itself, not what it names. */
export interface Standing {
  /** Absolute. */
  path: string;
  kind: "file" | "folder" | "link" | "other";
  uid: number;
  gid: number;
  /** Permission bits, the sticky one among them. */
  mode: number;
}

/** The way to something. */
export interface Way {
  /** The root folder first, then each folder and link that is passed, the thing itself last. */
  steps: readonly Standing[];
  /** The thing itself is there. */
  isWhole: boolean;
  /** Where it leads to what this program may not look at: nobody knows whose that is. */
  blind?: string;
}

/** What makes something untrustworthy, and where on the way. */
export interface Distrust {
  path: string;
  /** As in "user 1000 owns it". */
  why: string;
}

const sticky = 0o1000;

/**
 * Why somebody besides `uid` and root could change what a way leads to; undefined where nobody can. Folders that
 * everybody may write are passed where they are sticky: what lies in them is its owner's, and that is asked next.
 * (So sshd's StrictModes, sudo and logrotate look at files.)
 */
export function distrustOf({ steps, isWhole, blind }: Way, uid: number): Distrust | undefined {
  // In a user namespace the machine's root has another number: it owns the root folder.
  const owners = new Set([0, uid, steps[0]?.uid ?? 0]);
  const thing = isWhole ? steps.length - 1 : steps.length;
  for (const [index, { path, kind, uid: owner, gid, mode }] of steps.entries()) {
    if (!owners.has(owner)) return { path, why: `user ${owner} owns it` };
    if (kind === "link" || !isOpenToOthers({ owner, gid, mode })) continue;
    const isShared = kind === "folder" && index < thing && (mode & sticky) !== 0;
    if (!isShared) return { path, why: "others may write it" };
  }
  return blind === undefined ? undefined : { path: blind, why: "svc may not look at it" };
}

/** Whether everybody may read what a way leads to: the thing itself, and each folder on the way. */
export function isOpenToReaders({ steps, isWhole }: Way): boolean {
  const [thing, ...before] = [...steps].reverse();
  if (!isWhole || thing === undefined || (thing.mode & 0o004) === 0) return false;
  return before.every(({ kind, mode }) => kind !== "folder" || (mode & 0o001) !== 0);
}

/** A group may write where it is root's, or holds its owner alone, as the groups that systems make with each user. */
function isOpenToOthers({ owner, gid, mode }: { owner: number; gid: number; mode: number }): boolean {
  if ((mode & 0o002) !== 0) return true;
  return (mode & 0o020) !== 0 && gid !== 0 && gid !== owner;
}
