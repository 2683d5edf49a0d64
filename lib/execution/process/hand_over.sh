#!/bin/sh
# Makes an account the owner of the files that earlier runs of any account have left for later ones.
#
#   hand_over.sh DATA_FOLDER UID GID
#
# The folders above them stay the server's: the account may only pass through.

data=$1 uid=$2 gid=$3

pass() { chgrp "$gid" "$@" && chmod 0710 "$@"; }
own() { find "$@" ! -uid "$uid" -exec chown -h "$uid:$gid" {} +; }

for folder in tasks repositories galaxy homes known_hosts; do
  mkdir -p "$data/$folder" && pass "$data/$folder" || exit 1
done
for part in "$data"/homes/* "$data"/known_hosts/* "$data"/galaxy/*/* "$data"/repositories/*/*/*.git; do
  case $part in */lock) continue ;; esac
  [ ! -e "$part" ] || own "$part" || exit 1
done
for way in "$data"/galaxy/* "$data"/repositories/* "$data"/repositories/*/*; do
  [ ! -d "$way" ] || pass "$way" || exit 1
done
[ ! -d "$data/toolchains" ] || pass "$data/toolchains" || exit 1
# Toolchains were built by runs, perhaps in another isolation.
for part in "$data"/toolchains/*/; do
  [ ! -d "$part" ] || { chown -hR "$(id -u):$gid" "$part" && chmod -R u+rwX,g=rX,o= "$part"; } || exit 1
done
# Folders that runs only read.
for folder in ansible demo.git; do
  [ ! -e "$data/$folder" ] || chmod -R a+rX "$data/$folder" || exit 1
done
