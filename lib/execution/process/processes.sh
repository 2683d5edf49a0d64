# Sourced. Identifies processes so that they can be found later. The functions that each run needs
# set a variable, because printing the result would take a process.

# Sets $system to an id of the system that the processes here belong to: its boot and the start of
# its first process, since a container or a sandbox counts its processes anew.
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

# Prints "PROCESS ACCOUNT" for each process of "$@" that exists.
accounts() {
  for process in "$@"; do
    echo "$process $(stat -c %U "/proc/$process")"
  done
}

# Removes the files of modules that processes have left on this machine, including arguments and
# their secrets. Ansible itself removes them only when it is not killed. The directory is named
# after the worker's process. Reads lines of "PROCESS ACCOUNT".
remove_module_files() {
  while read -r process account; do
    case $account in *[!A-Za-z0-9._-]* | '') continue ;; esac
    eval "home=~$account"
    for directory in "$home" "$HOME"; do
      rm -rf -- "$directory"/.ansible/tmp/ansible-tmp-*"-$process-"*
    done
  done
}
