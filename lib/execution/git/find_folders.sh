#!/bin/sh
# Prints the folders, without links, that git reads for a path: the one with this name, or with
# ".git" after it, its repository, its objects, and those that it borrows. For a file it prints the
# folder around it.
#
#   find_folders.sh PATH
#
# The shell asks the kernel, because git follows links too, also those of /proc.

real() { (cd -P -- "$1" 2>/dev/null && pwd -P); }
found=
for folder in "$1" "$1.git"; do
  cd -P -- "$folder" 2>/dev/null || continue
  found=1
  pwd -P
  for git in .git .; do
    if [ -f "$git" ] || [ -f "$git/commondir" ] || [ -s "$git/objects/info/alternates" ]; then
      {
        git rev-parse --absolute-git-dir --git-path objects
        git -c core.quotePath=false count-objects -v | sed -n 's/^alternate: //p'
      } 2>/dev/null | while IFS= read -r its; do real "$its"; done
    fi
    real "$git/objects"
  done
done
[ "$found" ] || real "$(dirname -- "$(realpath -- "$1" 2>/dev/null || echo "$1")")"
