#!/bin/sh
# build.sh CMAKE GENERATOR PYTHON SOURCE BUILD WORK: installs BUILD into WORK/prefix, and beside it the
# bindings by SWIG, built as a user does, with the SWIG that requirements.txt pins (in WORK/venv).
set -eu
cmake=$1 python=$3 source=$4 build=$5 work=$6
export CMAKE_GENERATOR="$2"
here=$(dirname "$0")

mkdir -p "$work"
if ! cmp -s "$here/requirements.txt" "$work/venv/requirements.txt"; then
  rm -rf "$work/venv"
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
    --only-binary :all: --require-hashes --requirement "$here/requirements.txt"
  cp "$here/requirements.txt" "$work/venv/"
fi

rm -rf "$work/prefix" "$work/build"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.txt"
"$cmake" -S "$source/bindings/swig" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_INSTALL_PREFIX="$work/prefix" -DSWIG_EXECUTABLE="$work/venv/bin/swig" \
  -DNODE_ADDON_API="$NODE_ADDON_API"
"$cmake" --build "$work/build" --parallel 2
"$cmake" --install "$work/build"
