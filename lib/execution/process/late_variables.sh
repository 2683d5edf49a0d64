#!/bin/sh
# Runs a command with variables that nothing before it may get: they would change the programs that
# start and supervise it, or their libraries.
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
