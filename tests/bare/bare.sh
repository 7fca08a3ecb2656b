#!/bin/sh
# Runs README's two commands as somebody does who has a fresh Debian and npm, and nothing else: in a root that debootstrap
# makes below FOLDER (kept, and used again), by a user without rights, from a clone of what is committed here.
# Usage, as root: tests/bare/bare.sh FOLDER. Exits 1 when one of them fails. Takes half an hour.
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
root=${1:?name a folder for the root}
[ "$(id -u)" = 0 ] || { echo "only root can make a root" >&2; exit 1; }
if [ ! -e "$root/ready" ]; then
  debootstrap --variant=minbase --include=ca-certificates "${SUITE:-bookworm}" "$root" "${MIRROR:-http://deb.debian.org/debian}"
  # As an installer leaves them.
  printf '127.0.0.1 localhost\n::1 localhost\n' > "$root/etc/hosts"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  cp /etc/resolv.conf "$root/etc/"
  chroot "$root" apt-get update -qq
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends npm
  chroot "$root" useradd --create-home ada
  : > "$root/ready"
fi
cp /etc/resolv.conf "$root/etc/"
rm -rf "$root/home/ada/svc"
git clone -q "$project" "$root/home/ada/svc"
chroot "$root" chown -R ada: /home/ada/svc
deno=deno@$(sed -n 's/^deno_version=//p' "$project/.ci/run")
cat > "$root/home/ada/both" << SCRIPT
cd ~/svc
npx -y $deno task start > ~/start.log 2>&1 &
daemon=\$!
for second in \$(seq 300); do grep -q ' ready ' ~/start.log && break; sleep 1; done
grep ' ready ' ~/start.log || { cat ~/start.log; exit 1; }
node -e 'fetch("http://127.0.0.1:8420/health").then((answer) => process.exit(answer.ok ? 0 : 1))' || exit 1
kill "\$(cat dist/demo/.svc/daemon.pid)"
wait \$daemon
npx -y $deno task test
SCRIPT
# Its own processes, so that nothing is left of them.
exec unshare --mount --pid --fork --kill-child sh -c '
  mount --make-rprivate / &&
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t sysfs -o ro sys "$1/sys" && mount -t tmpfs tmp "$1/tmp" &&
  chroot "$1" su - ada -c "NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt DENO_TLS_CA_STORE=system NO_COLOR=1 sh ~/both"
' sh "$root"
