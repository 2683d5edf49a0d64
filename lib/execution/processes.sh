# Sourced. Who and where processes are, for those who find them later.

# Says which system the processes here belong to: its boot, and the start of its first process, since
# a container or a sandbox counts its processes anew.
system() {
  read -r boot </proc/sys/kernel/random/boot_id
  echo "$boot-$(started 1)"
}

# Says the start time of a process, or nothing when it is gone.
started() {
  read -r stat <"/proc/$1/stat" || return
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  shift 19
  echo "$1"
}

# Says "PROCESS ACCOUNT" for each process of "$@" that is there.
accounts() {
  for process in "$@"; do
    echo "$process $(stat -c %U "/proc/$process")"
  done
}

# Removes what processes have left of modules for this machine, which Ansible does itself only when
# it is not ended: arguments and their secrets included. The directory is named after the worker's
# process. Reads lines of "PROCESS ACCOUNT".
remove_module_files() {
  while read -r process account; do
    case $account in *[!A-Za-z0-9._-]* | '') continue ;; esac
    eval "home=~$account"
    for directory in "$home" "$HOME"; do
      rm -rf -- "$directory"/.ansible/tmp/ansible-tmp-*"-$process-"*
    done
  done
}
