#!/bin/sh
# Runs a command with variables that nothing in front of it may get: they would decide what starts
# and watches it, or with which libraries.
#
#   late_variables.sh "NAME..." COMMAND [ARGUMENT...]
#
# The value of each NAME comes as CALLBOARD_LATE_<NAME>.

for name in $1; do
  eval "export $name=\"\$CALLBOARD_LATE_$name\""
  unset "CALLBOARD_LATE_$name"
done
shift
exec "$@"
