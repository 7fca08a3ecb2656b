/**
 * What the warden knows of runs that outlive the daemon:
 *
 *   keepers RUNID:PID ... FOLDER   seconds since boot, then the id of each run whose keeper lives: the process that holds its file in
 *                                  this folder as descriptor 7
 *   readers FOLDER                 "PID NAME" of each process of this user that copies into the file of that name in this folder
 *
 * The first needs no child, so that a thousand are asked for at once. A folder is absolute, and ends the line.
 */
export const keptScript = `
keepers() {
  { read -r uptime _ < /proc/uptime; } 2>/dev/null
  echo "$uptime"
  folder=/\${1#*/}
  for one in \${1%%/*}; do
    [ "$folder/\${one%%:*}" -ef "/proc/\${one#*:}/fd/7" ] && echo "\${one%%:*}"
  done
}
readers() {
  list cmdline
  grep -HszF -e "of=$1/" $files | tr '\\0' '\\n' | while IFS= read -r one; do
    pid=\${one#/proc/} name=\${one##*/}
    pid=\${pid%%/*}
    [ -n "$name" ] && [ -O "/proc/$pid" ] && echo "$pid $name"
  done
}
`;
