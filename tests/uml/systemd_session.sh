# What is played by systemd.sh on a machine with systemd: for bash, as root. "@@ ok WHAT" is what is as it should be, "@@ NOT
# WHAT" what is not.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root NO_COLOR=1
check() { # WHAT COMMAND...
  what=$1
  shift
  if "$@" > /run/checked 2>&1; then echo "@@ ok $what"; else
    echo "@@ NOT $what: $(head -c 300 /run/checked | tr '\n' ' ')"
    journalctl -u svc -n 25 --no-pager -o short-monotonic
  fi
}
until_it() { # COMMAND...: within 2 minutes
  for round in $(seq 400); do
    "$@" > /run/until 2>&1 && return
    sleep 0.2
  done
  return 1
}
is_up() { [ "$(systemctl show -p SubState --value svc)" = running ] && svc status --data /var/lib/svc; }
main_pid() { systemctl show -p MainPID --value svc; }
is_another() { [ "$(main_pid)" != "$1" ] && is_up; }
gone() { [ ! -e "/proc/$1" ]; }
alive() { [ -e "/proc/$1" ]; }
group_of() { sed -n s/^0:://p "/proc/$1/cgroup"; }
limited() { # PID
  local group=/sys/fs/cgroup$(group_of "$1")
  cat "$group/memory.max" "$group/pids.max" "$group/cpu.max"
  [ "$(cat "$group/memory.max")" = 64000000 ] && [ "$(cat "$group/pids.max")" = 50 ] &&
    [ "$(cat "$group/cpu.max")" = "50000 100000" ]
}
long_pid() { pgrep -of 'echo begun'; }
begin() { # starts the unit, where it isn't up, and the task; sets "pid"
  systemctl reset-failed svc
  systemctl start svc
  until_it is_up
  [ -n "$(long_pid)" ] || svc run long --detach --data /var/lib/svc > /run/ran
  until_it long_pid
  pid=$(long_pid)
}
drop_in() { # LINE...
  mkdir -p /run/systemd/system/svc.service.d
  { echo "[Service]"; printf '%s\n' "$@"; } > /run/systemd/system/svc.service.d/session.conf
  systemctl daemon-reload
}
nothing_left() {
  ps ax -o pid,args | grep -E '/var/lib/svc|svc-night|svc-scope|echo begun|sleep 86399|echo stubborn|keepers/' | grep -v grep && return 1
  return 0
}
took_over() { # PID
  alive "$1" && svc runs --data /var/lib/svc --json | tr -d ' \n' | grep -q '"adopted_at":"'
}
in_time() { # WORD WORD: how long from one line of the journal to the next, for people
  journalctl -u svc --no-pager -o short-monotonic | grep -E "$1|$2" | tail -2 | cut -c1-100
}

systemctl --version | head -1
mkdir -p /etc/svc
cat > /etc/svc/svc.toml <<'END'
[daemon]
shutdown_timeout = "30s"
[tasks.long]
limits = { memory = "64mb", pids = 50, cpu = 0.5 }
run = "trap '' HUP; echo begun; while :; do sleep 1; done"
[tasks.late]
limits = { memory = "48mb" }
run = "until [ -e /run/go ]; do sleep 0.2; done; head -c 200m /dev/zero | tail | wc -c"
[services.web]
limits = { memory = "64mb" }
run = "exec sleep 86399"
[services.stubborn]
autostart = false
graceful_stop = "25s"
run = "trap '' TERM; echo stubborn; while :; do sleep 1; done"
[services.frail]
survive = false
run = "exec sleep 86398"
END

# A unit of an earlier version, and what somebody has set beside it.
svc service install --print --config /etc/svc/svc.toml --data /var/lib/svc --port 8420 |
  sed 's/^KillMode=.*/KillMode=mixed/; s/^RestartSec=.*/RestartSec=2/; /^ExecStopPost=\|^RestartForce\|^SuccessExit\|^DelegateSub/d' \
    > /etc/systemd/system/svc.service
mkdir -p /etc/systemd/system/svc.service.d
printf '[Service]\nEnvironment=MINE=1\n' > /etc/systemd/system/svc.service.d/mine.conf
svc service install --config /etc/svc/svc.toml --data /var/lib/svc --port 8420
check "an installation over an old one works" until_it is_up
check "what was set beside the unit stays" grep -q MINE=1 "/proc/$(main_pid)/environ"
check "the unit is new" grep -q KillMode=process /etc/systemd/system/svc.service
journalctl -u svc --no-pager -o cat | grep -iE "unknown|fail|refuse"

scene_groups() {
  begin
  systemd-cgls --no-pager --xattr=no -l /system.slice 2> /dev/null | grep -E 'svc|run|sleep|keeper' | cut -c1-110
  check "limits are held" limited "$pid"
  check "systemd may enter the unit's group" test -z "$(tr -d '\n' < /sys/fs/cgroup/system.slice/svc.service/cgroup.subtree_control |
    if [ -e /sys/fs/cgroup/system.slice/svc.service/svc-daemon ]; then cat > /dev/null; else cat; fi)"
}

scene_crash() { # the daemon is killed
  begin
  svc run late --detach --data /var/lib/svc > /run/late
  before=$(main_pid)
  kill -9 "$before"
  check "crash: the next daemon starts" until_it is_another "$before"
  check "crash: what ran goes on" took_over "$pid"
  check "crash: limits are held" limited "$pid"
  touch /run/go
  is_killed() { svc runs --task late --data /var/lib/svc --json | tr -d ' \n' | grep -qE '"(end_reason|outcome|status)":"[a-z_]*(oom|crashed|failed)'; }
  check "crash: a limit of memory ends a run that was taken over" until_it is_killed
}

scene_handover() { # handover
  begin
  web=$(pgrep -of 86399) frail=$(pgrep -of 86398)
  before=$(main_pid)
  check "handover: it says so" svc handover --data /var/lib/svc
  check "handover: another daemon is there" is_another "$before"
  check "handover: what ran goes on" took_over "$pid"
  check "handover: services go on" alive "$web"
  check "handover: what may not outlive the daemon has ended" gone "$frail"
  check "handover: it is no failure" sh -c '[ "$(systemctl show -p Result --value svc)" = success ]'
  in_time "handed over" "ready"
}

scene_watchdog() { # watchdog
  begin
  drop_in WatchdogSec=6
  before=$(main_pid)
  svc handover --data /var/lib/svc
  until_it is_another "$before"
  before=$(main_pid)
  kill -STOP "$before"
  check "watchdog: the next daemon starts" until_it is_another "$before"
  check "watchdog: what ran goes on" took_over "$pid"
  drop_in
}

scene_restart() { # restart
  begin
  web=$(pgrep -of 86399)
  before=$(main_pid)
  check "restart: it works" systemctl restart svc
  check "restart: it is another daemon" until_it is_another "$before"
  check "restart: what ran has ended" gone "$pid"
  check "restart: services have ended" gone "$web"
}

scene_stop() { # stop
  begin
  check "stop: limits are held" limited "$pid"
  check "stop: it works" systemctl stop svc
  check "stop: what ran has ended" gone "$pid"
  check "stop: nothing is left" until_it nothing_left
  check "stop: no failure" sh -c '[ "$(systemctl show -p ActiveState --value svc)" = inactive ]'
}

# systemd 252 takes NotifyAccess= for a running daemon as it was, and gives it its time: there it ends in order.
scene_late() { # a stop that takes too long, and systemd hears of nothing that would give it more time
  begin
  svc start stubborn --data /var/lib/svc
  drop_in TimeoutStopSec=3 NotifyAccess=none
  systemctl stop svc
  [ "$(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')" -lt 254 ] ||
    check "late: systemd has killed the daemon" sh -c '[ "$(systemctl show -p Result --value svc)" = timeout ]'
  check "late: what ran has ended" gone "$pid"
  check "late: nothing is left" until_it nothing_left
  drop_in
}

scene_dies() { # a daemon that dies while it stops
  begin
  svc start stubborn --data /var/lib/svc
  before=$(main_pid)
  systemctl stop --no-block svc
  until_it test -e /var/lib/svc/stopping
  kill -9 "$before"
  check "dies: it is not started again" until_it sh -c '[ "$(systemctl show -p ActiveState --value svc)" != deactivating ]'
  check "dies: what ran has ended" gone "$pid"
  check "dies: nothing is left" until_it nothing_left
}

scene_waiting() { # a stop while the next daemon waits
  drop_in RestartSec=120
  begin
  web=$(pgrep -of 86399)
  kill -9 "$(main_pid)"
  until_it sh -c '[ "$(systemctl show -p SubState --value svc)" = auto-restart ]'
  systemctl stop svc
  check "waiting: what ran goes on for a while" alive "$pid"
  check "waiting: then it ends" until_it gone "$pid"
  check "waiting: services end as well" until_it gone "$web"
  drop_in
  begin
  check "all the while units can be started again" limited "$pid"
}

scene_invalid() { # a configuration that is invalid
  begin
  cp /etc/svc/svc.toml /run/good.toml
  echo "what is this" >> /etc/svc/svc.toml
  kill -9 "$(main_pid)"
  sleep 12
  check "invalid: what ran goes on" alive "$pid"
  check "invalid: it is tried now and then" sh -c 'n=$(systemctl show -p NRestarts --value svc); [ "$n" -ge 1 ] && [ "$n" -le 8 ]'
  cp /run/good.toml /etc/svc/svc.toml
  check "invalid: mended, it is taken over" until_it took_over "$pid"
}

scenes=$(cat /root/scenes)
for scene in ${scenes:-groups crash handover watchdog restart stop late dies waiting invalid}; do
  echo "-- $scene"
  "scene_$scene"
done
systemctl stop svc
check "uninstall" svc service uninstall
check "uninstall: nothing is left" until_it nothing_left
echo "@@ over"
