import { daemonGroup } from "../../core/service_file.ts";
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
 * In a v2 hierarchy a group that holds processes can't hand controllers on, apart from the root. Worse: it may hand on
 * cpu and pids, which turns it into a threaded domain, where nothing below can be joined any more. So nothing is handed
 * on before the daemon has moved to a leaf of its own, with its children. Where it shares its group with others its
 * groups do without controllers, which is told by "shared DIR".
 *
 * A group that systemd puts the next daemon into (the third argument is not empty) may never hand anything on, since runs
 * outlive the daemon there. Systemd has made the daemon's a leaf of its own, then, beside which groups are made; or the
 * fourth argument is a group for runs, below those of systemd; or groups do without controllers.
 */
const script = `
key=$1 daemon=$2 managed=$3 scope=$4
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
is_ours() {
  of=$1
  while [ "$of" != "$daemon" ]; do
    [ "$of" -gt 1 ] || return 1
    parent=0
    { while read -r word value; do
      [ "$word" = PPid: ] && { parent=$value; break; }
    done < "/proc/$of/status"; } 2>/dev/null
    of=$parent
  done
}
is_alone() {
  # All in there is of this installation.
  [ -n "$scope" ] && [ "$1" = "$at$scope" ] && return
  while read -r pid; do
    # 0 is a process that can't be seen from here.
    is_ours "$pid" || { [ "$pid" != 0 ] && [ ! -e "/proc/$pid" ]; } || return 1
  done < "$1/cgroup.procs"
}
has() {
  case " $(cat "$1" 2>/dev/null) " in *" $2 "*) return ;; esac
  return 1
}
hand_on() {
  has "$1/cgroup.subtree_control" $2 || { echo "+$2" > "$1/cgroup.subtree_control"; } 2>/dev/null
}
take_back() {
  for name in $(cat "$1/cgroup.subtree_control"); do
    { echo "-$name" > "$1/cgroup.subtree_control"; } 2>/dev/null
  done
}
move_off() {
  is_alone "$base" || { echo "shared $base"; return 1; }
  mkdir "$tree/daemon" 2>/dev/null || [ -d "$tree/daemon" ] || return 1
  # What is started meanwhile is met in the next round.
  for round in 1 2 3 4 5; do
    [ -n "$(cat "$base/cgroup.procs")" ] || return 0
    is_alone "$base" || { echo "shared $base"; return 1; }
    for pid in $(cat "$base/cgroup.procs"); do
      { echo "$pid" > "$tree/daemon/cgroup.procs"; } 2>/dev/null
    done
  done
  return 1
}
controllers() {
  wanted=
  for name in memory cpu pids; do
    has "$base/cgroup.controllers" $name && wanted="$wanted $name"
  done
  [ -n "$wanted" ] || return
  case $place in
    entered) return ;;
    beside) [ -z "$(cat "$base/cgroup.procs")" ] || { echo "shared $base"; return; } ;;
  esac
  # Only the root has no type, and may hold processes beside groups that have controllers.
  [ "$place" = beside ] || [ ! -e "$base/cgroup.type" ] || move_off || return
  for name in $wanted; do
    hand_on "$base" $name && hand_on "$tree" $name && names="$names $name"
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
    place=
    if [ -n "$managed" ]; then
      place=entered
      case $base in
        */${daemonGroup}) base=\${base%/*} place=beside ;;
        *) [ -z "$scope" ] || { base=$at$scope place=; } ;;
      esac
      [ -w "$base/cgroup.procs" ] || continue
    fi
  fi
  tree=$base/svc-$key
  mkdir "$tree" 2>/dev/null || [ -d "$tree" ] || continue
  # What a daemon of an earlier version has turned into a threaded domain.
  [ "$1" = cgroup2 ] && has "$base/cgroup.type" threaded && is_alone "$base" && take_back "$base"
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
  /** A group of the second version that the daemon shares with others, so that it can't have limits below. */
  shared?: string;
}

/** What the probe is told of the daemon's place. */
export interface Standing {
  /** Whether systemd puts the next daemon into the same group. */
  isManaged: boolean;
  /** A group that systemd has made for runs: its path among the groups. */
  scope?: string | undefined;
}

/** Asks the machine where groups can be made; nothing where it has none, or allows none. */
export async function probeGroups(
  key: string,
  { isManaged, scope = "" }: Standing = { isManaged: false },
): Promise<GroupsFound> {
  try {
    const { stdout } = await new Deno.Command("/bin/sh", {
      signal: AbortSignal.timeout(probePatience),
      args: ["-c", script, "svc-probe", key, String(Deno.pid), isManaged ? "yes" : "", scope],
      clearEnv: true,
      env: { ...plainEnvironment },
      cwd: "/",
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    const said = (word: string): string[] =>
      text.split("\n").filter((line) => line.startsWith(`${word} /`)).map((line) =>
        line.slice(word.length + 1)
      );
    const [shared] = said("shared");
    return { trees: parseTrees(text), mounts: said("at"), ...(shared === undefined ? {} : { shared }) };
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
