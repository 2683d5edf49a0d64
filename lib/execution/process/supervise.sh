#!/bin/sh
# Runs one command in a process group of its own that cannot outlive the server.
#
#   supervise.sh GRACE_SECONDS PIDS_FILE merged|apart|socket COMMAND [ARGUMENT...]
#
# The command's two streams come merged or apart. With "socket" they come merged, and descriptor 3
# becomes the command's descriptor 9, on which it may report its progress.
#
# Standard input is the lifeline. The line "stop" sends TERM to the group, "kill" sends KILL. When
# the pipe closes, the server is gone: TERM, and KILL after the grace time. When the command ends,
# the rest of its group is killed, and its exit code is passed on.
#
# Ansible runs each module in a session of its own, so the group does not contain all processes.
# When the command was stopped or killed, its processes elsewhere are ended as well. When it ends on
# its own, a daemon that a play has started may live on.

. "${0%/*}/processes.sh"

grace_seconds=$1 pids_file=$2 output=$3
shift 3

case $output in
  merged) exec 2>&1 ;;
  socket) exec 9<&3 2>&1 ;;
esac
exec 3<&0 </dev/null

# All processes that the command starts inherit this, even in other groups.
mark="CALLBOARD_PROCESS=$pids_file $$"
find_system

# The group's id, start time and system are on disk before the command runs. After a crash they
# distinguish this group from a later one with the same id.
record() {
  read -r stat </proc/self/stat
  id=${stat%% *}
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  shift 19
  echo "$id $1 $system" >>"$pids_file"
}

{
  record
  # Files of the server are private. Files that plays create get the usual modes.
  umask 022
  export CALLBOARD_PROCESS="${mark#*=}"
  exec setsid "$@"
} 3<&- &
group=$!

# The supervisor prints nothing, and does not hold the pipe open.
exec >/dev/null 2>&1 9>&-

# There is no group until setsid has run, only the process.
signal() { kill -s "$1" -- "-$group" || kill -s "$1" "$group"; }

strays() { grep -lszFx -e "$mark" /proc/[0-9]*/environ | cut -d / -f 3; }

# Records these processes, because they are needed after they are gone: "of SUPERVISOR: PROCESS
# ACCOUNT". Uses the same file, since no one else can have created it.
note_strays() {
  # shellcheck disable=SC2046
  accounts $(strays) | sed "s/^/of $$: /" >>"$pids_file"
}

# A stray may lead a group with members that have lost the mark, as those of sudo have.
signal_strays() {
  for stray in $(strays); do
    kill -s "$1" -- "-$stray"
    kill -s "$1" "$stray"
  done
}

stopped='' patience=$((grace_seconds * 10))
trap 'stopped=yes' USR1
trap 'stopped=yes patience=0' USR2
end() { note_strays; kill -s USR1 $$; signal TERM; }
end_now() { note_strays; kill -s USR2 $$; signal KILL; signal_strays KILL; }

# There is no trap in here: dash, waiting in read, would miss a signal that comes right before, and
# the one that ends this watch must never be missed. The sleeps are short, since the last one may be
# left behind.
watch() {
  while read -r order; do
    case $order in
      stop) end ;;
      kill) end_now ;;
    esac
  done <&3
  end
  tenths=$((grace_seconds * 10))
  while [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  end_now
}

watch &
watcher=$!
exec 3<&-

# Signals for the server's service reach this shell too. It stays to pass on the exit code. The trap
# is set only now, so that the watch has not inherited it.
trap 'stopped=yes; signal TERM' TERM INT HUP

while :; do
  wait "$group"
  status=$?
  kill -0 "$group" || break
done
# A signal that came as the command ended hides its exit code. Shells still know it then, except for
# bash, whose answer may be 127 or -1.
if [ "$status" -gt 128 ]; then
  wait "$group"
  again=$?
  case $again in 127 | -*) ;; *) status=$again ;; esac
fi

kill -s KILL -- "-$group"
if [ -n "$stopped" ] || [ "$status" -ge 128 ]; then
  note_strays
  signal_strays TERM
  while [ -n "$(strays)" ]; do
    [ "$patience" -gt 0 ] || signal_strays KILL
    sleep 0.1
    patience=$((patience - 1))
  done
  sed -n "s/^of $$: //p" "$pids_file" | sort -u | remove_module_files
fi
kill "$watcher"
wait "$watcher"
exit "$status"
