#!/bin/sh
# Tells what a run needs to know of its account, and of a checkout, which may lie where the server
# itself cannot read.
#
#   inspect.sh ROOT PLAYBOOK ANSIBLE_CFG [INVENTORY_ROOT INVENTORY]
#
# Prints lines of "account NAME", "playbook STATE", "inventory STATE PATH", "requirements KIND SHA256 PATH" and
# "setting NAME VALUE", their parts apart by tabs. A state is ok, missing or outside.

tab=$(printf '\t')
root=$(realpath "$1") || exit 1

# Says the real path of $2 when it lies in $1.
locate() {
  case $2 in
    /*) path=$2 ;;
    *) path=$1/$2 ;;
  esac
  real=$(realpath "$path" 2>/dev/null)
  if [ ! -e "$real" ]; then
    echo "missing"
    return
  fi
  case $real/ in
    "${1%/}"/*) echo "ok$tab$real" ;;
    *) echo "outside" ;;
  esac
}

echo "account$tab$(id -un 2>/dev/null)"
echo "playbook$tab$(locate "$root" "$2")"
if [ "$#" -gt 3 ]; then
  inventory_root=$(realpath "$4") || exit 1
  echo "inventory$tab$(locate "$inventory_root" "$5")"
fi

requirements() {
  for kind in collections roles both; do
    name=requirements.yml
    [ "$kind" = both ] || name=$kind/requirements.yml
    found=$(locate "$root" "$1/$name")
    case $found in
      ok*) echo "requirements$tab$kind$tab$(sha256sum <"${found#*"$tab"}" | cut -c 1-64)$tab${found#*"$tab"}" ;;
    esac
  done
}

beside=$(dirname -- "$2")
requirements "$beside"
[ "$beside" = . ] || requirements .

cd "$root" || exit 1
[ -f "$3" ] || exit 0
sed -nE "s/^(roles_path|collections_paths?|ssh_common_args|host_key_checking)[[:space:]]*[=:][[:space:]]*/setting$tab\1$tab/p" "$3"
