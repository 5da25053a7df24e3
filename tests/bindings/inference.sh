#!/bin/sh
# inference.sh PROGRAM: the example says what was changed, and does not start without the fast path.
set -eu
export SIMMETAL_DEVICES=paravirt

expect() { # STATUS TEXT ARGUMENT...
  wanted=$1 text=$2
  shift 2
  status=0
  output=$("$program" "$@" 2>&1) || status=$?
  printf '%s\n' "$output"
  case $status:$output in
    "$wanted:"*"$text"*) ;;
    *) echo "inference: expected exit status $wanted and '$text', found $status" >&2 && exit 1 ;;
  esac
}

program=$1
expect 0 "  apple: 5 -> 7 (auto: apple.min=7)"
expect 0 "fast path" apple.min=9 beyond-hardware
expect 70 "expected apple>=7, found 5" stock
expect 1 "hazard beyond-hardware" apple.min=9
expect 1 "did you mean 'apple'?" appel.min=9
SIMMETAL_DEVICES=none expect 1 "device"
