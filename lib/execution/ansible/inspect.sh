#!/bin/sh
# Tells what a run needs to know of its account, and of a checkout, which may lie where the server
# itself cannot read.
#
#   inspect.sh ROOT PLAYBOOK ANSIBLE_CFG [INVENTORY_ROOT INVENTORY]
#
# Prints lines of "account NAME", "playbook STATE", "inventory STATE PATH", "requirements KIND SHA256 PATH" and
# "setting NAME VALUE", their parts apart by tabs. A state is ok, missing or outside.

tab='	'
root=$(realpath "$1") || exit 1

# Sets $state of the path $2, and $real to where it leads when that lies in $1.
locate() {
  case $2 in
    /*) path=$2 ;;
    *) path=$1/$2 ;;
  esac
  state=missing
  [ -e "$path" ] && real=$(realpath "$path" 2>/dev/null) || return 0
  case $real/ in
    "${1%/}"/*) state=ok ;;
    *) state=outside ;;
  esac
}

echo "account$tab$(id -un 2>/dev/null)"
locate "$root" "$2"
echo "playbook$tab$state"
if [ "$#" -gt 3 ]; then
  inventory_root=$(realpath "$4") || exit 1
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
[ -f "$3" ] || exit 0
sed -nE "s/^(roles_path|collections_paths?|ssh_common_args|host_key_checking)[[:space:]]*[=:][[:space:]]*/setting$tab\1$tab/p" "$3"
