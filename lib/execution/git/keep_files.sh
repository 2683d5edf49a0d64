#!/bin/sh
# Packs files of a checkout that are kept for the next run, or puts them back.
#
#   keep_files.sh pack ROOT FILES_MAX PATH...    prints an archive of tar, or nothing
#   keep_files.sh unpack ROOT ARCHIVE PATH...
#
# Packs files and folders, and never links. A path that is a link or behind one is an error, because
# it may lead out of the checkout. Exits with 3 if there are too many files. Files and links that
# are there already are not replaced: those of the commit win.

umask 077
what=$1
third=$3
cd -P -- "$2" || exit 1
shift 3

for path; do
  shift
  part=$path
  while :; do
    if [ -L "./$part" ]; then
      echo "$path is a link, or behind one" >&2
      exit 1
    fi
    case $part in
      */*) part=${part%/*} ;;
      *) break ;;
    esac
  done
  [ "$what" = pack ] && [ ! -e "./$path" ] || set -- "$@" "./$path"
done
[ "$#" -gt 0 ] || exit 0

if [ "$what" = unpack ]; then
  # Nothing goes through links of the commit, also inside of a path and in a path of before.
  find . -name .git -prune -o -type l -print |
    tar --extract --skip-old-files --no-same-owner --no-same-permissions --file="$third" \
      --anchored --no-wildcards --exclude-from=-
  exit "$?"
fi

# Files in a folder that cannot be read would be missing without a word.
find "$@" -name .git -prune -o -type d >/dev/null || exit 1
count=$(find "$@" -name .git -prune -o -type f -print0 | tr -dc '\000' | wc -c)
[ "$count" -le "$third" ] || exit 3
find "$@" -name .git -prune -o '(' -type f -o -type d ')' -print0 |
  tar --create --null --no-recursion --files-from=- --file=-
