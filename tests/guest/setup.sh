#!/bin/sh
# Makes a Python environment with the packages of requirements.txt:  setup.sh FOLDER
# llama.cpp is compiled, with its Metal backend on a Mac: some minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python3 -m venv "$1"
CMAKE_ARGS="-DGGML_CCACHE=OFF -DLLAVA_BUILD=OFF ${CMAKE_ARGS:-}" "$1/bin/pip" install \
  --require-hashes --no-deps --requirement "$here/requirements.txt"
