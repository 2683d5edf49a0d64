#!/bin/sh
# Replaces ansible-playbook where a test or a benchmark needs a run, but not Ansible. It prints the
# output of a small play, and begins and ends in a few milliseconds.
#
# It obeys these variables, or extra vars of the same names in small letters:
#   CALLBOARD_STAND_IN_EXIT      its exit code; with 2 the recap counts a failure
#   CALLBOARD_STAND_IN_LINES     number of further lines that the play prints
#   CALLBOARD_STAND_IN_SLEEP_MS  pause before each of these lines, or once if there are none
#   CALLBOARD_STAND_IN_ECHO      a line to print
#   CALLBOARD_STAND_IN_OUTPUT    a line "name=value" for its file of outputs
#   CALLBOARD_STAND_IN_STATS     a value that it reports as "stats"
# With CALLBOARD_STAND_IN_DUMP=1 it prints its arguments, extra vars and inventory as well.

# No shell can connect to a socket. Perl starts in a tenth of the time of Python.
case ${CALLBOARD_RESULTS:-} in
  /*)
    exec perl -MSocket -e '
$^F = 9; # The connection outlives exec.
socket($channel, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
connect($channel, pack_sockaddr_un($ENV{CALLBOARD_RESULTS})) or die "connect: $!";
$ENV{CALLBOARD_RESULTS} = fileno($channel);
exec("sh", @ARGV) or die "exec: $!";
' "$0" "$@"
    ;;
  ?*) exec 9<&"$CALLBOARD_RESULTS" ;;
esac

# A list of hosts without any, which a play on chosen hosts asks for first.
[ "${1:-}" != --list-hosts ] || exit 0

extra_vars= inventory=
for argument in "$@"; do
  case $argument in
    --extra-vars=@*) extra_vars=${argument#--extra-vars=@} ;;
    --inventory=*) inventory=${argument#--inventory=} ;;
  esac
  playbook=$argument
done

vars=
[ -z "$extra_vars" ] || read -r vars <"$extra_vars"

# Prints the variable $1, or the extra var of that name (a number or a plain text), or $2.
setting() {
  eval "value=\${CALLBOARD_STAND_IN_$1-}"
  name=$(printf %s "$1" | tr '[:upper:]' '[:lower:]')
  case $vars in
    *"\"callboard_stand_in_$name\":"*)
      value=${vars#*"\"callboard_stand_in_$name\":"}
      # A text that is not a template.
      value=${value#'{"__ansible_unsafe":'}
      value=${value#\"}
      value=${value%%[\",\}]*}
      ;;
  esac
  printf %s "${value:-$2}"
}

exit_code=${CALLBOARD_STAND_IN_EXIT:-0} lines=${CALLBOARD_STAND_IN_LINES:-0}
sleep_ms=${CALLBOARD_STAND_IN_SLEEP_MS:-0} text=${CALLBOARD_STAND_IN_ECHO:-}
written=${CALLBOARD_STAND_IN_OUTPUT:-} stats=${CALLBOARD_STAND_IN_STATS:-}
case $vars in
  *callboard_stand_in_*)
    exit_code=$(setting EXIT 0) lines=$(setting LINES 0)
    sleep_ms=$(setting SLEEP_MS 0) text=$(setting ECHO "")
    written=$(setting OUTPUT "") stats=$(setting STATS "")
    ;;
esac

pause() {
  [ "$sleep_ms" -eq 0 ] || sleep "$((sleep_ms / 1000)).$(printf %03d "$((sleep_ms % 1000))")"
}

# Reports like lib/execution/ansible/callback, which first reads its mark.
[ -z "${CALLBOARD_RESULTS:-}" ] || read -r _mark <&9
report() {
  # shellcheck disable=SC2059
  [ -z "${CALLBOARD_RESULTS:-}" ] || printf "$@" >&9
}
report '{"e":"play","u":"p1","n":"%s","free":false,"at":1000,"m":0}\n' "$playbook"
report '{"e":"task","u":"t1","n":"work","a":"command","r":"","p":"%s","l":3,"hd":false,"at":1000,"m":0}\n' "$playbook"

green='\033[0;32m' yellow='\033[0;33m' red='\033[0;31m' plain='\033[0m'
printf '\nPLAY [%s] %s\n\nTASK [Gathering Facts] %s\n' "$playbook" '******' '******'
printf "${green}ok: [localhost]${plain}\n\nTASK [work] ******\n"

if [ "${CALLBOARD_STAND_IN_DUMP:-}" = 1 ]; then
  printf 'argument: %s\n' "$@"
  printf 'extra vars: %s\n' "$vars"
  [ ! -f "$inventory" ] || while read -r line; do printf 'inventory: %s\n' "$line"; done <"$inventory"
fi
[ -z "$text" ] || printf '%s\n' "$text"
[ -z "$written" ] || printf '%s\n' "$written" >>"$CALLBOARD_OUTPUTS"

[ "$lines" -gt 0 ] || pause
line=1
while [ "$line" -le "$lines" ]; do
  pause
  printf "${green}ok: [localhost] => (item=%s)${plain}\n" "$line"
  line=$((line + 1))
done

if [ "$exit_code" -eq 2 ]; then
  failed=1
  printf "${red}fatal: [localhost]: FAILED! => {\"changed\": false, \"msg\": \"as told\"}${plain}\n"
else
  failed=0
  printf "${yellow}changed: [localhost]${plain}\n"
fi
printf '\nPLAY RECAP %s\n' '*********************************************************************'
printf "${yellow}localhost${plain}                  : ${green}ok=2   ${plain} ${yellow}changed=1   ${plain}"
printf " unreachable=0    ${red}failed=%s   ${plain} skipped=0    rescued=0    ignored=0   \n\n" "$failed"
state=ok changed=true
[ "$failed" -eq 0 ] || state=failed changed=false
report '{"e":"result","u":"t1","h":"localhost","s":"%s","c":%s,"b":1000,"at":1500,"m":0,"msg":"as told","d":"-a\\n+b"}\n' "$state" "$changed"
[ -z "${CALLBOARD_FULL_RESULTS:-}" ] ||
  report '{"e":"facts","h":"localhost","v":{"ansible_system":"Linux"}}\n'
[ -z "$stats" ] || report '{"e":"output","n":"stats","v":"%s"}\n' "$stats"
report '{"e":"recap","hosts":[["localhost",[2,1,0,%s,0,0,0]]]}\n{"e":"end","at":1500,"lost":0,"m":0}\n' "$failed"
exit "$exit_code"
