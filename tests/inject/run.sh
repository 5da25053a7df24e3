#!/bin/sh
# Runs one test of the injected library:  run.sh CASE.sh
#
# CASE.sh is read in an empty folder, with $INJECT (the library), $CLIENT, $USER_PROGRAM, $LINKED and
# $BARE (builds of client.c), $LATER, $COUNT_OPENS and $SHIM_LIBRARY (libraries to preload), and
#
#     expect PATTERN [NAME=VALUE...] PROGRAM ARGUMENT...
#
# which runs the program with the library preloaded; $PRELOAD is what else is, and where. What it
# prints, errors too, must match the pattern, as in sh's case; a last line "exit N" stands for an exit
# code that is not 0.
#
#     expect_text PATTERN COMMAND ARGUMENT...
#
# is the same for a command without the library.
set -u

case_file=$1
for name in $(env | sed -nE 's/^((SIMMETAL|MTL|MTLCAP|LUME|TART)_[A-Z0-9_]*)=.*/\1/p'); do
  unset "$name"
done
LC_ALL=C
export LC_ALL INJECT

work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
PRELOAD=$INJECT

# match PATTERN TEXT WHAT
match() {
  # shellcheck disable=SC2254 # it is meant as a pattern
  case $2 in
    $1) return ;;
  esac
  failures=$((failures + 1))
  printf '%s\n  does not match:\n%s\n  but is:\n%s\n' "$3" "$1" "$2"
}

run() {
  env LD_PRELOAD="$PRELOAD" "$@" 2>&1
  code=$?
  [ $code = 0 ] || echo "exit $code"
}

expect() {
  pattern=$1
  shift
  match "$pattern" "$(run "$@")" "$*"
}

expect_text() {
  pattern=$1
  shift
  match "$pattern" "$("$@" 2>&1)" "$*"
}

# shellcheck disable=SC1090 # a test
. "$case_file"
exit $failures
