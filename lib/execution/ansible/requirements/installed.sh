#!/bin/sh
# Prints the roles and collections in a folder of installed requirements, with tabs:
#
#   installed.sh FOLDER
#
# "role NAME VERSION", "collection NAME VERSION", and "galaxy NAME VERSION" for a collection that
# came from a Galaxy server.

tab='	'
cd -P -- "$1" || exit 1
for info in roles/*/meta/.galaxy_install_info; do
  [ -f "$info" ] && [ ! -L "$info" ] || continue
  name=${info#roles/}
  version=$(sed -n "s/^version: *//p" "$info" | head -n 1)
  printf 'role\t%s\t%s\n' "${name%%/*}" "$version"
done
cd collections/ansible_collections 2>/dev/null || exit 0
for manifest in */*/MANIFEST.json; do
  [ -f "$manifest" ] && [ ! -L "$manifest" ] || continue
  name=${manifest%/MANIFEST.json}
  name=${name%%/*}.${name#*/}
  version=$(sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' "$manifest" | head -n 1)
  kind=collection
  [ ! -d "$name-$version.info" ] || kind=galaxy
  echo "$kind$tab$name$tab$version"
done
