import { utcTime } from "../time_words.ts";
import { bad, type Finding, ok, warn } from "./finding.ts";

/** What was seen of the clock. Times are Unix ms. */
export interface ClockSeen {
  now: number;
  /** Of the newest run that is stored. */
  newestRun?: number;
  /** Whether something keeps the clock right; absent where that can't be told. */
  isSynchronized?: boolean;
}

/** No clock that is right shows a time before this program was written, or centuries after it. */
const earliest = Date.UTC(2026, 0, 1);
const latest = Date.UTC(2100, 0, 1);
/** A clock that falls back by less is none of anybody's business. */
const smallJump = 120_000;

/** Whether schedules can trust the clock. */
export function judgeClock({ now, newestRun, isSynchronized }: ClockSeen): Finding {
  const check = "clock";
  const seen = utcTime(now);
  if (now < earliest || now > latest) {
    return bad(check, `shows ${seen}`, "set it; every schedule goes by it");
  }
  if (newestRun !== undefined && newestRun > now + smallJump) {
    return bad(
      check,
      `shows ${seen}, but a run is stored from ${utcTime(newestRun)}: it was set back`,
      "check which of the two is right; ticks until then are taken as handled",
    );
  }
  if (isSynchronized === false) {
    return warn(
      check,
      `shows ${seen}, and nothing keeps it right`,
      "set up a time service, such as systemd-timesyncd or chrony",
    );
  }
  return ok(check, isSynchronized === undefined ? seen : `${seen}, synchronized`);
}

/** What was seen of time zones. */
export interface ZonesSeen {
  /** Of the configuration; absent where it names none. */
  configured?: string;
  /** Of this machine, as this program takes it. */
  host: string;
  /** The variable TZ. */
  variable?: string;
  /** Why no zone is like it. */
  refusal?: string;
  /** Whether it is known as a zone. */
  isVariableKnown: boolean;
  /** Edition of the data in this program, e.g. "2026b". */
  edition: string;
  /** Whether a zone with summer time behaves as one. */
  isDataRight: boolean;
  /** Whether the machine has zone data for the programs that it runs. */
  machineHasData: boolean;
}

/** Whether tasks run in the zone that is meant, by data that is there. */
export function judgeZones(seen: ZonesSeen): Finding[] {
  const zone = "time zone";
  const data = "zone data";
  const { configured, host, variable, edition } = seen;
  const named = configured !== undefined
    ? ok(zone, `${configured}, from the configuration`)
    : seen.refusal !== undefined
    ? bad(
      zone,
      `${seen.refusal}: the daemon does not start`,
      'set TZ to a name like Europe/Berlin, or "timezone" in [daemon]',
    )
    : variable !== undefined && !seen.isVariableKnown
    ? bad(
      zone,
      `TZ is "${variable}", which is no zone: ${host} is used`,
      "set TZ to a name like Europe/Berlin",
    )
    : ok(zone, `${host}, of this machine`);
  if (!seen.isDataRight) {
    return [named, bad(data, `of this program (${edition}) is not usable`, "install svc anew")];
  }
  return [
    named,
    seen.machineHasData ? ok(data, `${edition} in this program, and that of the machine`) : warn(
      data,
      `${edition} in this program, but the machine has none: what scripts print is in UTC`,
      "install the package tzdata",
    ),
  ];
}

/** Whether the programs are there that the daemon asks for help; `missing` are sentences. */
export function judgeHelpers(missing: readonly string[]): Finding[] {
  const check = "helpers";
  if (missing.length === 0) return [ok(check, "all programs that the daemon asks are there")];
  return missing.map((sentence) =>
    warn(check, sentence, "install it where only root can write, or put its folder into the daemon's PATH")
  );
}

/** A hierarchy of control groups as the daemon would find it. */
export interface GroupTreeSeen {
  version: 1 | 2;
  isWritable: boolean;
  /** Those that act in groups made below it. */
  controllers: readonly string[];
  /** The type of a group of the second version below which nothing can be joined, e.g. "domain threaded". */
  brokenType?: string;
}

/** What was seen of control groups. */
export interface GroupsSeen {
  os: string;
  trees: readonly GroupTreeSeen[];
  /** What the running daemon says; absent where none runs. */
  daemonHas?: boolean;
  /** Names of units that set limits. */
  limited: readonly string[];
}

/** Whether runs get groups of their own, by which limits hold and nothing escapes a stop. */
export function judgeGroups({ os, trees, daemonHas, limited }: GroupsSeen): Finding {
  const check = "control groups";
  const without = limited.length === 0
    ? "processes that leave their session are found by their environment alone"
    : `the limits of ${listed(limited)} are not held`;
  const told = limited.length === 0 ? warn : bad;
  if (os !== "linux") {
    return limited.length === 0
      ? ok(check, `${os} has none; processes are found by their environment`)
      : bad(check, `${os} has none: ${without}`, "leave limits out here");
  }
  if (trees.length === 0) {
    return told(check, `none are mounted: ${without}`, "mount cgroup2 at /sys/fs/cgroup");
  }
  const versions = [...new Set(trees.map(({ version }) => `v${version}`))].sort().join(" and ");
  const broken = trees.find(({ brokenType }) => brokenType !== undefined)?.brokenType;
  const usable = trees.filter(({ isWritable, brokenType }) => isWritable && brokenType === undefined);
  if (broken !== undefined && !usable.some(({ version }) => version === 2)) {
    return told(
      check,
      `v2, but the group that the daemon is in is "${broken.trim()}", so that no run can have one: ${without}`,
      "start the daemon in another group: restart its service, or log in anew",
    );
  }
  if (daemonHas === false || usable.length === 0) {
    return told(
      check,
      `${versions}, but the daemon's own is not writable: ${without}`,
      "run the daemon as root, or as a systemd service with Delegate=yes",
    );
  }
  const controllers = ["memory", "cpu", "pids"].filter((name) =>
    usable.some((tree) => tree.controllers.includes(name))
  );
  if (controllers.length < 3 && limited.length > 0) {
    const lacking = ["memory", "cpu", "pids"].filter((name) => !controllers.includes(name));
    return (controllers.length === 0 ? bad : warn)(
      check,
      `${versions}, but ${listed(lacking)} ${
        lacking.length === 1 ? "is" : "are"
      } not handed on to the groups of runs: such limits of ${listed(limited)} are not held`,
      'run the daemon as a service of its own with Delegate=yes, as "svc service install" does',
    );
  }
  const held = controllers.length > 0
    ? `: ${controllers.join(", ")}`
    : ", without controllers: limits are not held";
  return ok(check, `${versions}, usable${held}`);
}

/** What was seen of the limit of open files. */
export interface OpenFilesSeen {
  limit: number;
  /** Runs that may execute at once. */
  runs: number;
  ofDaemon: boolean;
}

/** What a run has open: pipes, log, index. */
const filesOfRun = 6;
/** What a daemon has open besides, clients included. */
const filesOfDaemon = 256;

/** Whether the daemon may open as many files as its units need. */
export function judgeOpenFiles({ limit, runs, ofDaemon }: OpenFilesSeen): Finding {
  const check = "open files";
  const needed = filesOfDaemon + runs * filesOfRun;
  const seen = `${limit} ${ofDaemon ? "for the daemon" : "here"}, ${runs} ${
    runs === 1 ? "run" : "runs"
  } at once need about ${needed}`;
  if (limit >= needed) return ok(check, seen);
  return warn(check, seen, "raise it: LimitNOFILE= in systemd, ulimit -n elsewhere");
}

/** What was seen of who runs the daemon. */
export interface ManagerSeen {
  /** Absent where none runs. */
  daemon?: { pid: number; isManaged: boolean };
  manager: "systemd" | "launchd" | "none";
}

/** Whether something starts the daemon anew after a boot or a crash. */
export function judgeManager({ daemon, manager }: ManagerSeen): Finding {
  const check = "run by";
  const install = manager === "none"
    ? "have the machine's own start files start it"
    : '"svc service install" has it started at each boot';
  if (daemon === undefined) {
    return ok(
      check,
      manager === "none" ? "this machine has no systemd" : `${manager} could run a daemon here`,
    );
  }
  if (daemon.isManaged) return ok(check, manager === "none" ? "a service manager" : manager);
  if (daemon.pid === 1) {
    return warn(
      check,
      "the daemon is process 1: orphans that others leave are never reaped",
      "start the container with --init",
    );
  }
  return warn(check, "the daemon was started by hand: it is gone after a crash or boot", install);
}

function listed(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
}

/** What was seen of docker, where a configuration names compose files. */
export interface ContainersSeen {
  /** Absent where there is no docker, or it has no compose. */
  compose?: string;
  hasDocker: boolean;
}

/** Whether services of compose files can be started. */
export function judgeContainers({ compose, hasDocker }: ContainersSeen): Finding {
  const check = "containers";
  if (compose !== undefined) return ok(check, `docker compose ${compose}`);
  return hasDocker
    ? bad(
      check,
      'docker has no "compose", or does not answer',
      "install its plugin (docker-compose-v2, docker-compose-plugin)",
    )
    : bad(
      check,
      'there is no "docker" in PATH, or only where others may write',
      "install it with its compose plugin",
    );
}
