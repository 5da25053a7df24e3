#!/bin/sh
# package.sh CMAKE COMPILER PKG-CONFIG SOURCE BUILD WORK: installs BUILD, moves what was installed,
# and uses it from there: the command, examples/ built with find_package (shared and static library)
# and with pkg-config.
set -eu
cmake=$1 compiler=$2 pkg_config=$3 source=$4 build=$5 work=$6

fail() {
  echo "package: $*" >&2
  exit 1
}

# Runs the example `apply` and checks what it says: off a Mac, exactly, since the device is known.
check_apply() { # PROGRAM
  echo "-- $1"
  SIMMETAL_DEVICES=paravirt "$1" >"$work/apply.txt" || fail "$1: exit status $?"
  cat "$work/apply.txt"
  grep -q '^After restore:$' "$work/apply.txt" || fail "$1: no answers after restore"
  if [ "$(uname)" != Darwin ]; then
    answers=$(awk '$1 == "apple" {printf "%s ", $2}' "$work/apply.txt")
    [ "$answers" = "5 7 5 " ] || fail "$1: apple is $answers, not 5 7 5"
  fi
}

rm -rf "$work"
mkdir -p "$work"
echo "== install and move"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.txt"
mv "$work/first" "$work/moved"
prefix=$work/moved
if grep -rIl "$work/first" "$prefix" || grep -rIl "$build" "$prefix"; then
  fail "the files above contain the path that they were built in or installed to"
fi

echo "== the command"
"$prefix/bin/mtlcap" version
"$prefix/bin/mtlcap" probe >"$work/probe.txt" || fail "mtlcap probe: exit status $?"
grep -q threadgroup_memory "$work/probe.txt" || fail "mtlcap probe: no threadgroup_memory"

build_examples() { # STATIC
  echo "== examples by find_package, static library: $1"
  "$cmake" -S "$source/examples" -B "$work/examples-$1" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" -DMTLCAP_EXAMPLES_STATIC="$1" >"$work/configure.txt"
  "$cmake" --build "$work/examples-$1" >"$work/build.txt"
}

build_examples OFF
check_apply "$work/examples-OFF/apply"
"$work/examples-OFF/capabilities" | grep -q '^  threadgroup_memory  *[0-9]' || fail "capabilities"
"$work/examples-OFF/explain" auto | grep -q '^apply would return: success$' || fail "explain"

echo "== an example by pkg-config"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
if [ "$(uname)" = Darwin ]; then
  packages=mtlcap
  keep= libraries="-framework Metal"
else
  packages="mtlcap simmetal"
  keep=-Wl,--no-as-needed libraries=
fi
# shellcheck disable=SC2046,SC2086 # flags are words
"$compiler" $keep $("$pkg_config" --cflags mtlcap) "$source/examples/apply.c" \
  -o "$work/apply" $("$pkg_config" --libs $packages) $libraries -Wl,-rpath,"$prefix/lib"
check_apply "$work/apply"

build_examples ON
rm "$prefix"/lib/libmtlcap.so* "$prefix"/lib/libmtlcap*.dylib 2>/dev/null || true
check_apply "$work/examples-ON/apply"
