#!/bin/bash
# A daemon under a real systemd, by hand: tests/uml/systemd.sh bookworm|trixie|... [FOLDER [SCENE...]]
#
# Makes a Debian in FOLDER (/var/tmp/svc-systemd) by debootstrap where there is none yet, puts dist/svc into it, boots it
# in a kernel of its own (user-mode-linux) with systemd as process 1, and plays systemd_session.sh there. Needs root,
# debootstrap, user-mode-linux, and ./compile.sh before. Exits with 1 where something was not as it should be. It takes
# some minutes, most of them for the portable form to unpack and start in that kernel: too long for the tests.
set -eu
suite=$1 folder=${2:-/var/tmp/svc-systemd}
shift $(($# > 1 ? 2 : 1))
here=$(cd "$(dirname "$0")" && pwd)
root=$folder/$suite
if [ ! -e "$root/made" ]; then
  mkdir -p "$folder"
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,procps \
    "$suite" "$root" http://deb.debian.org/debian > "$folder/$suite.log"
  touch "$root/made"
fi
install -m 755 "$here/../../dist/svc" "$root/usr/local/bin/svc"
cp "$here/systemd_session.sh" "$root/root/session.sh"
echo "$*" > "$root/root/scenes"
cat > "$root/etc/systemd/system/session.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
ExecStart=/bin/bash /root/session.sh
ExecStopPost=/bin/systemctl poweroff --force --force
TimeoutStartSec=infinity
END
mkdir -p "$root/etc/systemd/system/multi-user.target.wants" "$folder/tmp"
ln -sf ../session.service "$root/etc/systemd/system/multi-user.target.wants/session.service"
# What an earlier session has left.
rm -rf "$root/etc/systemd/system/svc.service" "$root/etc/systemd/system/multi-user.target.wants/svc.service" \
  "$root/var/lib/svc" "$root/etc/svc" "$root/home/user/.config" "$root/home/user/.local" "$root/var/lib/systemd/linger"
TMPDIR=$folder/tmp HOME=$folder/tmp timeout 1200 linux.uml mem=1500M rootfstype=hostfs "rootflags=$root" rw \
  init=/lib/systemd/systemd con=null con0=null,fd:1 con1=null systemd.unified_cgroup_hierarchy=1 \
  systemd.log_target=kmsg systemd.show_status=0 quiet loglevel=3 < /dev/null 2> /dev/null |
  stdbuf -o0 tr -d '\r' | tee "$folder/$suite.told"
grep -q '^@@ over' "$folder/$suite.told" && ! grep -q '^@@ NOT' "$folder/$suite.told"
