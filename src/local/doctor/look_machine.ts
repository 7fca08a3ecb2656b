import process from "node:process";
import type {
  ClockSeen,
  ContainersSeen,
  GroupsSeen,
  GroupTreeSeen,
  ManagerSeen,
  OpenFilesSeen,
  ZonesSeen,
} from "../../core/doctor/machine.ts";
import { offsetAt, zoneOf } from "../../core/cron/zone.ts";
import { lookUpTimezone } from "../../io/machine_places.ts";
import type { Config } from "../../types.ts";
import { programPath } from "../../io/programs.ts";
import { askProgram, askShell } from "../../io/ask_shell.ts";
import { ownVariable } from "../../io/own_variable.ts";

const hour = 3_600_000;

/** Asks who keeps the clock right, and what it shows. */
export async function lookAtClock(now: number, newestRun: number | undefined): Promise<ClockSeen> {
  const isSynchronized = await asksTime();
  return {
    now,
    ...(newestRun === undefined ? {} : { newestRun }),
    ...(isSynchronized === undefined ? {} : { isSynchronized }),
  };
}

/** Looks at the zone that tasks run in, and at zone data. */
export function lookAtZones(config: Config | undefined): ZonesSeen {
  const variable = ownVariable("TZ");
  const configured = config?.daemon.timezone;
  const found = lookUpTimezone();
  const summer = Date.UTC(2026, 6, 1, 12);
  return {
    ...(configured === undefined ? {} : { configured }),
    host: "zone" in found ? found.zone : "",
    ...("why" in found ? { refusal: found.why } : {}),
    ...(variable ? { variable } : {}),
    isVariableKnown: !("isUnknown" in found),
    edition: process.versions["tz"] ?? "unknown",
    isDataRight: offsetAt(zoneOf("Europe/Berlin"), summer) === 2 * hour &&
      offsetAt(zoneOf("America/New_York"), summer) === -4 * hour,
    machineHasData: isThere("/usr/share/zoneinfo/Europe/Berlin") || isThere("/usr/share/zoneinfo/Europe"),
  };
}

/** Control groups of the daemon with this pid, or as one that is started from here would find them. */
export async function lookAtGroups(
  config: Config | undefined,
  { pid, daemonHas }: { pid: number | undefined; daemonHas: boolean | undefined },
): Promise<GroupsSeen> {
  const lines = await askShell(groupScript, String(pid ?? "self"));
  return {
    os: Deno.build.os,
    trees: lines.map((line): GroupTreeSeen => {
      const [kind, door, type = "", ...controllers] = line.split(" ");
      const tree = { version: kind === "v2" ? 2 : 1, isWritable: door === "open", controllers } as const;
      return type.includes("-") ? { ...tree, brokenType: type.replaceAll("-", " ") } : tree;
    }),
    ...(daemonHas === undefined ? {} : { daemonHas }),
    limited: (config?.units ?? []).filter(({ limits }) => Object.keys(limits).length > 0).map(({ name }) =>
      name
    ),
  };
}

/** Looks at the limit of open files of a daemon, or of what is started from here. */
export async function lookAtOpenFiles(
  config: Config | undefined,
  pid: number | undefined,
): Promise<OpenFilesSeen | undefined> {
  const ofDaemon = pid === undefined
    ? undefined
    : (await askShell('grep "^Max open files" "/proc/$1/limits"', String(pid)))[0]?.split(/\s+/)[3];
  const text = ofDaemon ?? (await askShell("ulimit -n"))[0];
  const limit = text === "unlimited" ? Infinity : Number(text);
  if (Number.isNaN(limit)) return undefined;
  return { limit, runs: runsAtOnce(config), ofDaemon: ofDaemon !== undefined };
}

/** Looks who starts daemons on this machine. */
export function lookAtManager(daemon: ManagerSeen["daemon"]): ManagerSeen {
  const manager = isThere("/run/systemd/system")
    ? "systemd"
    : Deno.build.os === "darwin"
    ? "launchd"
    : "none";
  return { ...(daemon === undefined ? {} : { daemon }), manager };
}

function runsAtOnce(config: Config | undefined): number {
  if (config === undefined) return 0;
  const services = config.units.reduce(
    (sum, unit) => sum + (unit.kind === "service" ? unit.instances : 0),
    0,
  );
  const tasks = config.units.reduce((sum, unit) => sum + (unit.kind === "task" ? unit.maxConcurrent : 0), 0);
  const { maxParallelRuns } = config.daemon;
  return services + (maxParallelRuns === 0 ? tasks : Math.min(tasks, maxParallelRuns));
}

/** Undefined where there is nobody to ask: in a container the clock is the host's. */
async function asksTime(): Promise<boolean | undefined> {
  if (isThere("/run/systemd/timesync/synchronized")) return true;
  if (!isThere("/run/systemd/system")) return undefined;
  const [answer] = await askShell("timedatectl show -p NTPSynchronized --value");
  return answer === "yes" ? true : answer === "no" ? false : undefined;
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * For each hierarchy that a process is in: "v2|v1 open|shut TYPE CONTROLLER...". Nothing is made or moved. The
 * controllers of the second version are those that act in groups made there: what a daemon has handed on to the
 * groups of its runs, else what its own group hands on (the root alone can do that later, while it holds processes);
 * of the first those of the hierarchy. TYPE is that of its group, with "-" for blanks.
 */
const groupScript = `
pid=$1
own() {
  while IFS=: read -r _ names path; do
    case ",$names," in *",$1,"*) echo "$path"; return ;; esac
  done < "/proc/$pid/cgroup"
}
while read -r _ _ _ root at rest; do
  set -- \${rest#* - }
  names=
  case "$1" in
    cgroup)
      for name in memory cpu pids; do
        case ",$3," in *",$name,"*) names="$names $name" ;; esac
      done
      [ -n "$names" ] || continue
      first=\${names# }
      path=$(own "\${first%% *}") ;;
    cgroup2) path=$(own "") ;;
    *) continue ;;
  esac
  [ "$root" = / ] || path=\${path#"$root"}
  folder=$at\${path%/}
  tree=$folder type=domain
  # A daemon that has moved to a leaf of its own makes its groups beside that.
  case $folder in */svc-*/daemon) tree=\${folder%/daemon} folder=\${folder%/svc-*/daemon} ;; esac
  door=shut
  [ -w "$folder/cgroup.procs" ] && door=open
  if [ "$1" = cgroup2 ]; then
    handed=$tree/cgroup.subtree_control
    [ -e "$tree/cgroup.type" ] || handed=$tree/cgroup.controllers
    names=" $(cat "$handed" 2>/dev/null)"
    words=$(cat "$folder/cgroup.type" 2>/dev/null)
    case $words in *" "*) type=\${words% *}-\${words#* } ;; threaded) type=-threaded ;; esac
  fi
  echo v\${1#cgroup} $door $type $names
done < /proc/self/mountinfo | sed 's/^v /v1 /'
`;

/** Asks docker for its compose. */
export async function lookAtContainers(): Promise<ContainersSeen> {
  const docker = programPath("docker");
  if (docker === undefined) return { hasDocker: false };
  const [compose] = await askProgram(docker, ["compose", "version", "--short"]);
  return { hasDocker: true, ...(compose === undefined ? {} : { compose }) };
}
