#!/bin/sh
# Prints the facts about a checkout that a run needs. The server itself may not be able to read it.
#
#   inspect.sh COUNT FOLDER... ROOT PLAYBOOK HOME WORKING_DIRECTORY [INVENTORY_ROOT INVENTORY]
#
# COUNT is the number of FOLDERs, which are used in place. For each of them, first prints a line "in
# place PATH", and lines "folder PATH" with the folders that git may read for it. Then prints lines
# of "working directory STATE PATH", "playbook STATE PATH", "inventory STATE PATH",
# "requirements KIND FILE BASE64", "unused config FOLDER" and "config FOLDER". The lines of the
# ansible.cfg that applies to a play with this HOME follow.
# Tabs separate the parts of a line. A state is ok, missing or outside. If a root cannot be read,
# prints "no folder PATH" and nothing after it. ANSIBLE_CONFIG may be set, as for the play.
#
# Each run waits for this script, so it starts another program only where the shell cannot do it.

tab='	'
count=$1
shift

[ "$count" -eq 0 ] || . "${0%/*}/../../git/find_folders.sh"
while [ "$count" -gt 0 ]; do
  printf 'in place\t%s\n' "$1"
  find_folders "$1" "folder$tab"
  shift
  count=$((count - 1))
done

for folder in "$1" ${5+"$5"}; do
  [ -d "$folder" ] && [ -r "$folder" ] && [ -x "$folder" ] && continue
  echo "no folder$tab$folder"
  exit 0
done
cd -P -- "$1" || exit 1
root=$PWD

# Whether $2 is the folder $1 or in it.
within() {
  case $2/ in
    "${1%/}"/*) return 0 ;;
    *) return 1 ;;
  esac
}

real=
# Sets $path to the path $2 in the folder $1, with its links, and $state. If it exists, sets $real
# to its target. A file is outside also if its link is: Ansible reads variables beside the link.
locate() {
  case $2 in
    /*) path=$2 ;;
    *) path=$1/$2 ;;
  esac
  state=missing
  [ -e "$path" ] && cd -P -- "${path%/*}/" 2>/dev/null || return 0
  case ${path##*/} in
    '' | . | ..) real=$(realpath "$path" 2>/dev/null) || return 0 ;;
    *)
      if [ -L "$path" ]; then
        real=$(realpath "$path" 2>/dev/null) || return 0
      else
        real=${PWD%/}/${path##*/}
      fi
      ;;
  esac
  state=outside
  within "$1" "$real" || return 0
  { [ -d "$path" ] || within "$1" "$PWD"; } && state=ok
}

if [ "$4" = . ]; then
  state=ok real=$root
else
  locate "$root" "$4"
  [ "$state" != ok ] || [ -d "$real" ] || state=missing
fi
echo "working directory$tab$state$tab$real"
[ "$state" = ok ] || exit 0
start=$real
locate "$root" "$2"
echo "playbook$tab$state$tab$path"
if [ "$#" -gt 4 ]; then
  cd -P -- "$5" || exit 1
  inventory_root=$PWD
  locate "$inventory_root" "$6"
  echo "inventory$tab$state$tab$path"
fi

found=
requirements() {
  for kind in collections roles both; do
    name=requirements
    [ "$kind" = both ] || name=$kind/requirements
    other=
    for file in "$1/$name.yml" "$1/$name.yaml"; do
      locate "$root" "$file"
      [ "$state" = ok ] && [ -f "$real" ] && [ "$real" != "$other" ] || continue
      other=$real found=yes
      file=${file#"$root/"}
      echo "requirements$tab$kind$tab${file#./}$tab$(head -c 65537 <"$real" | base64 -w 0)"
    done
  done
}

case $2 in
  */*) beside=${2%/*} ;;
  *) beside=. ;;
esac
requirements "$beside"
if [ "$start" = "$root" ]; then
  [ "$beside" = . ] || requirements .
else
  requirements "$start"
  # Another part of the repository may have those of the root.
  [ -n "$found" ] || requirements .
fi

# Prints the nearest folder of the playbook, below the root, with a configuration that only a run
# that starts there would use.
cd "$root" || exit 1
folder=$beside
[ "$start" = "$root" ] && [ -z "${ANSIBLE_CONFIG-}" ] || folder=.
while [ "$folder" != . ]; do
  if [ -f "$folder/ansible.cfg" ]; then
    echo "unused config$tab$folder"
    break
  fi
  case $folder in
    */*) folder=${folder%/*} ;;
    *) folder=. ;;
  esac
done

cd "$start" || exit 1

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
