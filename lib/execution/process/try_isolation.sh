#!/bin/sh
# Tries everything that a task must not be able to do.
#
#   try_isolation.sh server                prints the process of the server that started this
#   try_isolation.sh task SERVER [secret|trusted PATH]...
#                                          fails, with a reason, if a task reaches the server or a
#                                          secret path, or can change a trusted file
#
# SERVER is "PROCESS START_TIME": in a sandbox another process may have the server's number.

. "${0%/*}/processes.sh"

fail() {
  echo "$1" >&2
  exit 1
}

if [ "$1" = server ]; then
  find_start "$PPID"
  echo "$PPID $started"
  exit
fi

server=$2
shift 2
while [ $# -gt 0 ]; do
  path=$2
  if [ -d "$path" ]; then
    [ ! -w "$path" ] || fail "tasks can write to the folder $path"
  elif [ -S "$path" ]; then
    [ ! -w "$path" ] || fail "tasks can connect to $path"
  else
    if [ "$1" = secret ] && (: <"$path") 2>/dev/null; then fail "tasks can read $path"; fi
    if [ -e "$path" ] && (: >>"$path") 2>/dev/null; then fail "tasks can write to $path"; fi
  fi
  shift 2
done
process=${server% *}
find_start "$process" 2>/dev/null
if [ "$started" = "${server#* }" ]; then
  if (: <"/proc/$process/environ") 2>/dev/null; then fail "tasks see the server's environment"; fi
  if kill -s 0 "$process" 2>/dev/null; then fail "tasks can kill the server"; fi
fi
(: >own) 2>/dev/null || fail "tasks cannot write to their own folder"
eval "home=~$(id -un)"
(: >"$home/.callboard_probe" && rm "$home/.callboard_probe") 2>/dev/null ||
  fail "the account $(id -un) has no writable home folder, which Ansible needs"
[ -r "$0" ] || fail "tasks cannot read $0"
