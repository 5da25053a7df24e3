#!/bin/sh
# Builds the injected library for arm64e, the processor of Apple's own programs, on a Mac: only
# Apple's linker can. A file of its own: in one file with arm64, dyld would prefer it for every program.
#
#     sh scripts/arm64e.sh [OUTPUT]          # default: build/arm64e
#
# Makes OUTPUT/libmtlcap-inject-arm64e.dylib. Needs Xcode or its command line tools, and CMake.
set -eu

case $#:${1:-} in
  1:-h | 1:--help)
    echo "usage: sh scripts/arm64e.sh [OUTPUT]"
    exit
    ;;
  0: | 1:[!-]*) ;;
  *)
    echo "usage: sh scripts/arm64e.sh [OUTPUT]" >&2
    exit 2
    ;;
esac
if [ "$(uname)" != Darwin ]; then
  echo "arm64e: needs a Mac: other linkers write plain arm64 and say nothing" >&2
  exit 1
fi

source=$(cd "$(dirname "$0")/.." && pwd)
output=${1:-$source/build/arm64e}
library=$output/libmtlcap-inject-arm64e.dylib
mkdir -p "$output"

cmake -S "$source" -B "$output/work" -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_OSX_ARCHITECTURES=arm64e \
  -DCMAKE_OSX_DEPLOYMENT_TARGET=11.0 -DMTLCAP_WERROR=ON -DMTLCAP_BUILD_TESTS=OFF \
  -DMTLCAP_BUILD_EXAMPLES=OFF -DMTLCAP_BUILD_BENCH=OFF -DMTLCAP_BUILD_COMMAND=OFF
cmake --build "$output/work" --target mtlcap_inject --parallel "$(sysctl -n hw.ncpu)"
built=$(find "$output/work" -name libmtlcap-inject.dylib -type f)
cp "$built" "$library"
# The name, and with it the signature, which the change invalidates.
install_name_tool -id "@rpath/libmtlcap-inject-arm64e.dylib" "$library"
codesign --force --sign - "$library"

archs=$(lipo -archs "$library")
if [ "$archs" != arm64e ]; then
  echo "arm64e: $library is for $archs" >&2
  exit 1
fi
codesign --verify --strict "$library"
echo "arm64e: $library"
