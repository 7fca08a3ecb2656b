#!/bin/sh
# svc @COMMIT@, in the portable form: this script, then the runtime and the program, compressed. They are unpacked
# once into ${SVC_CACHE:-~/.cache/svc}/@HASH@, where this user alone may write, and later starts go there at once.
set -eu
caller_path=${PATH-}
PATH=/usr/bin:/bin:/usr/sbin:/sbin${PATH:+:$PATH}
hash=@HASH@

fail() {
  echo "svc: $1" >&2
  exit 1
}

# Told before 100 MB are unpacked in vain.
loader=@LOADER@
[ -z "$loader" ] || [ -e "$loader" ] ||
  fail "this program is for Linux with glibc (2.27 or later) and libgcc, and there is no $loader here: take a system or an image that has them, such as debian-slim; Alpine and other systems of musl have not"

# The runtime ends with a message for its makers where it can't have the files that it opens; a soft limit it raises itself.
files=$(ulimit -H -n 2> /dev/null || :)
case $files in
  ""|*[!0-9]*) ;;
  *) [ "$files" -ge 64 ] || fail "no more than $files files may be open here (ulimit -n), and svc needs 64: raise that limit (limits.conf, LimitNOFILE=, docker's --ulimit), and try again" ;;
esac

# The runtime can't start in a folder that is gone.
[ -n "$(pwd -P 2> /dev/null)" ] || fail "the folder that you are in has been removed: go to another with cd, and try again"

# Whether nobody but this user and root may change what lies at a path, or may put another there; "why" says who.
# Of files whose size is known "whole" says that they have it.
believe() {
  target=$1 at= rest=${1#/}/
  set -- /
  while [ -n "$rest" ]; do
    part=${rest%%/*} rest=${rest#*/}
    case $part in "") continue ;; ..) why="\"$target\" has .. in it"; return 1 ;; esac
    at=$at/$part
    [ -e "$at" ] || [ -L "$at" ] || break
    set -- "$@" "$at"
  done
  [ ! -e "$target/$hash" ] || set -- "$@" "$target/$hash" "$target/$hash/svc" "$target/$hash/program/main.js"
  whole=0 root=
  while read -r mode _ uid gid size _ _ _ name; do
    : "${root:=$uid}"
    case $uid in 0|$me|$root) ;; *) why="user $uid owns \"$name\""; return 1 ;; esac
    case $mode in
      l*) case $name in */svc" -> "*|*/main.js" -> "*) why="\"$name\" is a link"; return 1 ;; esac; continue ;;
      d???????w[tT]*) continue ;;
      ????????w*) why="others may write \"$name\""; return 1 ;;
      ?????w*) [ "$gid" = 0 ] || [ "$gid" = "$uid" ] || { why="others may write \"$name\""; return 1; } ;;
    esac
    case $name:$size in */svc:@RUNTIME_BYTES@|*/program/main.js:@MAIN_BYTES@) whole=$((whole + 1)) ;; esac
  done << LIST
$(LC_ALL=C ls -ldn -- "$@" 2> /dev/null)
LIST
}

# Whether all is there: cleaners may have taken single files, and a power cut may have left them empty.
complete() {
  [ "$whole" = 2 ] || return 1
  set -- "$base/$hash/program/"*
  [ $# -ge @FILES@ ] || return 1
  for file; do [ -s "$file" ] || return 1; done
}

# Names the folder that holds what is unpacked.
choose() {
  me=$(id -u)
  if [ -n "${SVC_CACHE-}" ]; then
    case $SVC_CACHE in /*) ;; *) fail "SVC_CACHE is \"$SVC_CACHE\": give an absolute path" ;; esac
    base=$SVC_CACHE
    believe "$base" || fail "will not run from \"$base\" (SVC_CACHE): $why; name a folder that only you may write"
    return
  fi
  reasons=
  home=${HOME-}
  [ -n "$home" ] || home=$(eval "echo ~$(id -un 2> /dev/null || :)")
  for base in "${XDG_CACHE_HOME:+$XDG_CACHE_HOME/svc}" "${home:+$home/.cache/svc}" /var/cache/svc; do
    case $base in
      /var/cache/svc) [ "$me" = 0 ] || continue ;;
      /*) ;;
      *) continue ;;
    esac
    believe "$base" && return
    reasons="$reasons; $why"
  done
  fail "has no folder to unpack itself into that only you may write: name one in SVC_CACHE${reasons}"
}

# Removes what other versions have unpacked: none that was started within a week, or that something runs from.
remove_old() {
  [ -e /proc/self/exe ] || return 0
  running=$(ls -l /proc/[0-9]*/exe 2> /dev/null || :)
  for old in "$base"/????????????????; do
    case ${old##*/} in "$hash"|*[!0-9a-f]*) continue ;; esac
    [ -d "$old" ] && [ ! -L "$old" ] || continue
    case $running in *" -> $old/"*) continue ;; esac
    mark=$old/used
    [ -e "$mark" ] || mark=$old
    [ -z "$(find "$mark" -prune -mtime -7 2> /dev/null)" ] || continue
    rm -rf "$old"
  done
}

# Says what the system refused, and the cure.
cannot() {
  fail "cannot $1 \"$base\" to unpack itself (${why##*: }): name a folder in SVC_CACHE that only you may write and that stays, as in SVC_CACHE=/var/lib/svc/program"
}

unpack() {
  why=$(umask 077 && mkdir -p "$base" 2>&1) || cannot "make folder"
  believe "$base" || fail "will not run from \"$base\": $why; name another folder in SVC_CACHE"
  # What earlier starts began and did not end.
  find "$base" -mindepth 1 -maxdepth 1 -name "*.??????" -mmin +60 -exec rm -rf {} + 2> /dev/null || :
  why=$(mktemp -d "$base/.$hash.XXXXXX" 2>&1) || cannot "write into folder"
  new=$why
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  (umask 077 && tail -n "+@LINES@" "$0" | gzip -dc | tar -xf - -C "$new") 2> /dev/null ||
    fail "cannot unpack itself into \"$base\": is there room for @MEGABYTES@ MB? make some, or name another folder in SVC_CACHE"
  why=$("$new/svc" --version 2>&1 > /dev/null) || case $why in
    *"ermission denied"*) fail "cannot run what it unpacked into \"$base\": is it mounted noexec? Name another folder in SVC_CACHE" ;;
    *) fail "cannot run what it unpacked into \"$base\": it needs glibc (2.27 or later) and libgcc; ${why%%"
"*}" ;;
  esac
  # A name stands for whole files, also after a power cut.
  sync "$new/svc" "$new"/program/* "$new/program" "$new" 2> /dev/null || sync
  [ -d "$cache" ] || mv "$new" "$cache" 2> /dev/null || :
  # What lacks something is mended file by file, and never taken away: another start may run from there.
  believe "$base" && complete || {
    mkdir -p "$cache/program" && mv -f "$new/program/"* "$cache/program/" && mv -f "$new/svc" "$cache/svc"
  } 2> /dev/null || :
  rm -rf "$new" "$cache/${new##*/}"
  trap - EXIT HUP INT TERM
  remove_old
  sync "$cache/program" "$cache" "$base" 2> /dev/null || :
  believe "$base" && complete || fail "cannot unpack itself into \"$base\": name another folder in SVC_CACHE"
  # Deno compiles a program when it first meets it, and a daemon that did it would keep 40 MB for that.
  "$cache/svc" run @FLAGS@ --allow-write @DENY@ "$cache/program/main.js" daemon --config "$cache/none" > /dev/null 2>&1 || :
}

# Where a daemon writes: its data folder, and its socket where that lies elsewhere. Empty where it can't be told here.
places() {
  config= data=${SVC_DATA-} socket=${SVC_SOCKET-}
  while [ $# -gt 0 ]; do
    case $1 in
      -c|--config) config=${2-}; shift ;;
      --config=*) config=${1#*=} ;;
      --data) data=${2-}; shift ;;
      --data=*) data=${1#*=} ;;
      --socket) socket=${2-}; shift ;;
      --socket=*) socket=${1#*=} ;;
      --host|-p|--port|--url|--log-level|--log-format) shift ;;
      --host=*|--port=*|--log-level=*|--log-format=*) ;;
      -*) return 0 ;;
      *) command=$command/$1 ;;
    esac
    [ $# -eq 0 ] || shift
  done
  [ "$command" = /daemon ] || return 0
  here=$(pwd)
  [ "$here" != / ] || here=
  if [ -z "$data" ]; then
    : "${config:=${SVC_CONFIG-}}"
    if [ -z "$config" ] && [ "$me" = 0 ] && [ -e /etc/svc/svc.toml ]; then config=/etc/svc/svc.toml; fi
    if [ -z "$config" ] && [ -e "$here/svc.toml" ]; then config=$here/svc.toml; fi
    [ -n "$config" ] || return 0
    case $config in /*) ;; *) config=$here/$config ;; esac
    case ${config%/*} in /etc/svc) data=/var/lib/svc ;; *) data=${config%/*}/.svc ;; esac
  fi
  case $data in /*) ;; *) data=$here/$data ;; esac
  case $socket in ""|/*) ;; *) socket=$here/$socket ;; esac
  # Lists are parted by commas, dots are resolved elsewhere, and a long path has its socket in another place.
  case $data$socket in *,*|*/./*|*/../*|*/.|*/..|*//*) return 0 ;; esac
  [ ${#data} -le 90 ] || return 0
  # A socket is made beside its place, and moved there when it is closed to others.
  case ${socket%/*} in "$data"|"") write=$data ;; *) write=$data,${socket%/*} ;; esac
  # Where systemd is told how the daemon is.
  case ${NOTIFY_SOCKET-} in *,*) ;; /*) write=$write,$NOTIFY_SOCKET ;; esac
}

choose
cache=$base/$hash

# What the runtime must not do: ask its makers for a newer version, keep compiled code where others may write, put a
# stand-in for Node into PATH, refuse to start for a registry in ~/.npmrc that is no address, when it fetches nothing.
[ -z "${DENO_DIR-}" ] || export SVC_CALLER_DENO_DIR="$DENO_DIR"
[ -z "${DENO_NO_UPDATE_CHECK-}" ] || export SVC_CALLER_DENO_NO_UPDATE_CHECK="$DENO_NO_UPDATE_CHECK"
[ -z "${DENO_DISABLE_NODE_SHIM-}" ] || export SVC_CALLER_DENO_DISABLE_NODE_SHIM="$DENO_DISABLE_NODE_SHIM"
[ -z "${NPM_CONFIG_REGISTRY-}" ] || export SVC_CALLER_NPM_CONFIG_REGISTRY="$NPM_CONFIG_REGISTRY"
case $0 in /*) program=$0 ;; *) program=$(pwd)/${0#./} ;; esac
# The runtime raises it to the hard limit; what svc runs gets back what its caller had.
SVC_OPEN_FILES=$(ulimit -S -n 2> /dev/null || :)
export SVC_OPEN_FILES SVC_PROGRAM="$program" SVC_PROGRAM_FILES=@FILES@ DENO_DIR="$cache/cache" DENO_NO_UPDATE_CHECK=1 DENO_DISABLE_NODE_SHIM=1 NPM_CONFIG_REGISTRY=http://localhost/
complete || unpack
{ : > "$cache/used"; } 2> /dev/null || :

write= command=
places "$@"
if [ -n "$write" ]; then
  set -- "$cache/svc" run @FLAGS@ "--allow-write=$write" "$cache/program/main.js" "$@"
else
  set -- "$cache/svc" run @FLAGS@ --allow-write @DENY@ "$cache/program/main.js" "$@"
fi
case $command in
  /daemon|/demo*|/up)
    # What its caller had open, a lock say, is none of a daemon's.
    exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    for file in /proc/self/fd/*; do
      # 10 is this script, for most shells; they can't name those beyond 9, which are rare.
      case ${file##*/} in [0-9]|10|255|"*") continue ;; esac
      shell=$(command -v bash) || break
      set -- "$shell" -p -c 'for file in /proc/$$/fd/*; do
          case ${file##*/} in [0-2]|255) ;; *) eval "exec ${file##*/}>&-" ;; esac
        done
        exec "$@"' svc "$@"
      break
    done
    # Until the program takes them itself, which then lets what it runs have them as usual.
    trap "" HUP QUIT USR2 ALRM VTALRM PROF XCPU XFSZ
    for signal in IO PWR STKFLT; do trap "" "$signal" 2> /dev/null || :; done
    # By SIGUSR1 the runtime would open its debugger to everybody on this machine, and it has no name for signals from
    # 34 on, by which it would end. They are blocked from the start, where the shell that begins each run takes signals
    # up again when it has tried to start a program (dash does).
    block=--block-signal=USR1,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64
    env "$block" true 2> /dev/null || block=--block-signal=USR1
    if env "$block" /bin/sh -c '/ 2> /dev/null
      while read -r key value; do
        case $key:$value in SigBlk::*[!0]*) exit 1 ;; SigBlk:*) exit 0 ;; esac
      done < /proc/self/status
      exit 1' 2> /dev/null; then
      export SVC_SIGNALS=blocked
      set -- "$(command -v env)" "$block" "$@"
    fi ;;
esac
PATH=$caller_path
[ -n "$PATH" ] || unset PATH
case $command in
  /daemon|/demo*)
    if [ -n "${SVC_PASSWORD-}" ]; then
      # The environment of a process can be read for as long as it lives, by what it runs as the same user too.
      password=$SVC_PASSWORD
      unset SVC_PASSWORD
      export SVC_INPUT=stdin
      exec "$@" << PASSWORD
$password
PASSWORD
    fi ;;
esac
exec "$@"
exit
