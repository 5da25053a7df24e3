#!/bin/sh
# fixture.sh SDK MACHO OUTPUT: links, for both processors and with both formats of fixups, what the
# loader is tested with: OUTPUT/ARCHITECTURE-FORMAT/libfixture.dylib and libmtlcap.dylib, the latter of
# the objects of the files for a Mac, in the folder MACHO. Needs python3.
set -eu
sdk=$1
macho=$2
output=$3
here=$(cd "$(dirname "$0")" && pwd)

for architecture in arm64 x86_64; do
  for format in opcodes chains; do
    case $format in
      opcodes) minimum=11.0 ;;
      chains) minimum=13.0 ;; # the linker's choice from 12 on
    esac
    folder=$output/$architecture-$format
    mkdir -p "$folder"
    clang() {
      clang-19 -target "$architecture-apple-macos$minimum" -isysroot "$sdk" -fuse-ld=lld -O2 -Wall \
        -dynamiclib -Wl,-adhoc_codesign "$@"
    }
    clang -fvisibility=hidden -fno-builtin -D_FORTIFY_SOURCE=0 "$here/fixture.c" -Wl,-U,_fixture_missing \
      -install_name @rpath/libfixture.dylib -o "$folder/libfixture.dylib"
    clang -Wl,-all_load "$macho/$architecture/lib/libmtlcap.a" -lobjc \
      -install_name @rpath/libmtlcap.dylib -o "$folder/libmtlcap.dylib"
    case $format in
      opcodes) wanted=LC_DYLD_INFO_ONLY ;;
      chains) wanted=LC_DYLD_CHAINED_FIXUPS ;;
    esac
    llvm-otool-19 -l "$folder/libfixture.dylib" | grep -q "cmd $wanted" ||
      { echo "fixture.sh: $folder has no $wanted" >&2 && exit 1; }
  done
  python3 "$here/move.py" "$output/$architecture-chains/libfixture.dylib" \
    "$output/$architecture-moved/libfixture.dylib" "$output/$architecture-offsets/libfixture.dylib"
done
