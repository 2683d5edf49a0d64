#!/bin/sh
# Ends the process groups that were left behind when a server was killed together with its
# supervisors.
#
#   recover.sh PIDS_FILE...
#
# Groups get TERM first, and KILL if they still exist after two seconds. Each line of a file has a
# group, its start time and its system.

. "${0%/*}/processes.sh"

# A group is ours if its leader is the process we started, or is gone. No other process of this boot
# gets the leader's id as long as the group has members.
alive() {
  kill -s 0 -- "-$1" || return 1
  find_start "$1"
  [ -z "$started" ] || [ "$started" = "$2" ]
}

find_system
groups=$(for file in "$@"; do
  # A run may have put something else there, and reading that would wait.
  [ -f "$file" ] && cat "$file"
done | while read -r group start its_system; do
  [ "$its_system" = "$system" ] && alive "$group" "$start" && echo "$group"
done)

# Prints all processes that the commands have started, even in groups of their own: see
# supervise.sh.
strays() {
  for file in "$@"; do
    grep -lszF -e "CALLBOARD_PROCESS=$file " /proc/[0-9]*/environ
  done | cut -d / -f 3
}

noted=$(strays "$@")
# shellcheck disable=SC2086
owned=$(accounts $noted)
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
echo "$owned" | remove_module_files
exit 0
