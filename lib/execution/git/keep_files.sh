#!/bin/sh
# Packs files of a checkout that are kept for the next run, or puts them back.
#
#   keep_files.sh pack ROOT FILES_MAX PATH...   prints an archive of tar, or nothing
#   keep_files.sh unpack ROOT ARCHIVE
#
# Packs files and folders, and never links. A path that is behind a link is left out, because it may
# lead out of the checkout. Exits with 3 if there are too many files. Files that are there already
# are not replaced: those of the commit win.

umask 077
what=$1
cd -P -- "$2" || exit 1
root=$PWD
if [ "$what" = unpack ]; then
  exec tar --extract --skip-old-files --no-same-owner --no-same-permissions --file="$3"
fi
max=$3
shift 3

for path; do
  shift
  case $path in
    */*) parent=$root/${path%/*} ;;
    *) parent=$root ;;
  esac
  [ "$(cd -P -- "$parent" 2>/dev/null && pwd)" = "$parent" ] || continue
  [ -e "$path" ] && [ ! -L "$path" ] || continue
  set -- "$@" "./$path"
done
[ "$#" -gt 0 ] || exit 0

count=$(find "$@" -name .git -prune -o -type f -print0 | tr -dc '\000' | wc -c)
[ "$count" -le "$max" ] || exit 3
find "$@" -name .git -prune -o '(' -type f -o -type d ')' -print0 |
  tar --create --null --no-recursion --files-from=- --file=-
