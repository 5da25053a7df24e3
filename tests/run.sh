#!/bin/sh
# Installs what is missing, builds everything three ways (GCC; clang with AddressSanitizer and
# UndefinedBehaviorSanitizer; clang with ThreadSanitizer) and runs all tests in one go.
#
#     sh tests/run.sh [--no-install]
#
# With --no-install nothing is installed: it stops if something is missing.
# Fails if a test fails, is skipped or cannot run here for any reason but that it needs a Mac, or
# Swift where there is none.
set -eu
cd "$(dirname "$0")/.."

case $#:${1:-} in
  0: | 1:--no-install) ;;
  1:-h | 1:--help)
    echo "usage: sh tests/run.sh [--no-install]"
    exit
    ;;
  *)
    echo "usage: sh tests/run.sh [--no-install]" >&2
    exit 2
    ;;
esac
sh scripts/setup.sh tests "$@"

jobs=$(getconf _NPROCESSORS_ONLN)
presets="gcc asan tsan"

rm -rf build/all
mkdir -p build/all
not_run=build/all/not-run.txt
for preset in $presets; do
  echo "==> Building: preset $preset"
  cmake --preset "$preset"
  cmake --build --preset "$preset" --parallel "$jobs"
  echo "subdirs(\"$PWD/build/$preset\")" >>build/all/CTestTestfile.cmake
  cat "build/$preset/tests-not-run.txt" >>"$not_run"
done

if [ -s "$not_run" ]; then
  echo "==> Not run here:"
  sed 's/^/    /' "$not_run"
  allowed='a Mac'
  if ! swift --version 2>/dev/null | grep -q 'Swift version'; then
    allowed="$allowed|Swift"
  fi
  # On a Mac there is no simulated Metal, and so less to run.
  if [ "$(uname)" != Darwin ] && grep -vE ": needs ($allowed)\$" "$not_run" >/dev/null; then
    echo "tests: tests that should run here cannot; see above" >&2
    exit 1
  fi
fi

echo "==> Testing: presets $presets"
exec ctest --test-dir build/all --parallel "$jobs" --output-on-failure --no-tests=error \
  --no-label-summary
