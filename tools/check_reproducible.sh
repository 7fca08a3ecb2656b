#!/bin/sh
# Builds a commit twice and compares the files: check_reproducible.sh [COMMIT], HEAD where none is named. The two builds
# have folders, homes, package caches, umasks and languages of their own. Needs no network where a build needs none.
set -eu
cd "$(dirname "$0")/.."
commit=$(git rev-parse --verify "${1:-HEAD}^{commit}")
deno=$(deno eval 'console.log(Deno.execPath())')
packages=$(deno eval 'console.log(JSON.parse(new TextDecoder().decode(new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync().stdout)).denoDir)')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# build FOLDER UMASK LANGUAGE
build() {
  mkdir -p "$work/$1/home" "$work/$1/packages"
  git clone -q . "$work/$1/svc"
  git -C "$work/$1/svc" checkout -q "$commit"
  # Packages and the bundler come from the same place as they always do, or from what is there of them already.
  for part in npm dl; do
    [ ! -d "$packages/$part" ] || cp -R "$packages/$part" "$work/$1/packages/$part"
  done
  if ! (umask "$2" && cd "$work/$1/svc" && env LC_ALL="$3" HOME="$work/$1/home" DENO_DIR="$work/$1/packages" ./compile.sh) > "$work/log" 2>&1; then
    cat "$work/log" >&2
    echo "check_reproducible: building $commit failed" >&2
    exit 1
  fi
  rm -rf "$work/$1/packages"
}

build one 022 C
build "two/in a deeper folder" 077 C.UTF-8
tail -n 1 "$work/log"
first=$(sha256sum < "$work/one/svc/dist/svc" | cut -c1-64)
second=$(sha256sum < "$work/two/in a deeper folder/svc/dist/svc" | cut -c1-64)
runtime=$(sha256sum < "$deno" | cut -c1-64)
if [ "$first" != "$second" ]; then
  echo "check_reproducible: two builds of $commit differ: $first and $second" >&2
  exit 1
fi
echo "two builds of $commit are the same: sha256 $first (Deno's own: $runtime)"
