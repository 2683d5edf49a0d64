#!/bin/sh
# Runs a command with variables that nothing before it may get: they would change the programs that
# start and supervise it, or their libraries. It also runs it with variables that shells lose,
# because their names are no words.
#
#   late_variables.sh "NAME..." "CODE..." COMMAND [ARGUMENT...]
#
# The value of each NAME comes as CALLBOARD_LATE_<NAME>. CALLBOARD_LATE_<CODE> is an assignment for
# "env", with a name and a value. No assignment has a secret, since everyone can see arguments.

for name in $1; do
  eval "export $name=\"\$CALLBOARD_LATE_$name\""
  unset "CALLBOARD_LATE_$name"
done
codes=$2
shift 2
[ -n "$codes" ] || exec "$@"
# The first word without "=" is the command, and a path may contain one.
set -- nice -n 0 "$@"
for code in $codes; do
  eval "set -- \"\$CALLBOARD_LATE_$code\" \"\$@\""
  unset "CALLBOARD_LATE_$code"
done
exec env -- "$@"
