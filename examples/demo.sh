#!/bin/sh
# Installs what is missing, builds, and shows the main job. Off a Mac: llama.cpp's own Metal backend
# on a simulated virtual machine, before, under and after the profile `auto`. On a Mac: the real GPU.
#
#     sh examples/demo.sh [--no-install]
#
# With --no-install nothing is installed: it stops if something is missing.
set -eu
cd "$(dirname "$0")/.."

case $#:${1:-} in
  0: | 1:--no-install) ;;
  1:-h | 1:--help)
    echo "usage: sh examples/demo.sh [--no-install]"
    exit
    ;;
  *)
    echo "usage: sh examples/demo.sh [--no-install]" >&2
    exit 2
    ;;
esac
sh scripts/setup.sh demo "$@"

jobs=$(getconf _NPROCESSORS_ONLN)
build=build/release

if [ "$(uname)" = Darwin ]; then
  echo "==> Building"
  cmake --preset release
  cmake --build --preset release --parallel "$jobs"
  echo "==> The GPU of this Mac: apply, ask, restore"
  "$build/examples/apply"
  echo "Now try: $build/tools/mtlcap probe -p auto"
  exit
fi

echo "==> Building libmtlcap, the simulated Metal and llama.cpp's Metal backend"
echo "    (the first time this downloads llama.cpp's sources, 77 MB, from PyPI into build/clients and"
echo "    compiles them: about two minutes)"
cmake --preset release -DMTLCAP_BUILD_CLIENTS=ON
cmake --build --preset release --parallel "$jobs"
echo "==> Running llama.cpp's Metal backend, five times"
clients=$build/tests/clients
python3 examples/demo.py "$clients/llama-plain-client" "$clients/llama-metal-client" \
  "$build/tools/mtlcap" "$build/demo"
echo
echo "Now try: $build/tools/mtlcap run -p auto -- $clients/llama-plain-client log"
