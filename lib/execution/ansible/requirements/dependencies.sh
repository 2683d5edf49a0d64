#!/bin/sh
# Prints files that say what roles and collections in a folder of installed requirements depend on:
#
#   dependencies.sh FOLDER
#
# Prints a path, a line break, the text and NUL for each file that may name a git repository.

cd -P -- "$1" || exit 1

show() {
  [ -f "$1" ] && [ ! -L "$1" ] && grep -q "$2" <"$1" || return
  printf '%s\n' "$1"
  head -c 65536 <"$1" | tr -d '\000'
  printf '\000'
}

for role in roles/*; do
  main=$role/meta/main.yml
  [ -f "$main" ] || main=$role/meta/main.yaml
  grep -q -s '^dependencies: *\[ *\]' "$main" || show "$main" git
  file=$role/meta/requirements.yml
  [ -f "$file" ] || file=$role/meta/requirements.yaml
  show "$file" git
done
for manifest in collections/ansible_collections/*/*/MANIFEST.json; do
  show "$manifest" '"git[+@]'
done
exit 0
