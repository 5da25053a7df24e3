#!/bin/sh
# missing.sh CMAKE SOURCE PREFIX SWIG WORK: a build for which something is missing says what, and how to
# get it.
set -eu
cmake=$1 source=$2 prefix=$3 swig=$4 work=$5
rm -rf "$work"

# says TEXT OPTION...
says() {
  text=$1
  shift
  rm -f "$work/CMakeCache.txt"
  if "$cmake" -S "$source/bindings/swig" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" \
    -DSWIG_EXECUTABLE="$swig" -DNODE_ADDON_API=OFF "$@" >"$work.txt" 2>&1; then
    echo "missing.sh: $* is configured" >&2
    exit 1
  fi
  tr -s ' \n' ' ' <"$work.txt" | grep -F -- "$text" >/dev/null || {
    cat "$work.txt"
    echo "missing.sh: $*: expected: $text" >&2
    exit 1
  }
}

for languages in ruby,java Ruby "ruby;Java"; do
  says "is one of node, ruby, java, or several, separated by semicolons" \
    "-DMTLCAP_SWIG_LANGUAGES=$languages"
done
says "(cmake --install BUILD --prefix PREFIX), and pass -DCMAKE_PREFIX_PATH=PREFIX" \
  -DCMAKE_DISABLE_FIND_PACKAGE_mtlcap=ON
says "SWIG 4.2 or later was not found: pip install swig" -DCMAKE_DISABLE_FIND_PACKAGE_SWIG=ON
says "npm install node-addon-api"
says 'To build without java: "-DMTLCAP_SWIG_LANGUAGES=node;ruby"' -DMTLCAP_SWIG_LANGUAGES=java \
  -DCMAKE_DISABLE_FIND_PACKAGE_Java=ON
says 'To build without node: "-DMTLCAP_SWIG_LANGUAGES=ruby;java"'
says "node was not found" -DNODE=OFF
says "ruby was not found" -DRUBY=OFF -DMTLCAP_SWIG_LANGUAGES=ruby
says "a JDK, 11 or later, was not found" -DMTLCAP_SWIG_LANGUAGES=java \
  -DCMAKE_DISABLE_FIND_PACKAGE_Java=ON
