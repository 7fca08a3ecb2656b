/** Whether a service can be started here, and what to do about who is in its way. */
import { judgePort, type PortSeen } from "./doctor/doors.ts";

/** Another daemon, and what runs it. */
export interface OtherDaemon {
  pid: string;
  /** The command that stops its unit; undefined where it was started by hand. */
  stop?: string;
}

/** What was seen of what a new daemon will need. */
export interface WaySeen {
  dataDir: string;
  /** Who holds the data folder, beside the service's own daemon; absent where nobody does. */
  holder?: OtherDaemon;
  /** The port; absent where the service's own daemon has it. */
  port?: PortSeen;
  /** What runs the daemon that has the port. */
  byStop?: string;
}

/** Why a service can't start, and what to do, as a part of a sentence; undefined where nothing is in the way. */
export function obstacle({ dataDir, holder, port, byStop }: WaySeen): string | undefined {
  if (holder !== undefined) {
    const { pid, stop } = holder;
    if (pid === "") return `data folder "${dataDir}" is held by another daemon: stop that one`;
    return `data folder "${dataDir}" is held by another daemon (pid ${pid}${byHand(stop)}): ${
      stopping(pid, stop)
    }`;
  }
  if (port === undefined) return undefined;
  const { level, seen, advice } = judgePort(port);
  if (level !== "bad") return undefined;
  if (port.by === undefined) return `${seen}: ${advice}`;
  return `${seen.replace(/\)$/, `${byHand(byStop)})`)}: ${
    stopping(String(port.by.pid), byStop)
  }, or choose another port with --port`;
}

function byHand(stop: string | undefined): string {
  return stop === undefined ? ", started by hand" : "";
}

function stopping(pid: string, stop = `kill ${pid}`): string {
  return `stop it with "${stop}"`;
}

/** The unit in whose group a process is, by its `/proc/PID/cgroup`; `uid` is that of the user whose manager runs it. */
export function unitOfGroup(cgroup: string): { unit: string; uid?: string } | undefined {
  const path = /^(?:0:|\d+:name=systemd):(\/.*)$/m.exec(cgroup)?.[1];
  const parts = path?.split("/") ?? [];
  const manager = /^user@(\d+)\.service$/;
  const unit = parts.findLast((part) => part.endsWith(".service") && !manager.test(part));
  if (unit === undefined) return undefined;
  const uid = parts.map((part) => manager.exec(part)?.[1]).find((found) => found !== undefined);
  return { unit, ...(uid === undefined ? {} : { uid }) };
}
