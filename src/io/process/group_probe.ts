import { plainEnvironment } from "../programs.ts";

/** What a folder in a hierarchy of control groups is good for. `v2` says which of the two kinds of hierarchy it is. */
export interface GroupTree {
  /** The folder in which the groups of runs are made: `.../svc-KEY`. */
  dir: string;
  v2: boolean;
  /** Controllers that act in the groups made there. */
  controllers: ReadonlySet<string>;
}

/**
 * Says where groups can be made: below the group that the daemon is in, of every hierarchy that has something
 * to give. Arguments: the key of the installation, the daemon's pid. A line for each: "DIR v|v2 CONTROLLER..." (v: of
 * the first version), and one for each place where a hierarchy is mounted: "at DIR".
 *
 * In a v2 hierarchy a group that holds processes can't hand controllers on. So where the daemon is alone in its
 * group it moves to a leaf of its own; where it is not, the groups do without controllers.
 */
const script = `
key=$1 daemon=$2
own() {
  while IFS=: read -r _ names path; do
    case ",$names," in *",$1,"*) echo "$path"; return ;; esac
  done < /proc/self/cgroup
}
base() {
  path=$(own "$3")
  case $path in ""|*..*) return 1 ;; esac
  [ "$1" = / ] || path=\${path#"$1"}
  base=$2\${path%/}
  [ -w "$base/cgroup.procs" ]
}
can_join() {
  mkdir "$1/probe" 2>/dev/null || [ -d "$1/probe" ] || return 1
  /bin/sh -c 'echo $$ > "$1/cgroup.procs"' join "$1/probe" 2>/dev/null
  status=$?
  rmdir "$1/probe"
  return $status
}
is_alone() {
  while read -r pid; do
    case $pid in $daemon|$$) ;; *) return 1 ;; esac
  done < "$base/cgroup.procs"
}
hand_on() {
  case " $(cat "$1/cgroup.subtree_control") " in *" $2 "*) return ;; esac
  { echo "+$2" > "$1/cgroup.subtree_control"; } 2>/dev/null
}
move_off() {
  is_alone && { mkdir "$tree/daemon" 2>/dev/null || [ -d "$tree/daemon" ]; } || return 1
  { echo "$daemon" > "$tree/daemon/cgroup.procs" && echo $$ > "$tree/daemon/cgroup.procs"; } 2>/dev/null
}
controllers() {
  for name in $(cat "$base/cgroup.controllers"); do
    case $name in memory|cpu|pids) ;; *) continue ;; esac
    hand_on "$base" $name || { move_off && hand_on "$base" $name; } || return
    hand_on "$tree" $name && names="$names $name"
  done
}
while read -r _ _ _ root at rest; do
  kind=\${rest#* - }
  set -- $kind
  case "$1 $at" in *\\\\*) continue ;; "cgroup "*|"cgroup2 "*) ;; *) continue ;; esac
  echo "at $at"
  names=
  if [ "$1" = cgroup ]; then
    for name in memory cpu cpuacct pids; do
      case ",$3," in *",$name,"*) names="$names $name" ;; esac
    done
    [ -z "$names" ] && continue
    first=\${names# }
    base "$root" "$at" "\${first%% *}" || continue
  else
    base "$root" "$at" "" || continue
  fi
  tree=$base/svc-$key
  mkdir "$tree" 2>/dev/null || [ -d "$tree" ] || continue
  can_join "$tree" || { rmdir "$tree"; continue; }
  [ "$1" = cgroup2 ] && controllers
  echo "$tree v\${1#cgroup}$names"
done < /proc/self/mountinfo
`;

/** A machine that takes longer than this to tell has no groups, ms. */
const probePatience = 10_000;

/** What a machine has of control groups. */
export interface GroupsFound {
  trees: GroupTree[];
  /** Where hierarchies are mounted. */
  mounts: string[];
}

/** Asks the machine where groups can be made; nothing where it has none, or allows none. */
export async function probeGroups(key: string): Promise<GroupsFound> {
  try {
    const { stdout } = await new Deno.Command("/bin/sh", {
      signal: AbortSignal.timeout(probePatience),
      args: ["-c", script, "svc-probe", key, String(Deno.pid)],
      clearEnv: true,
      env: { ...plainEnvironment },
      cwd: "/",
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    const mounts = text.split("\n").filter((line) => line.startsWith("at /")).map((line) => line.slice(3));
    return { trees: parseTrees(text), mounts };
  } catch {
    return { trees: [], mounts: [] };
  }
}

/** Reads what the probe printed; a hierarchy that is mounted twice counts once. */
export function parseTrees(text: string): GroupTree[] {
  const trees = new Map<string, GroupTree>();
  for (const line of text.split("\n")) {
    const match = /^(\/\S*) (v2?)((?: \w+)*)$/.exec(line);
    if (match === null) continue;
    const [, dir = "", kind, names = ""] = match;
    const controllers = new Set(names.trim().split(" ").filter((name) => name !== ""));
    const id = `${kind} ${[...controllers].join()}`;
    if (!trees.has(id)) trees.set(id, { dir, v2: kind === "v2", controllers });
  }
  return [...trees.values()];
}
