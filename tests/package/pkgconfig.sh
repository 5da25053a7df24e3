#!/bin/sh
# pkgconfig.sh CMAKE COMPILER PKG-CONFIG SOURCE BUILD WORK: what mtlcap.pc says is right: of the shared
# library, of the static one (--static), and of the library that is injected, also below a prefix with a
# space in it.
set -eu
cmake=$1 compiler=$2 pkg_config=$3 source=$4 build=$5 work=$6

fail() {
  echo "pkgconfig: $*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/a prefix" >"$work/install.txt"
PKG_CONFIG_PATH="$work/a prefix/lib/pkgconfig"
export PKG_CONFIG_PATH
cat >"$work/version.c" <<EOT
#include <mtlcap/mtlcap.h>
int main(void) {
    return mtlcap_version_number() != MTLCAP_VERSION_NUMBER || mtlcap_is_active();
}
EOT

echo "== versions"
version=$(sed -n 's/^#define MTLCAP_VERSION_M[AI][JN]OR //p' "$source/include/mtlcap/mtlcap.h" | paste -sd. -)
"$pkg_config" --exists --print-errors "mtlcap >= $version" || fail "mtlcap >= $version"
if "$pkg_config" --exists "mtlcap >= 99"; then
  fail "mtlcap >= 99"
fi

echo "== the library that is injected"
eval "inject=$("$pkg_config" --variable=injectlibrary mtlcap)" # pkg-config quotes, for a shell
[ -f "$inject" ] || fail "injectlibrary: there is no $inject"

compile() { # OUTPUT FLAG...
  output=$1
  shift
  eval "\"$compiler\" \"$work/version.c\" -o \"$work/$output\" $(
    "$pkg_config" --cflags "$@" mtlcap) $("$pkg_config" --libs "$@" mtlcap)"
}

echo "== shared"
"$pkg_config" --libs mtlcap
compile shared
! "$work/shared" 2>/dev/null || fail "the shared library was not needed"
eval "libdir=$("$pkg_config" --variable=libdir mtlcap)"
LD_LIBRARY_PATH=$libdir DYLD_LIBRARY_PATH=$libdir "$work/shared" || fail "shared: exit status $?"

echo "== static"
"$pkg_config" --static --libs mtlcap
if [ "$(uname)" != Darwin ]; then
  for flag in -pthread -ldl; do
    case " $("$pkg_config" --static --libs mtlcap) " in
      *" $flag "*) ;;
      *) fail "--static has no $flag" ;;
    esac
    case " $("$pkg_config" --libs mtlcap) " in
      *" $flag "*) fail "$flag is for --static alone" ;;
    esac
  done
fi
rm -f "$libdir"/libmtlcap.so* "$libdir"/libmtlcap.*dylib
compile static --static
"$work/static" || fail "static: exit status $?"
