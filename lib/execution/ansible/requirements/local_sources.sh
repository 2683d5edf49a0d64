#!/bin/sh
# Prints what local sources of requirements are.
#
#   local_sources.sh ROOT START HASHED PATH...
#
# PATHs may be relative to START. For each one, prints "inside DIGEST REAL", "outside DIGEST REAL"
# or "missing", with tabs. REAL is the path without links. DIGEST stands for the contents. Sources
# inside of ROOT have "-" instead, unless HASHED is 1.

cd -P -- "$1" || exit 1
root=$PWD
start=$2 hashed=$3
shift 3
for path in "$@"; do
  cd -- "$start" || exit 1
  real=$(realpath -- "$path" 2>/dev/null) && [ -e "$real" ] || {
    echo missing
    continue
  }
  where=outside
  case $real/ in "${root%/}"/*) where=inside ;; esac
  digest=-
  if [ "$where" = outside ] || [ "$hashed" = 1 ]; then
    if [ -d "$real" ]; then
      cd -P -- "$real" || exit 1
      digest=$(
        find . -name .git -prune -o -type f -exec sha256sum -- {} + -o -type l -print |
          LC_ALL=C sort | sha256sum | cut -c 1-64
      )
    else
      digest=$(sha256sum <"$real" | cut -c 1-64)
    fi
  fi
  printf '%s\t%s\t%s\n' "$where" "$digest" "$real"
done
