#!/bin/sh
# Serves one private key to ssh until it is ended, with the certificate in KEY_FILE-cert.pub if that
# exists.
#
#   agent.sh SOCKET KEY_FILE
#
# Prints "ready" once the key is loaded and off the disk. Otherwise prints why it cannot be loaded:
# "passphrase" (missing or wrong), "unreadable" (not a private key), "certificate" (of another key,
# or broken), "missing" (no OpenSSH on this machine) or "failed" (the agent does not start).
# SSH_ASKPASS gives the passphrase.

socket=$1 key=$2

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

ssh-add -q "$key" >/dev/null 2>&1
status=$?
# ssh-add only warns about a certificate that it cannot load.
if [ "$status" -eq 0 ] && [ -e "$key-cert.pub" ]; then
  ssh-add -L | grep -q -F -e "$(cut -d ' ' -f 2 "$key-cert.pub")" || status=certificate
fi
rm -f "$key" "$key-cert.pub" "$CALLBOARD_PASSPHRASE_FILE"
if [ "$status" = 0 ]; then
  echo ready
elif [ "$status" = certificate ]; then
  echo certificate
  exit 1
elif [ -e "$CALLBOARD_PASSPHRASE_FILE.refused" ]; then
  echo passphrase
  exit 1
else
  echo unreadable
  exit 1
fi
wait "$agent"
