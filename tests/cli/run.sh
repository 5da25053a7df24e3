#!/bin/sh
# Runs one test of the mtlcap command:  run.sh CASE.sh MTLCAP
#
# CASE.sh is run with sh, in an empty folder, with $MTLCAP (the command) and $CASES (the folder of the
# cases). What it must do is in the files beside it:
#
#   CASE.out        standard output, exactly       CASE.out.glob   the same, by patterns
#   CASE.err        standard error, exactly        CASE.err.glob   the same, by patterns
#   CASE.exit       exit code; without it 0
#
# A file of patterns holds one sh pattern a line; a line "..." stands for any lines. Without a file
# nothing must be written, but for the line on standard error that the GPU is simulated.
set -u

case_file=$1
MTLCAP=$2
CASES=$(cd "$(dirname "$case_file")" && pwd)
base=$CASES/$(basename "$case_file" .sh)
export MTLCAP CASES

for name in $(env | sed -nE 's/^((SIMMETAL|MTL|MTLCAP)_[A-Z0-9_]*)=.*/\1/p'); do
  unset "$name"
done
unset NO_COLOR
TERM=dumb
LC_ALL=C
export TERM LC_ALL

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"
failed=0

fail() {
  echo "$(basename "$base"): $*"
  failed=1
}

# matches PATTERNS TEXT
matches() {
  exec 3<"$1" 4<"$2"
  skipping=no
  while IFS= read -r pattern <&3; do
    if [ "$pattern" = "..." ]; then
      skipping=yes
      continue
    fi
    while :; do
      IFS= read -r line <&4 || return 1
      # shellcheck disable=SC2254 # it is meant as a pattern
      case $line in
        $pattern) break ;;
      esac
      [ "$skipping" = yes ] || return 1
    done
    skipping=no
  done
  [ "$skipping" = yes ] || ! IFS= read -r line <&4
}

# compare FILE SUFFIX WHAT
compare() {
  if [ -f "$base.$2.glob" ]; then
    matches "$base.$2.glob" "$1" && return
    fail "$3 does not match $base.$2.glob:"
    cat "$1"
  elif [ -f "$base.$2" ]; then
    cmp -s "$base.$2" "$1" && return
    fail "$3 is not as in $base.$2:"
    diff "$base.$2" "$1"
  elif [ -s "$1" ]; then
    fail "$3 should be empty:"
    cat "$1"
  fi
}

(cd "$work/empty" && sh -u "$CASES/$(basename "$case_file")") \
  >"$work/out" 2>"$work/err" </dev/null
code=$?
if [ ! -f "$base.err" ] && [ ! -f "$base.err.glob" ]; then
  grep -vxF 'mtlcap: not a Mac: the GPU is simulated; SIMMETAL_DEVICES chooses which' "$work/err" >"$work/rest"
  mv "$work/rest" "$work/err"
fi

expected=0
[ ! -f "$base.exit" ] || expected=$(cat "$base.exit")
if [ "$code" != "$expected" ]; then
  fail "exit code $code instead of $expected"
  cat "$work/err"
fi
compare "$work/out" out "standard output"
compare "$work/err" err "standard error"
exit $failed
