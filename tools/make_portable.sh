#!/bin/sh
# Writes the portable form: make_portable.sh FOLDER FILE COMMIT. FOLDER holds svc (Deno, by the name that lists of
# processes show), program/ and the texts flags and deny, by which Deno is started.
set -eu
# Names are put in order by their bytes everywhere.
export LC_ALL=C
work=$1 out=$2 commit=$3
tar -C "$work" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go= -cf "$work/payload.tar" svc program
gzip -9nf "$work/payload.tar"
bytes() { wc -c < "$1" | tr -d ' '; }
# What a program for glibc is loaded by stands where it begins; empty for what needs nothing.
loader=$(head -c 4096 "$work/svc" | tr '\0' '\n' | LC_ALL=C grep -a -m 1 '^/lib[0-9a-z/_-]*/ld-[0-9a-z_-]*\.so\.[0-9]*$' || :)
start=${0%/*}/portable_start.sh
sed \
  -e "s|@COMMIT@|$commit|" \
  -e "s|@HASH@|$(sha256sum "$work/payload.tar.gz" | cut -c1-16)|g" \
  -e "s|@RUNTIME_BYTES@|$(bytes "$work/svc")|" \
  -e "s|@MAIN_BYTES@|$(bytes "$work/program/main.js")|" \
  -e "s|@LOADER@|$loader|" \
  -e "s|@FILES@|$(find "$work/program" -type f | wc -l | tr -d ' ')|g" \
  -e "s|@MEGABYTES@|$((($(bytes "$work/svc") + 20000000) / 1000000))|" \
  -e "s|@LINES@|$(($(wc -l < "$start") + 1))|" \
  -e "s|@FLAGS@|$(cat "$work/flags")|" \
  -e "s|@DENY@|$(cat "$work/deny")|" \
  "$start" > "$out"
cat "$work/payload.tar.gz" >> "$out"
chmod 755 "$out"
