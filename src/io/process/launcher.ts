/** Exit code by which the launcher says that it could not get as far as the script; it then leaves a note. */
export const launcherFailed = 125;

/** A line of a note that begins so tells of trouble that the run went on in spite of. */
export const troubleMark = "+ ";

/** What the launcher is to do before it becomes the unit's shell. */
export interface LauncherOrder {
  /** Path of the file that takes the note. */
  note: string;
  umask?: string | undefined;
  /** Absent: as the daemon. */
  as?: { uid: number; gid: number } | undefined;
  cwd: string;
  /** See `joinArguments`. */
  groups: readonly string[];
  command: readonly string[];
  /** The shell that reads the launcher itself. */
  reader: string;
}

/**
 * Sets what only the child itself can set, then becomes the unit's shell. Arguments: note file, umask (may be
 * empty), uid, gid (empty: as the daemon), folder, shell for its own use, what is to be done about groups, "--",
 * then the command. 0 stands for whoever writes it. Joining comes before the user is dropped, since the groups belong to the daemon. Where
 * nothing goes wrong and no user is dropped it needs no child.
 */
const launcher = `
note=$1 mask=$2 uid=$3 gid=$4 dir=$5 sh=$6
shift 6
while [ "$1" != -- ]; do
  case $1 in
    group) [ -d "$2" ] || mkdir "$2" 2>/dev/null; shift 2 ;;
    limit) { echo "$4" > "$3"; } 2>/dev/null ||
      echo "+ cannot hold limits.$2: \\"$4\\" was refused by $3" >> "$note"; shift 4 ;;
    try) { [ ! -e "$2" ] || echo "$3" > "$2"; } 2>/dev/null; shift 3 ;;
    join) { echo 0 > "$2"; } 2>/dev/null ||
      echo "+ cannot join control group \${2%/*}: the run goes on without" >> "$note"; shift 2 ;;
  esac
done
shift
if [ -n "$mask" ]; then umask "$mask" || exit 125; fi
[ -z "$uid" ] && exec "$@"
as="setpriv --reuid=$uid --regid=$gid --init-groups --"
if ! command -v setpriv > /dev/null; then
  echo "cannot change to the user: setpriv is missing (install util-linux)" > "$note"
  exit 125
fi
if ! why=$($as "$sh" -c 'cd -- "$1" && test -x "$2" || { echo "not allowed to use folder \\"$1\\" or shell \\"$2\\""; exit 1; }' check "$dir" "$1" 2>&1); then
  echo "cannot start as the user: $why" > "$note"
  exit 125
fi
exec $as "$sh" -c 'cd -- "$1" && shift && exec "$@"' launch "$dir" "$@"
`;

/** The command that carries an order out. */
export function launcherCommand({ note, umask, as, cwd, groups, command, reader }: LauncherOrder): string[] {
  const ids = as === undefined ? ["", ""] : [String(as.uid), String(as.gid)];
  const fixed = [note, umask ?? "", ...ids, cwd, reader];
  return [reader, "-c", launcher, "svc-launcher", ...fixed, ...groups, "--", ...command];
}
