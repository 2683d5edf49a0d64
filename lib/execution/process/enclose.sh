#!/bin/sh
# Starts bubblewrap, and stays in front of it: it dies with its parent, and to the kernel each
# thread of the server, which come and go, is a parent.
#
#   enclose.sh bwrap OPTION... -- COMMAND [ARGUMENT...]
#
# Some options are those of hidden_paths.ts. They are settled for each command, because bubblewrap
# creates what does not exist, and because files come, go and are replaced:
#
#   --hide FOLDER                an empty folder in its place
#   --close FOLDER               no one can write to the empty folder
#   --mask FILE                  an unreadable file in its place, and in those of its copies
#   --others PATTERN OWN INSIDE  empty folders in place of all but the own one. If they are
#                                inside a hidden folder, only links out of it matter
newline='
'
IFS=$newline
hidden=
left=$#
options=yes

is_hidden() {
  set -f
  for folder in $hidden; do
    case $1 in "$folder"/*) set +f && return ;; esac
  done
  set +f
  return 1
}

while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  case $options$word in
    yes--hide | yes--close)
      folder=$1
      shift
      left=$((left - 1))
      if [ ! -d "$folder" ]; then
        :
      elif [ "$word" = --hide ]; then
        hidden=$hidden$newline$folder
        set -- "$@" --tmpfs "$folder"
      else
        set -- "$@" --remount-ro "$folder"
      fi
      ;;
    yes--mask)
      named=$1
      shift
      left=$((left - 1))
      # Copies are those of a rotation, a database, an editor or a package.
      for file in "$named" "$named"[.~]* "$named"-[0-9]* "$named"-wal "$named"-shm; do
        [ -e "$file" ] || continue
        if [ -L "$file" ]; then
          file=$(realpath -- "$file")
          is_hidden "$file" && continue
        fi
        if [ -d "$file" ]; then
          set -- "$@" --tmpfs "$file" --remount-ro "$file"
        else
          set -- "$@" --ro-bind /dev/null "$file"
        fi
      done
      ;;
    yes--others)
      pattern=$1 own=$2 inside=$3
      shift 3
      left=$((left - 3))
      for folder in $pattern; do
        [ "$folder" != "$own" ] && [ -d "$folder" ] || continue
        if [ -L "$folder" ]; then
          folder=$(realpath -- "$folder")
        elif [ -n "$inside" ]; then
          continue
        fi
        set -- "$@" --tmpfs "$folder" --remount-ro "$folder"
      done
      ;;
    yes--)
      options=
      set -- "$@" --
      ;;
    *) set -- "$@" "$word" ;;
  esac
done
"$@"
exit "$?"
