#!/bin/sh
# Prints the facts about a checkout that a run needs. The server itself may not be able to read it.
#
#   inspect.sh COUNT FOLDER... ROOT PLAYBOOK HOME [INVENTORY_ROOT INVENTORY]
#
# COUNT is the number of FOLDERs, which are used in place. For each of them, first prints a line "in
# place PATH", and lines "folder PATH" with the folders that git may read for it. Then prints lines
# of "playbook STATE", "inventory STATE PATH", "requirements KIND SHA256 PATH" and
# "config FOLDER". The lines of the ansible.cfg that applies to a play with this HOME follow.
# Tabs separate the parts of a line. A state is ok, missing or outside. If a root cannot be read,
# prints "no folder PATH" and nothing after it. ANSIBLE_CONFIG may be set, as for the play.
#
# Each run waits for this script, so it starts another program only where the shell cannot do it.

tab='	'
count=$1
shift

[ "$count" -eq 0 ] || . "${0%/*}/../git/find_folders.sh"
while [ "$count" -gt 0 ]; do
  printf 'in place\t%s\n' "$1"
  find_folders "$1" "folder$tab"
  shift
  count=$((count - 1))
done

for folder in "$1" ${4+"$4"}; do
  [ -d "$folder" ] && [ -r "$folder" ] && [ -x "$folder" ] && continue
  echo "no folder$tab$folder"
  exit 0
done
cd -P -- "$1" || exit 1
root=$PWD

# Sets $state for the path $2. If the path leads into $1, sets $real to its target.
locate() {
  case $2 in
    /*) path=$2 ;;
    *) path=$1/$2 ;;
  esac
  state=missing
  [ -e "$path" ] || return 0
  case ${path##*/} in
    '' | . | ..) real=$(realpath "$path" 2>/dev/null) || return 0 ;;
    *)
      if [ -L "$path" ]; then
        real=$(realpath "$path" 2>/dev/null) || return 0
      else
        cd -P -- "${path%/*}/" 2>/dev/null || return 0
        real=${PWD%/}/${path##*/}
      fi
      ;;
  esac
  case $real/ in
    "${1%/}"/*) state=ok ;;
    *) state=outside ;;
  esac
}

locate "$root" "$2"
echo "playbook$tab$state"
if [ "$#" -gt 3 ]; then
  cd -P -- "$4" || exit 1
  inventory_root=$PWD
  locate "$inventory_root" "$5"
  echo "inventory$tab$state$tab$real"
fi

requirements() {
  for kind in collections roles both; do
    name=requirements.yml
    [ "$kind" = both ] || name=$kind/requirements.yml
    locate "$root" "$1/$name"
    [ "$state" = ok ] || continue
    echo "requirements$tab$kind$tab$(sha256sum <"$real" | cut -c 1-64)$tab$real"
  done
}

case $2 in
  */*) beside=${2%/*} ;;
  *) beside=. ;;
esac
requirements "$beside"
[ "$beside" = . ] || requirements .

cd "$root" || exit 1

# Takes the first file that exists, by Ansible's own rule. See find_ini_config_file in its
# config/manager.py.
named=${ANSIBLE_CONFIG-}
case $named in
  '~') named=$3 ;;
  '~/'*) named=$3/${named#'~/'} ;;
esac
[ -d "$named" ] && named=$named/ansible.cfg
own=
[ ! -r ansible.cfg ] || [ -n "$(find . -maxdepth 0 -perm -0002)" ] || own=ansible.cfg
for config in "$named" "$own" "$3/.ansible.cfg" /etc/ansible/ansible.cfg; do
  [ -n "$config" ] && [ -r "$config" ] || continue
  folder=$(cd "$(dirname "$config")" && pwd) || exit 1
  echo "config$tab$folder"
  head -c 262144 "$config" | sed "s/^/config line$tab/"
  exit 0
done
