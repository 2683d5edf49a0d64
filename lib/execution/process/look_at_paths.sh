#!/bin/sh
# Prints what some paths are, for look_at_paths.ts.
#
#   look_at_paths.sh FILE... -- PATH...
#
# For each FILE, there is a line "path FILE", and then
#
#   link REAL             a link that leads on. REAL has no links in its folders
#   file|folder|none REAL the end of the path
#   beside REAL           a folder in the folder of one of these, except for those of Kubernetes
#
# For each PATH, there is a line "real PATH" without links. The last lines are "home FOLDER" and
# "mount LINE", as in /proc/self/mountinfo.

say() { printf '%s\n' "$1 $2"; }

look() {
  path=$1 hops=0
  while :; do
    name=${path##*/} folder=${path%/*}
    case $name in
      '' | . | ..) real=$(realpath -m -- "$path") ;;
      *)
        folder=$(realpath -m -- "${folder:-/}")
        real=${folder%/}/$name
        ;;
    esac
    [ -L "$real" ] && [ "$hops" -lt 40 ] || break
    say link "$real"
    beside "$folder"
    target=$(readlink -- "$real")
    case $target in /*) path=$target ;; *) path=$folder/$target ;; esac
    hops=$((hops + 1))
  done
  if [ -d "$real" ]; then
    say folder "$real"
  elif [ -e "$real" ]; then
    say file "$real"
    beside "$folder"
  else
    say none "$real"
    beside "$folder"
  fi
}

# Kubernetes keeps the versions of a secret in folders whose names begin with "..".
beside() {
  find "$1/" -mindepth 1 -maxdepth 1 -type d ! -name '..*' 2>/dev/null | head -n 100 |
    while read -r found; do say beside "$(realpath -m -- "$found")"; done
}

while [ "$1" != -- ]; do
  say path "$1"
  look "$1"
  shift
done
shift
[ $# -eq 0 ] || realpath -m -- "$@" | sed 's/^/real /'
eval "home=~$(id -un 2>/dev/null)"
say home "$home"
[ ! -r /proc/self/mountinfo ] || sed 's/^/mount /' /proc/self/mountinfo
