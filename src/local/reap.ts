import { stopMark } from "../core/service_file.ts";
import { Fault } from "../fault.ts";
import { lockFolder, removeIfPossible } from "../io/folder_lock.ts";
import { ownUid } from "../io/trust.ts";
import { reapKept } from "../io/process/reap.ts";

/**
 * Ends what a daemon of this data folder has left after its stop; answers what that was, in sentences. Does nothing while
 * a daemon holds the folder. Throws `Fault` where the folder is another user's.
 */
export async function reap(dataDir: string): Promise<string[]> {
  const { uid } = Deno.lstatSync(dataDir);
  if (uid !== ownUid()) {
    throw new Fault("forbidden", `cannot end what is left of "${dataDir}": user ${uid} owns it`);
  }
  const lines: string[] = [];
  const lock = lockFolder(dataDir);
  try {
    const { killed, left, untold } = await reapKept(dataDir, { say: (text) => lines.push(text) });
    for (const { pid, name } of killed) {
      lines.push(`killed ${name} (pid ${pid}), which was left after the stop`);
    }
    for (const { pid, name } of left) lines.push(`could not kill ${name} (pid ${pid})`);
    if (untold !== undefined) lines.push(`not all of what was left is known: ${untold}`);
    else if (left.length === 0) removeIfPossible(`${dataDir}/${stopMark}`);
    return lines;
  } finally {
    lock.release();
  }
}
