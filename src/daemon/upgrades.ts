import { removeIfPossible } from "../io/folder_lock.ts";
import type { DaemonLog } from "../io/daemon_log.ts";
import type { Store } from "../io/store/store.ts";
import { readyForTrial } from "../io/store/upgrade_copy.ts";
import { Fault, messageOf } from "../fault.ts";
import { prepareFile } from "./data_folder.ts";

/** So long a daemon is on trial at most: whoever upgrades gives up long before, ms. */
export const longestTrial = 60_000;

/** Files of an upgrade in the data folder: that a trial is asked for, and the database as it was before it. */
export const upgradeFiles = ["trial", "svc.db.before-upgrade"] as const;

/**
 * Makes the database of a data folder ready where the daemon that starts is to be on trial; answers whether it is.
 * Throws `Fault`.
 */
export async function beginTrial(folder: string, log: DaemonLog): Promise<boolean> {
  if (!isThere(trialFile(folder))) return false;
  const done = await readyForTrial(`${folder}/svc.db`, {
    copy: copyOf(folder),
    failed: `${folder}/svc.db.upgrade-failed`,
  });
  if (done === "put back") {
    log.warn("the database is that of before the upgrade again", {
      upgraded: `${folder}/svc.db.upgrade-failed`,
    });
  }
  return true;
}

/** Asks for the next daemon to be on trial, once there is a copy of the database. Throws `Fault`. */
export async function askForTrial(folder: string, store: Pick<Store, "copyTo">): Promise<void> {
  await store.copyTo(copyOf(folder));
  prepareFile(trialFile(folder), "the next daemon is on trial until an upgrade confirms it\n")();
}

/** No daemon is to be on trial any more. Throws `Fault`. */
export function endTrial(folder: string): void {
  const path = trialFile(folder);
  removeIfPossible(path);
  if (!isThere(path)) return;
  throw new Fault("internal", `cannot remove "${path}": check who may write there`);
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw new Fault("internal", `cannot look at "${path}": ${messageOf(error)}`);
  }
}

function trialFile(folder: string): string {
  return `${folder}/trial`;
}

function copyOf(folder: string): string {
  return `${folder}/svc.db.before-upgrade`;
}
