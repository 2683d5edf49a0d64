#!/bin/sh
# Serves private keys to ssh, in this order, until it is ended. Each comes with the certificate in
# KEY_FILE-cert.pub if that exists.
#
#   agent.sh SOCKET KEY_FILE...
#
# Writes the public half of each key to KEY_FILE.pub. Prints "ready" once all keys are loaded and
# off the disk. Otherwise prints why one cannot be loaded, and which: "passphrase 1" (missing or
# wrong), "unreadable 2" (not a private key) or "certificate 3" (of another key, or broken). Or
# "missing" (no OpenSSH on this machine) or "failed" (the agent does not start). SSH_ASKPASS gives
# the passphrase, which is in KEY_FILE.passphrase.

umask 077
socket=$1
shift

for program in ssh-agent ssh-add; do
  command -v "$program" >/dev/null && continue
  echo missing
  exit 1
done

export SSH_AUTH_SOCK=$socket

# The socket exists a moment before the agent listens on it.
answers() {
  ssh-add -l >/dev/null 2>&1
  [ "$?" -ne 2 ]
}

ssh-agent -D -a "$socket" >/dev/null 2>&1 &
agent=$!
until [ -S "$socket" ] && answers; do
  kill -0 "$agent" 2>/dev/null && sleep 0.01 && continue
  echo failed
  exit 1
done

# ssh-add only warns about a certificate that it cannot load.
holds_certificate() {
  [ ! -e "$1" ] || ssh-add -L | grep -q -F -e "$(cut -d ' ' -f 2 "$1")"
}

number=0
for key; do
  number=$((number + 1))
  export CALLBOARD_PASSPHRASE_FILE="$key.passphrase"
  passphrase=$(cat "$CALLBOARD_PASSPHRASE_FILE" 2>/dev/null)
  reason=unreadable
  held=$(ssh-add -L | grep -c ' AAAA')
  if ssh-add -q "$key" >/dev/null 2>&1; then
    # A certificate comes after its key.
    ssh-add -L | tail -n "+$((held + 1))" | head -n 1 >"$key.pub"
    if [ ! -s "$key.pub" ]; then
      # The agent had this key already, from another file.
      [ -z "$passphrase" ] || printf '%s\n' "$passphrase" >"$CALLBOARD_PASSPHRASE_FILE"
      ssh-keygen -y -f "$key" >"$key.pub" 2>/dev/null
    fi
    rm -f "$key" "$CALLBOARD_PASSPHRASE_FILE"
    holds_certificate "$key-cert.pub" && continue
    reason=certificate
  fi
  [ ! -e "$CALLBOARD_PASSPHRASE_FILE.refused" ] || reason=passphrase
  for key; do rm -f "$key" "$key.passphrase"; done
  echo "$reason $number"
  exit 1
done
echo ready
wait "$agent"
