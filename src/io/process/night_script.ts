/**
 * The night watch: a shell that waits for the daemon's death, which is the end of its standard input, and then has somebody
 * read what the runs write, so that none waits for long. It gives up as soon as another daemon has put its own word in
 * the place of the one that this watch knows, or no keeper lives any more.
 *
 * Variables: KEEPERS and SPOOLS are folders, WORD is what stands in KEEPERS/daemon, DELAY and ROUND are seconds, MOST is how many
 * bytes of a stream are kept. Of each stream that nobody reads a reader copies so many into files, and what comes then is
 * counted: dd is told of two files, and writes to the last; the first is what it is found by.
 *
 * Where the daemon was systemd's (SYSTEMCTL is a path), and its unit (UNIT; else that of the watch's own group) has been inactive
 * for LAST seconds, no other is to come: what runs is asked to end, and is killed GRACE seconds later. Its keepers stay, with
 * what they have written down.
 *
 * When the daemon died is the time of the file KEEPERS/died.
 *
 * Numbers go on behind those of the files that are there. Where there is none, the time is larger than any.
 */
export const nightScript = `
umask 077
trap '' HUP
unit=$UNIT manager= idle=0
if [ -n "$SYSTEMCTL" ] && [ -z "$unit" ]; then
  while IFS= read -r line; do
    case $line in 0::*|*:name=systemd:*) ;; *) continue ;; esac
    while [ -n "$line" ]; do
      part=\${line%%/*}
      case $part in user@*.service) manager=--user ;; *.service) unit=$part ;; esac
      case $line in */*) line=\${line#*/} ;; *) line= ;; esac
    done
  done < /proc/self/cgroup
fi
is_mine() {
  { read -r word < "$KEEPERS/daemon"; } 2>/dev/null && [ "$word" = "$WORD" ]
}
read -r _
exec </dev/null
is_mine && { : > "$KEEPERS/died"; } 2>/dev/null
sleep "$DELAY"
readers() {
  grep -HszF -e "of=$SPOOLS/" /proc/[0-9]*/cmdline | tr '\\0' '\\n' | while IFS= read -r one; do
    pid=\${one#/proc/}
    [ -O "/proc/\${pid%%/*}" ] && echo " \${one##*/} "
  done
}
number() {
  next=
  for file in "$SPOOLS/$1."*; do
    case \${file##*.} in *[!0-9]*) continue ;; esac
    [ "\${next:--1}" -gt "\${file##*.}" ] || next=\${file##*.}
  done
  if [ -n "$next" ]; then next=$((next + 1)); else next=$(date +%s); fi
}
watch() {
  stream=$1.$2 pipe=/proc/$3/fd/$(($2 + 2)) total=0
  number "$stream"
  while is_mine && left=$(((MOST - total) / 65536)) && [ "$left" -gt 0 ]; do
    file=$SPOOLS/$stream.$next
    dd if="$pipe" of="$file" bs=65536 count="$left" 2>/dev/null || break
    size=$(wc -c < "$file") || break
    [ "$size" -ge "$left" ] || return
    total=$((total + size)) next=$((next + 1))
  done
  is_mine || return
  exec dd if="$pipe" of="$SPOOLS/$stream.lost" of=/dev/null bs=65536 2> "$SPOOLS/$stream.lost"
}
is_idle() {
  [ -n "$SYSTEMCTL" ] && [ -n "$unit" ] || return
  case $("$SYSTEMCTL" $manager is-active "$unit" 2>/dev/null) in
    inactive|failed) idle=$((idle + ROUND)) ;;
    *) idle=0 ;;
  esac
  [ "$idle" -ge "$LAST" ]
}
signal() {
  for file in "$KEEPERS"/*; do
    [ -f "$file" ] || continue
    { read -r tag keeper pid _ && read -r end _; } < "$file" 2>/dev/null
    [ "$tag" = "#pid" ] && [ "$end" != "#end" ] && [ "$file" -ef "/proc/$keeper/fd/7" ] || continue
    kill -s "$1" -- "-$pid" 2>/dev/null
    kill -s CONT -- "-$pid" 2>/dev/null
  done
}
while is_mine; do
  read=$(readers)
  found=
  for file in "$KEEPERS"/*; do
    run=\${file##*/}
    case $run in *[!0-9A-Za-z]*|daemon|died) continue ;; esac
    [ -f "$file" ] || continue
    keeper=
    { read -r tag keeper _ < "$file"; } 2>/dev/null
    [ "$tag" = "#pid" ] && [ "$file" -ef "/proc/$keeper/fd/7" ] || continue
    found=1
    for digit in 1 2; do
      case $read in *" $run.$digit."*) continue ;; esac
      eval "seen=\\\${seen_\${run}_$digit:-}; seen_\${run}_$digit=1"
      if [ -z "$seen" ]; then watch "$run" "$digit" "$keeper" & fi
    done
  done
  [ -n "$found" ] || exit
  if is_idle; then
    signal TERM
    sleep "$GRACE"
    is_mine && signal KILL
    exit
  fi
  sleep "$ROUND"
done
`;
