# Sourced. Finds the folders, without links, that git reads for a path.
#
#   find_folders PATH [PREFIX]
#
# Prints the folder with this name, or with ".git" after it, its repository, its objects, and those
# that it borrows, each after the prefix. For a file it prints the folder around it. The shell asks
# the kernel, because git follows links too, also those of /proc. The working folder changes.

print_real() {
  [ ! -d "$1" ] || (cd -P -- "$1" 2>/dev/null && printf '%s%s\n' "$prefix" "$PWD")
}

find_folders() {
  found='' prefix=${2-}
  for folder in "$1" "$1.git"; do
    cd -P -- "$folder" 2>/dev/null || continue
    found=1
    printf '%s%s\n' "$prefix" "$PWD"
    for git in .git .; do
      if [ -f "$git" ] || [ -f "$git/commondir" ] || [ -s "$git/objects/info/alternates" ]; then
        {
          git rev-parse --absolute-git-dir --git-path objects
          git -c core.quotePath=false count-objects -v | sed -n 's/^alternate: //p'
        } 2>/dev/null | while IFS= read -r its; do print_real "$its"; done
      fi
      print_real "$git/objects"
    done
  done
  [ "$found" ] || print_real "$(dirname -- "$(realpath -- "$1" 2>/dev/null || echo "$1")")"
}
