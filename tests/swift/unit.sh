#!/bin/sh
# unit.sh SWIFT SOURCE WORK [SIMMETAL [SANITIZER]]: builds the Swift package and runs its tests; off a
# Mac on the simulated Metal, and in processes of their own those that need another machine, or no
# Metal. With a sanitizer, only those of threads.
set -eu
swift=$1 source=$2 work=$3 simmetal=${4:-} sanitizer=${5:-}

# SwiftPM leaves out folders of this name when it looks at the sources, and the build folder is
# among them.
scratch=$work/.build
options="--package-path $source --scratch-path $scratch --cache-path $work/cache ${sanitizer:+--sanitize $sanitizer}"

fail() {
  echo "swift: $*" >&2
  exit 1
}

# tests NAME=VALUE... -- OPTION...: all tests that are chosen pass, and there are some.
tests() {
  echo "== $*"
  environment=
  while [ "$1" != -- ]; do
    environment="$environment $1"
    shift
  done
  shift
  # shellcheck disable=SC2086 # one word each
  env $environment "$swift" test $options --skip-build "$@" >"$work/log.txt" 2>&1 || {
    cat "$work/log.txt"
    fail "tests failed"
  }
  # Of the suites' lines the last one is about all.
  executed=$(grep 'Executed [0-9]* test' "$work/log.txt" | tail -1)
  echo "$executed"
  case $executed in
    *"Executed 0 tests"* | *skipped* | "") fail "nothing, or not everything, was run" ;;
    *" 0 failures"*) ;;
    *) fail "tests failed" ;;
  esac
}

mkdir -p "$work"
echo "== build"
# shellcheck disable=SC2086 # one word each
"$swift" build $options --build-tests -j 2 >"$work/build.txt" 2>&1 || {
  cat "$work/build.txt"
  rm -rf "$scratch" # SwiftPM may not get over a build that failed
  fail "the package cannot be built"
}
if grep 'warning:' "$work/build.txt"; then
  rm -rf "$scratch" # to be warned again
  fail "the build has warnings"
fi

if [ -z "$simmetal" ]; then
  tests --
elif [ -n "$sanitizer" ]; then
  tests "MTLCAP_SIMMETAL=$simmetal" SIMMETAL_DEVICES=paravirt -- --filter ScopeTests
  ! grep 'Sanitizer:' "$work/log.txt" || fail "the sanitizer found something"
else
  tests "MTLCAP_SIMMETAL=$simmetal" SIMMETAL_DEVICES=paravirt -- --skip NoMetalTests --skip LogTests
  tests "MTLCAP_SIMMETAL=$simmetal" SIMMETAL_DEVICES=paravirt-old-sdk -- --filter LogTests
  tests -- --filter NoMetalTests
fi
