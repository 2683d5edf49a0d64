#!/bin/sh
# Ends the process groups that a server which was killed together with its supervisors left behind.
#
#   recover.sh PIDS_FILE...
#
# TERM first; what is left after two seconds gets KILL. Each line of a file: group, start time, boot.

. "${0%/*}/module_files.sh"

read -r boot </proc/sys/kernel/random/boot_id

# Says the start time of a process, or nothing when it is gone.
started() {
  read -r stat <"/proc/$1/stat" || return
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  shift 19
  echo "$1"
}

# A group is ours when its leader is the one we started, or gone: no other process of this boot gets
# the leader's id as long as the group has members.
alive() {
  kill -s 0 -- "-$1" || return 1
  now=$(started "$1")
  [ -z "$now" ] || [ "$now" = "$2" ]
}

groups=$(cat "$@" | while read -r group start its_boot; do
  [ "$its_boot" = "$boot" ] && alive "$group" "$start" && echo "$group"
done)

# What the commands have started, also in groups of its own: see supervise.sh.
strays() {
  for file in "$@"; do
    grep -lszF -e "CALLBOARD_PROCESS=$file " /proc/[0-9]*/environ
  done | cut -d / -f 3
}

noted=$(strays "$@")
for id in $groups $noted; do kill -s TERM -- "-$id" "$id"; done
tries=20
while [ -n "$groups$(strays "$@")" ] && [ "$tries" -gt 0 ]; do
  sleep 0.1
  tries=$((tries - 1))
  left=
  for group in $groups; do
    kill -s 0 -- "-$group" && left="$left $group"
  done
  groups=$left
done
for id in $groups $(strays "$@"); do kill -s KILL -- "-$id" "$id"; done
# shellcheck disable=SC2086
remove_module_files $noted
exit 0
