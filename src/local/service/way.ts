import type { OtherDaemon, WaySeen } from "../../core/service_way.ts";
import { obstacle, unitOfGroup } from "../../core/service_way.ts";
import { Fault } from "../../fault.ts";
import { holderOf } from "../../io/folder_lock.ts";
import { ownUid } from "../../io/trust.ts";
import { askShell } from "../../io/ask_shell.ts";
import { lookAtPort, portOf, recordIn } from "../doctor/look_doors.ts";
import { system } from "./manager.ts";
import { isMac, launchdDomain, type ServiceOptions, systemctlOf } from "./target.ts";

/** Where the daemon of a service will listen. */
export interface ServiceAddress {
  host: string;
  port: number;
}

/**
 * Throws `Fault` (conflict) where the daemon of a service could not start since another one has its folder, or
 * somebody its port: before anything is changed, since the service manager itself says nothing of either.
 */
export async function demandFreeWay(
  { dataDir, address }: { dataDir: string; address: ServiceAddress },
  options: ServiceOptions,
): Promise<void> {
  const why = obstacle(await lookAtWay(dataDir, { address, own: await pidOf(options) }));
  if (why === undefined) return;
  throw new Fault("conflict", `cannot install a service: ${why}; nothing was changed`);
}

async function lookAtWay(
  dataDir: string,
  { address, own }: { address: ServiceAddress; own: number },
): Promise<WaySeen> {
  const holder = lockHolder(dataDir);
  if (holder !== undefined && holder !== String(own)) {
    return { dataDir, holder: await otherDaemon(holder) };
  }
  const { url } = recordIn(dataDir);
  const isOwn = holder !== undefined && url !== undefined && portOf(url) === address.port;
  const port = isOwn ? undefined : await lookAtPort({ ...address, isUp: false });
  if (port === undefined || port.by?.pid === own) return { dataDir };
  const stop = port.by === undefined ? undefined : (await otherDaemon(String(port.by.pid))).stop;
  return { dataDir, port, ...(stop === undefined ? {} : { byStop: stop }) };
}

function lockHolder(dataDir: string): string | undefined {
  try {
    return holderOf(dataDir);
  } catch {
    // Another user's: the folder is refused with words of its own.
    return undefined;
  }
}

/** The main process of a service; 0 where it doesn't run. */
async function pidOf(options: ServiceOptions): Promise<number> {
  if (!isMac()) return await mainPid(systemctlOf(options), `${options.name}.service`);
  const { stdout } = await system(["launchctl", "print", `${launchdDomain(options)}/${options.name}`]);
  return Number(/^\s*pid = (\d+)/m.exec(stdout)?.[1] ?? 0);
}

async function mainPid(systemctl: readonly string[], unit: string): Promise<number> {
  const { stdout } = await system([...systemctl, "show", "--property=MainPID", unit]);
  return Number(/^MainPID=(\d+)$/m.exec(stdout)?.[1] ?? 0);
}

async function otherDaemon(pid: string): Promise<OtherDaemon> {
  if (isMac() || pid === "") return { pid };
  const found = unitOfGroup((await askShell('cat "/proc/$1/cgroup"', pid)).join("\n"));
  // Of another user's manager nothing can be asked.
  if (found === undefined || ![undefined, String(ownUid())].includes(found.uid)) return { pid };
  const systemctl = systemctlOf({ scope: found.uid === undefined ? "system" : "user" });
  // What is started by hand in a terminal is in the group of that.
  if (await mainPid(systemctl, found.unit) !== Number(pid)) return { pid };
  return { pid, stop: `${systemctl.join(" ")} stop ${found.unit}` };
}
