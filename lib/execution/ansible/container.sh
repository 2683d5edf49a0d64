#!/bin/sh
# Runs podman as the server's account has set it up: runs have other homes and paths.
#
#   container.sh PATH OWNER COMMAND [ARGUMENT...]
#
# PATH is that of the machine. With an OWNER, which is "UID:GID" or "server", the command is "run"
# in the working directory, as that owner. The mark of the supervisor is passed on, so that it finds
# these processes like all others.

PATH=$1 owner=$2 command=$3
shift 3
eval "HOME=~$(id -un)"
export PATH HOME
[ -n "$owner" ] || exec podman "$command" "$@"
case $owner:$(id -u) in
  server:0) set -- --user=0:0 "$@" ;;
  server:*) set -- --userns=keep-id "$@" ;;
  *) set -- --user="$owner" "$@" ;;
esac
exec podman "$command" --rm --workdir="$PWD" --env=CALLBOARD_PROCESS "$@"
