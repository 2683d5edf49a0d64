# Sourced. Ansible removes what it copied of a module, arguments and their secrets included, when the
# module has ended: not when it is ended itself. The directory is named after the worker's process.

# Removes what the processes $@ have left of modules for this machine.
remove_module_files() {
  eval "account=~$(id -un)"
  for process in "$@"; do
    for directory in "$account" "$HOME"; do
      rm -rf -- "$directory"/.ansible/tmp/ansible-tmp-*"-$process-"*
    done
  done
}
