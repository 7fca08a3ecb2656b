# What is played in a kernel that has control groups of the second version, with all that systemd does: for bash, in
# /run. SVC is the command line of svc, PROBE that of probe.ts, CONFIG a configuration. "@@ NAME VALUE" is what is told.
G=/sys/fs/cgroup/sys
tell() { # NAME, the value from standard input
  while read -r line; do echo "@@ $1 $line"; done
}
mkdir $G
for group in /sys/fs/cgroup $G; do
  for name in cpu memory pids; do echo +$name > $group/cgroup.subtree_control; done
done
enter() { echo $BASHPID > "$G/$1/cgroup.procs"; }

# As systemd starts a service with Delegate=yes.
mkdir $G/svc.service
(enter svc.service; exec $SVC daemon -c "$CONFIG" --data /run/d -p 0 2>&1) > /run/log &
daemon=$!

# A group that others are in: nothing of theirs may change.
mkdir $G/session.scope
(enter session.scope; exec sleep 1000) &
(enter session.scope; exec $PROBE shared) | tell shared
tell shared_type < $G/session.scope/cgroup.type

# What a daemon of an earlier version had made of its group.
mkdir $G/old.service
(enter old.service; echo +cpu > $G/old.service/cgroup.subtree_control
  read -r before < $G/old.service/cgroup.type; echo "$before" > /run/old_before
  exec $PROBE old) | tell old
tell old_before < /run/old_before
tell old_type < $G/old.service/cgroup.type

# Daemons of systemd's, whose groups it enters again: with DelegateSubgroup=, without, and with a scope for what runs.
again() { (enter "$1" && echo yes) 2>&1 | tell "$2"; }
mkdir $G/beside.service $G/beside.service/svc-daemon $G/entered.service $G/scoped.service $G/scoped-runs.scope
(enter beside.service/svc-daemon; exec $PROBE beside managed) | tell beside
tell beside_handed < $G/beside.service/cgroup.subtree_control
again beside.service/svc-daemon beside_again
(enter entered.service; exec $PROBE entered managed) | tell entered
again entered.service entered_again
(enter scoped.service; exec $PROBE scoped managed /sys/scoped-runs.scope) | tell scoped
tell scoped_handed < $G/scoped-runs.scope/cgroup.subtree_control
again scoped.service scoped_again

for round in $(seq 300); do
  # What the daemon prints comes after what it writes.
  grep -q ' ready ' /run/log && break
  [ -e /proc/$daemon ] || break
  sleep 0.2
done
tell log < /run/log
tell type < $G/svc.service/cgroup.type
tell handed < $G/svc.service/cgroup.subtree_control
sed -n "s#^0::/sys/svc.service/svc-[0-9a-f]*/#/#p" /proc/$daemon/cgroup | tell place

# systemd runs what ExecReload= names in a group of its own beside.
mkdir $G/svc.service/.control
(echo $BASHPID > $G/svc.service/.control/cgroup.procs) 2>&1 && echo yes | tell reload

# The tasks have begun with the daemon; the last of them ends when all others have.
for round in $(seq 300); do
  [ -e /run/over ] && break
  sleep 0.2
done
for name in cpuhog stray; do [ ! -e /run/$name ] || tell $name < /run/$name; done
$SVC runs -c "$CONFIG" --data /run/d --json | tr -d '\n' | sed 's/$/\n/' | tell runs
$SVC doctor -c "$CONFIG" --data /run/d --json | tr -d '\n' | sed 's/$/\n/' | tell doctor
[ ! -e "/proc/$(cat /run/stray)" ] && echo yes | tell stray_killed
kill -TERM $daemon
wait $daemon
echo $? | tell exit
