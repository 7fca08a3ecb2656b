#!/bin/sh
# Builds one file that holds everything: dist/svc, and its checksum in dist/svc.sha256.
#
#   ./compile.sh                   for this machine
#   ./compile.sh --target TRIPLE   for another one: dist/svc-TRIPLE
#   ./compile.sh --release         for all of them: dist/release/, with SHA256SUMS
#
# Where Deno's base program can be had (or DENORT_BIN names a copy), that is `deno compile`. Where not, it is
# the portable form: a start script, then the Deno runtime and the bundled program, compressed; they are
# unpacked once into a cache folder named by their hash, and later starts go there at once.
#
# Where there is no deno, npm fetches it.
set -eu
cd "$(dirname "$0")"
self=./${0##*/}

if ! command -v deno > /dev/null; then
  deno_version=$(sed -n 's/^deno_version=//p' .ci/run)
  command -v npx > /dev/null && [ -z "${SVC_FETCHED_DENO-}" ] || {
    echo "compile.sh: there is no deno: install Deno $deno_version, or Node's npm, which can fetch it" >&2
    exit 1
  }
  SVC_FETCHED_DENO=1 exec npx -y -p "deno@$deno_version" "$self" "$@"
fi

targets="x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-apple-darwin aarch64-apple-darwin"
target=
release=
while [ $# -gt 0 ]; do
  case $1 in
    --target) target=${2:?--target needs a triple, one of $targets}; shift 2 ;;
    --release) release=1; shift ;;
    *) echo "compile.sh: unknown argument \"$1\"; usage: ./compile.sh [--target TRIPLE | --release]" >&2; exit 2 ;;
  esac
done

if [ -n "$release" ]; then
  version=$(sed -n 's/^export const version = "\(.*\)";$/\1/p' src/version.ts)
  mkdir -p dist/release
  rm -f dist/release/*
  for target in $targets; do
    # What can't be built here is told by the call itself, and is no part of the release.
    "$self" --target "$target" && mv "dist/svc-$target" "dist/release/svc-$version-$target" || true
    rm -f "dist/svc-$target.sha256"
  done
  # Without a base program there is one file for machines like this one all the same.
  "$self"
  if ! head -c 2 dist/svc | grep -q ELF && [ "$(head -c 2 dist/svc)" = "#!" ]; then
    cp dist/svc "dist/release/svc-$version-portable-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')"
  fi
  (cd dist/release && sha256sum svc-* > SHA256SUMS && cat SHA256SUMS)
  exit 0
fi

# V8 keeps memory small: a nursery that grows holds some MB more under load, and what a start leaves in the heap is
# collected by request. Code is not optimized for size: that would hold 3 MB less, and take twice the time for what is
# done often. Nor is it compiled where everything else waits for it, which would hold 4 MB less.
v8=--v8-flags=--max-semi-space-size=1,--expose-gc

mkdir -p dist
deno check main.ts
deno task -q build

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What is built says from which state of the source.
commit=${SVC_COMMIT:-$(git rev-parse --short=12 HEAD 2> /dev/null || echo unknown)}
[ -z "$(git status --porcelain -- main.ts src ui docs/demo deno.json deno.lock 2> /dev/null)" ] || commit=$commit-changed
mkdir "$work/source" "$work/source/docs"
cp -R main.ts deno.json deno.lock src ui "$work/source"
cp -R docs/demo "$work/source/docs"
sed -i "s/^export const commit = .*/export const commit = \"$commit\";/" "$work/source/src/version.ts"
grep -q "\"$commit\"" "$work/source/src/version.ts"

name=dist/svc${target:+-$target}
# The types were checked above.
if deno compile --no-check --config "$work/source/deno.json" -P=svc --no-prompt --no-remote $v8 ${target:+--target "$target"} -o dist/svc.next "$work/source/main.ts" > dist/compile.log 2>&1; then
  mv dist/svc.next "$name"
  (cd dist && sha256sum "${name#dist/}" > "${name#dist/}.sha256")
  echo "$name: compiled, $commit"
  exit 0
fi
if [ -n "$target" ]; then
  echo "compile.sh: cannot compile for $target: Deno's base program can't be had; set DENORT_BIN to a copy of it" >&2
  tail -n 5 dist/compile.log >&2
  exit 1
fi

deno run --allow-read --allow-write="$work" --allow-env --allow-sys --allow-run tools/bundle_program.ts "$work/source" "$work/program"
cp "$(deno eval 'console.log(Deno.execPath())')" "$work/svc"
deno run --allow-read=deno.json tools/portable_flags.ts $v8 > "$work/flags"
deno run --allow-read=deno.json tools/portable_flags.ts --deny-only > "$work/deny"
tools/make_portable.sh "$work" dist/svc.next "$commit"
mv dist/svc.next dist/svc
(cd dist && sha256sum svc > svc.sha256)
echo "dist/svc: portable, $commit (deno compile can't fetch its base program here)"
