#!/bin/sh
# Checks a Deno before it is run: check_deno.sh FILE [HASHES]. HASHES (tools/deno.sha256 where none is named) has a line
# "SHA256  PLATFORM" for each platform whose hash is kept. On others it says that nothing was checked, and exits 0:
# there npm's own check of what it fetched is all there is.
set -eu
file=${1:?usage: check_deno.sh FILE [HASHES]}
hashes=${2:-${0%/*}/deno.sha256}
platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
if ldd --version 2>&1 | grep -qi musl; then platform=$platform-musl; fi
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $platform\$/\1/p" "$hashes")
if [ -z "$expected" ]; then
  echo "check_deno: not checked: $hashes has no hash for $platform"
  exit 0
fi
actual=$(sha256sum < "$file" | cut -c1-64)
if [ "$actual" != "$expected" ]; then
  echo "check_deno: $file is not the Deno that it should be: its sha256 is $actual, and $hashes has $expected" >&2
  exit 1
fi
