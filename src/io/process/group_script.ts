/**
 * The part of the warden that looks after control groups. A group is named, not addressed: it is a folder of that
 * name in every tree. The environment says which trees there are: MAIN is the one by which groups are watched and
 * killed, MEM and CPU are those that count memory and time (MEM_V2, CPU_V2: files of the second version), PIDS is
 * one in which forks can be stopped, TREES is all in which groups are made before they are wanted, and ALL all.
 *
 *   make PREFIX FROM TO     makes groups in advance: "made", or nothing
 *   remove GROUP...         removes groups: "busy GROUP" of each that still holds processes
 *   usage GROUP...          "usage GROUP CPU PEAK NOW OOM" of each; "-" for what can't be read
 *   kill GROUP              kills what is in a group and below it, once
 *   finish WHAT:GROUP...    looks at groups whose run has ended, kills what is there unless WHAT is "spare":
 *                           "killed GROUP PID NAME", "left GROUP PID NAME", and the line of "usage", after which the peak of a
 *                           group of the first version is set back
 *   leftovers =GROUP=GROUP=... DIR...
 *                           kills what an earlier daemon left in the groups of its trees, the first of which was its
 *                           main one, apart from these groups: "killed - PID NAME", "left - PID NAME", "kept GROUP"
 *                           for strays that it let go
 *   close                   removes all trees
 *
 * None of it needs a child, apart from mkdir and rmdir, one for many groups.
 */
export const groupScript = `
members() {
  # 0 is a process that can't be seen from here; killing it would kill this shell.
  { while read -r pid; do [ "$pid" -gt 0 ] && echo "$pid"; done < "$1/cgroup.procs"; } 2>/dev/null
  for sub in "$1"/*/; do [ -d "$sub" ] && members "\${sub%/}"; done
}
busy() {
  if [ -e "$1/cgroup.events" ]; then
    { while read -r name value; do
      [ "$name" = populated ] && { [ "$value" = 1 ]; return; }
    done < "$1/cgroup.events"; } 2>/dev/null
    return 1
  fi
  read -r pid 2>/dev/null < "$1/cgroup.procs" && return
  for sub in "$1"/*/; do [ -d "$sub" ] && busy "\${sub%/}" && return; done
  return 1
}
kill_group() {
  [ -e "$1/cgroup.kill" ] && { echo 1 > "$1/cgroup.kill"; return; }
  [ -n "$PIDS" ] && [ -e "$PIDS/\${1##*/}/pids.max" ] && echo 0 > "$PIDS/\${1##*/}/pids.max"
  for pid in $(members "$1"); do kill -9 "$pid" 2>/dev/null; done
}
comm() {
  comm=
  { read -r comm < "/proc/$1/comm"; } 2>/dev/null
}
empty_group() {
  for pid in $(members "$1"); do comm "$pid"; echo "killed $2 $pid $comm"; done
  round=0
  while busy "$1"; do
    [ $round -ge 50 ] && { for pid in $(members "$1"); do comm "$pid"; echo "left $2 $pid $comm"; done; return; }
    [ $round -ge 1 ] && sleep 0.02
    kill_group "$1"
    round=$((round + 1))
  done
}
prune() {
  for sub in "$1"/*/; do [ -d "$sub" ] && prune "\${sub%/}"; done
  rmdir "$1"
}
count_ooms() {
  { while read -r name value; do [ "$name" = oom_kill ] && oom=$value; done < "$1"; } 2>/dev/null
}
usage() {
  cpu= peak= now= oom=
  { if [ -n "$CPU_V2" ]; then read -r _ cpu < "$CPU/$1/cpu.stat"
  elif [ -n "$CPU" ]; then read -r cpu < "$CPU/$1/cpuacct.usage"; fi
  if [ -n "$MEM_V2" ]; then
    read -r peak < "$MEM/$1/memory.peak"
    read -r now < "$MEM/$1/memory.current"
    count_ooms "$MEM/$1/memory.events"
  elif [ -n "$MEM" ]; then
    read -r peak < "$MEM/$1/memory.max_usage_in_bytes"
    read -r now < "$MEM/$1/memory.usage_in_bytes"
    count_ooms "$MEM/$1/memory.oom_control"
  fi; } 2>/dev/null
  echo "usage $1 \${cpu:--} \${peak:--} \${now:--} \${oom:--}"
}
finish() {
  for item; do
    what=\${item%%:*} group=\${item#*:}
    if busy "$MAIN/$group"; then
      # The mark tells a later daemon that these processes were let go.
      if [ "$what" = spare ]; then mkdir "$MAIN/$group/kept"
      else empty_group "$MAIN/$group" "$group"; fi
    fi
    usage "$group"
    [ -z "$MEM" ] || [ -n "$MEM_V2" ] || echo 0 2>/dev/null > "$MEM/$group/memory.max_usage_in_bytes"
  done
}
make() {
  dirs= n=$2
  while [ $n -lt $3 ]; do
    for tree in $TREES; do dirs="$dirs $tree/$1$n"; done
    n=$((n + 1))
  done
  mkdir $dirs && echo made
}
remove() {
  dirs= nested=
  for group; do
    busy "$MAIN/$group" && { echo "busy $group"; continue; }
    for tree in $ALL; do
      [ -d "$tree/$group" ] || continue
      dirs="$dirs $tree/$group"
    done
  done
  [ -z "$dirs" ] || rmdir $dirs 2>/dev/null && return
  for dir in $dirs; do
    [ -d "$dir" ] && prune "$dir"
    [ -d "$dir" ] && echo "busy \${dir##*/}"
  done
}
leftovers() {
  spared=$1 main=$2
  shift
  for group in "$main"/*/; do
    group=\${group%/}
    [ -d "$group" ] && [ "\${group##*/}" != daemon ] || continue
    case $spared in *"=\${group##*/}="*) continue ;; esac
    if [ -d "$group/kept" ] && busy "$group"; then echo "kept \${group##*/}"; continue; fi
    busy "$group" && empty_group "$group" -
  done
  for tree; do
    dirs=
    for group in "$tree"/*/; do
      group=\${group%/}
      case $spared in *"=\${group##*/}="*) ;; *) dirs="$dirs $group" ;; esac
    done
    [ -n "$dirs" ] && rmdir $dirs
    for group in $dirs; do
      [ -d "$group" ] && ! busy "$group" && prune "$group"
    done
    case " $ALL " in *" $tree "*) ;; *) [ -d "$tree" ] && rmdir "$tree" ;; esac
  done
}
close() {
  for tree in $ALL; do
    rmdir "$tree"/*/
    rmdir "$tree"
  done
}
`;
