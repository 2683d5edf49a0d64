# Sourced. Who and where processes are, for those who find them later. What is asked for in each run
# sets a variable: to say it would take a process.

# Sets $system to which one the processes here belong to: its boot, and the start of its first
# process, since a container or a sandbox counts its processes anew.
find_system() {
  read -r boot </proc/sys/kernel/random/boot_id
  find_start 1
  system=$boot-$started
}

# Sets $started to the start time of a process, or to nothing when it is gone.
find_start() {
  started=
  read -r stat <"/proc/$1/stat" || return
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  shift 19
  started=$1
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
