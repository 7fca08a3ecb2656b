import { Fault, messageOf } from "../../fault.ts";
import { holderOf } from "../../io/folder_lock.ts";
import { ownUid } from "../../io/trust.ts";
import { system } from "../service/manager.ts";

/** Pid of the process that holds a data folder; undefined where none does. Throws `Fault`. */
export function folderHolder(dataDir: string): number | undefined {
  try {
    const holder = holderOf(dataDir);
    return holder === undefined ? undefined : Number(holder) || 0;
  } catch (error) {
    throw new Fault(
      "forbidden",
      `cannot tell which daemon holds "${dataDir}": ${
        messageOf(error)
      }; run this as the daemon's user or as root`,
    );
  }
}

/** Ends the process that holds a data folder at once: what it runs outlives it. */
export function endHolder(dataDir: string): void {
  const pid = folderHolder(dataDir);
  if (pid !== undefined && pid > 1) endProcess(pid);
}

/** Throws `Fault` where a daemon of another user would have to be started by this one. */
export function demandSameUser(dataDir: string): void {
  const { uid } = Deno.statSync(dataDir);
  if (uid === null || uid === ownUid()) return;
  throw new Fault(
    "conflict",
    `cannot upgrade: no service manager starts the daemon, and it is user ${uid}'s; run this as that user`,
  );
}

/** What a service manager has made of a daemon. */
export interface ManagedBy {
  /** Words by which it is asked. */
  manager: string[];
  unit: string;
}

/** Which unit of systemd a process is of; undefined where that can't be told. */
export async function unitOf(pid: number): Promise<ManagedBy | undefined> {
  const { stdout } = await system(["/bin/sh", "-c", 'exec cat "/proc/$1/cgroup"', "sh", String(pid)]);
  const [, path = ""] = /^(?:0::|1:name=systemd:)(.*)$/m.exec(stdout) ?? [];
  const unit = path.split("/").filter((name) => name.endsWith(".service")).at(-1);
  if (unit === undefined || /^user@\d+\.service$/.test(unit)) return undefined;
  const isOfUser = path.includes("/user@");
  return { manager: isOfUser ? ["systemctl", "--user"] : ["systemctl"], unit };
}

/** Ends the main process of a unit where it holds no data folder yet, so that its manager starts the unit anew. */
export async function endMain({ manager, unit }: ManagedBy, { but }: { but: number }): Promise<void> {
  try {
    const { stdout } = await system([...manager, "show", "-p", "MainPID", "--value", unit]);
    const pid = Number(stdout);
    if (pid > 1 && pid !== but) endProcess(pid);
  } catch {
    // Who waits for the next daemon hears that none has come.
  }
}

function endProcess(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended just now; where it may not be ended, who waits for that sees it.
  }
}
