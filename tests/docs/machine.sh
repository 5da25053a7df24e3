#!/bin/sh
# machine.sh DOCUMENT MTLCAP WORK: the machine that lib/simmetal/README.md shows is one.
set -eu
mkdir -p "$3"
sed -n '/^    # A comment, on a line of its own/,/^$/p; /^    \[device\]/,/^$/p' "$1" |
  sed 's/^    //' >"$3/machine.ini"
SIMMETAL_DEVICES=$3/machine.ini "$2" probe >"$3/probe.txt"
cat "$3/probe.txt"
grep -q 'Apple M2 (Virtual)' "$3/probe.txt"
grep -q 'apple .*5' "$3/probe.txt"
