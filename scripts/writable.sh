#!/bin/sh
# Prints files and folders, separated by commas, that the server may write to. With the argument
# "data", it prints those of commands about its data, and with "runner", those of a runner.
. "$(dirname "$0")/settings.sh"
load_settings

if [ "${1:-}" = runner ]; then
  echo "${CALLBOARD_RUNNER_DATA:-runner-data},${NOTIFY_SOCKET:-${CALLBOARD_RUNNER_DATA:-runner-data}}"
  exit
fi
data=${CALLBOARD_DATA:-data}
printf '%s' "$data,${CALLBOARD_KV:-data}"
[ "${1:-}" = data ] || printf ',%s' "${CALLBOARD_BACKUP_TO:-data}" "${CALLBOARD_AUDIT_FILE:-data}" \
  "${CALLBOARD_SOCKET:-data}" "${NOTIFY_SOCKET:-data}"
