import { groupScript } from "./group_script.ts";
import { keptScript } from "./kept_script.ts";

/**
 * The warden: one long-lived /bin/sh child that reads the process table for the daemon, which may not
 * read /proc itself. It answers one-line questions with lines and a final ".", in order.
 *
 *   skip PID...      from now on these processes are not looked into: what reads there does not come back
 *   probe PID        reads what all processes with larger pids have to tell: "at PID" before each
 *   boot             the boot id
 *   ticks PID        field 22 of /proc/PID/stat, or nothing
 *   carriers         "PID/RUNID" of each process that carries a run id
 *   sessions A|B|... the line of /proc/PID/stat of each process in these sessions, after one with the size of a page
 *   rest PID RUNID GROUP [UID]
 *                    "PID PGRP NAME" of each process that lives in the session or process group of that pid, or in
 *                    the control group of that name; where that is "-", of each carrier of the run id, too
 *   peers A|B|...    rows of the tables of TCP connections that have one of these pairs of ends, 64 at most, among
 *                    some 100,000 of each: the kernel takes 9 us for a row
 *   disk FOLDER      how many KiB its file system has left for this user, or nothing
 *   system           the first line of /proc/stat, and how much memory there is (read without a child)
 *   sweep A|B|... [A:UID ...]
 *                    kills carriers of these run ids until none is left (1 s at most): "killed PID/RUNID NAME",
 *                    "left PID/RUNID NAME", and "-" now and then. Where a run's user is named, processes of others are none of it
 *
 * and what group_script.ts says of control groups, kept_script.ts of runs that outlive the daemon.
 */
export const wardenScript: string = groupScript + keptScript + `
stat() {
  line=
  { while read -r part || [ -n "$part" ]; do line="$line $part"; done < "/proc/$1/stat"; } 2>/dev/null
  rest=\${line##*) }
  [ "$rest" = "$line" ] && return
  set -- $rest
  [ "$1" != Z ] && echo "\${20}"
}
files() {
  files=
  for file in /proc/[0-9]*/$1; do
    pid=\${file#/proc/}
    case " $skipped " in *" \${pid%%/*} "*) ;; *) files="$files $file" ;; esac
  done
}
list() {
  files="/proc/[0-9]*/$1"
  [ -z "$skipped" ] || files "$1"
}
carriers() {
  list environ
  grep -HszaoE "^SVC_RUN_ID=($1)\\$" $files | tr '\\0' '\\n' |
    while IFS=/ read -r _ _ pid entry; do echo "$pid/\${entry#*=}"; done
}
load() {
  { read -r line < /proc/stat && echo "$line"; } 2>/dev/null
  { while read -r line; do
    case $line in
      MemTotal:*) echo "$line" ;;
      MemAvailable:*) echo "$line"; break ;;
    esac
  done < /proc/meminfo; } 2>/dev/null
}
owned() {
  while read -r one; do
    case $owners in
      *" \${one#*/}:"*)
        wanted=\${owners#*" \${one#*/}:"} real=
        { while read -r key real _; do [ "$key" = Uid: ] && break; done < "/proc/\${one%%/*}/status"; } 2>/dev/null
        [ "$real" = "\${wanted%% *}" ] || continue ;;
    esac
    echo "$one"
  done
}
describe() {
  line=
  { while read -r part || [ -n "$part" ]; do line="$line $part"; done < "/proc/$1/stat"; } 2>/dev/null
  after=\${line##*) } name=\${line#*(}
  [ "$after" = "$line" ] && return
  name=\${name%)*} shown=$1
  set -- $after
  case $1 in Z|X) ;; *) echo "$shown $3 $name" ;; esac
}
rest() {
  list stat
  {
    grep -lszE "\\) [A-Za-z] [0-9]+ ($1 [0-9]+|[0-9]+ $1) " $files | tr '\\0' '\\n'
    if [ "$3" = - ]; then
      owners="\${4:+ $2:$4 }"
      carriers "$2" | owned
    else members "$MAIN/$3"; fi
  } | while read -r one; do
    one=\${one#/proc/}
    describe "\${one%%/*}"
  done
}
probe() {
  for dir in /proc/[0-9]*; do
    pid=\${dir#/proc/}
    [ "$pid" -gt "$1" ] || continue
    case " $skipped " in *" $pid "*) continue ;; esac
    echo "at $pid"
    head -qc 1 "$dir/stat" "$dir/environ" > /dev/null 2>&1
  done
}
sweep() {
  ids=$1 round=0
  shift
  owners=" $* "
  while found=$(carriers "$ids" | owned); [ -n "$found" ]; do
    [ $round -ge 40 ] && { for one in $found; do comm "\${one%%/*}"; echo "left $one $comm"; done; return; }
    echo -
    for one in $found; do
      comm "\${one%%/*}"
      kill -9 "\${one%%/*}" 2>/dev/null && [ $round -eq 0 ] && echo "killed $one $comm"
    done
    round=$((round + 1))
    sleep 0.02
  done
}
skipped=
while read -r verb argument; do
  case $verb in
    boot) cat /proc/sys/kernel/random/boot_id 2>/dev/null ;;
    skip) skipped=$argument ;;
    probe) probe "$argument" ;;
    rest) rest $argument ;;
    ticks) stat "$argument" ;;
    carriers) carriers "[0-9A-Z]*" ;;
    sessions)
      echo "\${page:=$(getconf PAGESIZE 2>/dev/null)}"
      list stat
      grep -hszE "\\) [A-Za-z] [0-9]+ [0-9]+ ($argument) " $files | tr '\\n\\0' ' \\n' ;;
    peers) head -qc 15000000 /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -Em 64 ": ($argument) " ;;
    system) load ;;
    keepers|readers) $verb "$argument" ;;
    disk) df -Pk -- "$argument" 2>/dev/null | { read -r _ && read -r _ _ _ free _ && echo "$free"; } ;;
    sweep) sweep $argument ;;
    make|remove|usage|finish|leftovers|close|kill)
      case $verb in
        kill) kill_group "$MAIN/$argument" ;;
        usage) for group in $argument; do usage "$group"; done ;;
        *) $verb $argument ;;
      esac ;;
  esac
  echo .
done
`;
