#!/bin/sh
# Prints files and folders, separated by commas, that the server may read beyond its own. With the
# argument "runner", it prints those of a runner.
. "$(dirname "$0")/settings.sh"
load_settings

# Folders of secrets, up to the part that differs by project.
secret_folders() {
  [ -z "${CALLBOARD_SECRET_FILES:-}" ] ||
    printf '%s' ",$CALLBOARD_SECRET_FILES" | sed 's|/[^/,]*{project}[^,]*||g; s/, */,/g'
}

if [ "${1:-}" = runner ]; then
  data=${CALLBOARD_RUNNER_DATA:-runner-data}
  printf '%s' "$data,${CREDENTIALS_DIRECTORY:-$data},${CALLBOARD_RUNNER_TOKEN_FILE:-$data}"
  printf '%s' ",${CALLBOARD_RUNNER_VAULT_TOKEN_FILE:-$data},${CALLBOARD_GALAXY_TOKEN_FILE:-$data}"
  printf '%s' ",${SSL_CERT_FILE:-$data},${CALLBOARD_CONFIG:-$data},${NOTIFY_SOCKET:-$data}"
  secret_folders
  # The archive with Ansible may be in the folder of Callboard, or beside it: see ansible/wheels.ts.
  for wheels in ../callboard-ansible-* ../../callboard-ansible-*; do
    [ ! -e "$wheels" ] || printf ',%s' "$wheels"
  done
  exit
fi
printf '%s' "${CALLBOARD_DATA:-data},${CALLBOARD_KV:-data},${CALLBOARD_BACKUP_TO:-data},${CREDENTIALS_DIRECTORY:-data},${CALLBOARD_CONFIG:-data}"
printf ',%s' "${CALLBOARD_SOCKET:-data}" "${CALLBOARD_TLS_CERT:-data}" "${CALLBOARD_TLS_KEY:-data}" \
  "${NOTIFY_SOCKET:-data}"
# Files of sign-in providers lie beside the file that lists the providers.
printf ',%s' "$(dirname "${CALLBOARD_OIDC_FILE:-data/-}")"
env | sed -n -E 's/^(CALLBOARD_[A-Z_]+|DENO_KV_ACCESS_TOKEN)_FILE=(.+)/,\2/p' | tr -d '\n'
secret_folders
