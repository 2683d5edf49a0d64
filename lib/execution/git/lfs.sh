# Replaces the pointers of Git LFS in a checkout by their files.
#
#   lfs.sh STORAGE [one]
#
# Does the same in submodules, unless "one" is given. STORAGE is where fetched files stay for later
# runs. If it fails, it prints one of these words: "missing" (git-lfs is not installed), "local URL"
# (a setting of the repository names files of this machine), "failed" or "left" (pointers remain).

storage=$1

pointers() {
  git grep -l -I -E -e '^version https://(git-lfs|hawser)\.github\.com/spec/v1$' \
    -- ':(attr:filter=lfs)'
}

fail() {
  echo "$*"
  exit 1
}

if [ -n "$(pointers)" ]; then
  git lfs version >/dev/null 2>&1 || fail missing
  if [ -e .lfsconfig ]; then
    git config --file .lfsconfig --get-regexp '^(lfs|remote\..*|lfs\..*)\.(url|pushurl|lfsurl)$' |
      while read -r _ url; do
        case $url in
          [Hh][Tt][Tt][Pp]://* | [Hh][Tt][Tt][Pp][Ss]://* | [Ss][Ss][Hh]://*) ;;
          *) echo "local $url" ;;
        esac
      done | grep . && exit 1
  fi
  # Settings of the repository must not leave pointers behind.
  git -c lfs.storage="$storage" -c lfs.fetchinclude= -c lfs.fetchexclude= \
    -c lfs.skipdownloaderrors=false -c lfs.locksverify=false -c lfs.concurrenttransfers=4 \
    -c filter.lfs.clean='git-lfs clean -- %f' -c filter.lfs.smudge='git-lfs smudge -- %f' \
    -c filter.lfs.process='git-lfs filter-process' -c filter.lfs.required=true \
    lfs pull origin >&2 || fail failed
  [ -z "$(pointers)" ] || fail left
fi

[ -z "$2" ] && [ -e .gitmodules ] || exit 0
export CALLBOARD_LFS_SCRIPT="$0" CALLBOARD_LFS_STORAGE="$storage"
git submodule --quiet foreach --recursive \
  'sh "$CALLBOARD_LFS_SCRIPT" "$CALLBOARD_LFS_STORAGE" one'
