#!/bin/sh
# Starts bubblewrap, and stays in front of it: it dies with its parent, and to the kernel each
# thread of the server, which come and go, is a parent.
#
#   enclose.sh bwrap OPTION... -- COMMAND [ARGUMENT...]
#
# Some options are those of hidden_paths.ts. They are settled for each command, because bubblewrap
# creates what does not exist, and because files come, go and are replaced:
#
#   --pin FOLDER                 the same folder, which no one can move
#   --hide FOLDER                an empty folder in its place
#   --close FOLDER               no one can write to the empty folder
#   --show PATH                  what can be reached there, but no one can change it
#   --mask FILE                  an unreadable file in its place, and in those of its copies
#   --others PATTERN OWN INSIDE  empty folders in place of all but the own one. If they are
#                                inside a hidden folder, only links out of it matter
newline='
'
IFS=$newline
hidden=
n=0
found=0
# The command as text, in which "${3}" is a word of this script. Copying all words for each change
# would take longer than bubblewrap itself.
command=

word() { command="$command \"\${$1}\""; }

is_hidden() {
  set -f
  for folder in $hidden; do
    case $1 in "$folder"/*) set +f && return ;; esac
  done
  set +f
  return 1
}

# Puts something in place of a file or a folder that was found.
cover() {
  found=$((found + 1))
  eval "found_$found=\$1"
  if [ -d "$1" ]; then
    command="$command --tmpfs \"\$found_$found\" --remount-ro \"\$found_$found\""
  else
    command="$command --ro-bind /dev/null \"\$found_$found\""
  fi
}

while [ "$n" -lt $# ]; do
  n=$((n + 1))
  eval "option=\${$n}"
  case $option in
    --hide | --close)
      n=$((n + 1))
      eval "folder=\${$n}"
      [ -d "$folder" ] || continue
      if [ "$option" = --hide ]; then
        hidden=$hidden$newline$folder
        command="$command --tmpfs"
      else
        command="$command --remount-ro"
      fi
      word "$n"
      ;;
    --pin)
      n=$((n + 1))
      eval "folder=\${$n}"
      # Only who can write to the folder above could move it.
      [ -d "$folder" ] && [ -w "${folder%/*}/" ] || continue
      command="$command --bind"
      word "$n"
      word "$n"
      ;;
    --show)
      n=$((n + 1))
      eval "shown=\${$n}"
      [ -e "$shown" ] || continue
      command="$command --ro-bind"
      word "$n"
      word "$n"
      ;;
    --mask)
      n=$((n + 1))
      eval "named=\${$n}"
      # Copies are those of a rotation, a database, an editor or a package.
      for file in "$named" "$named"[.~]* "$named"-[0-9]* "$named"-wal "$named"-shm; do
        [ -e "$file" ] || continue
        if [ -L "$file" ]; then
          file=$(realpath -- "$file")
          is_hidden "$file" && continue
        fi
        cover "$file"
      done
      ;;
    --others)
      eval "pattern=\${$((n + 1))} own=\${$((n + 2))} inside=\${$((n + 3))}"
      n=$((n + 3))
      for folder in $pattern; do
        [ "$folder" != "$own" ] && [ -d "$folder" ] || continue
        if [ -L "$folder" ]; then
          cover "$(realpath -- "$folder")"
        elif [ -z "$inside" ]; then
          cover "$folder"
        fi
      done
      ;;
    --)
      while [ "$n" -le $# ]; do
        word "$n"
        n=$((n + 1))
      done
      ;;
    *) word "$n" ;;
  esac
done
eval "$command"
exit "$?"
