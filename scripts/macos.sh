#!/bin/sh
# Builds what users of a Mac download, on Linux: the libraries and the command for arm64 and x86_64
# in one file each, signed ad hoc, for macOS 11 and later.
#
#     sh scripts/macos.sh [OUTPUT]          # default: build/macho
#
# Makes, in OUTPUT:
#
#     mtlcap-VERSION-macos.tar.gz             what to publish: libraries, command, headers, licence
#     mtlcap-VERSION-macos.provenance.json    what it was made of: commit, tools, inputs
#     SHA256SUMS                              of these two
#     mtlcap-VERSION-macos/                   what is in the archive
#     arm64/, x86_64/                         the same for one processor
#     work/                                   the two builds
#
# The same sources and tools give the same bytes, wherever they are and whenever it runs. Needs
# clang-19, lld-19 and llvm-19 (sh scripts/setup.sh tests), and Python with pip for the headers of
# macOS. Environment: MTLCAP_DARWIN_SDK, a folder for those headers (default: build/darwin-sdk),
# downloaded once; SOURCE_DATE_EPOCH, the time of the files in the archive (default: the commit's).
set -eu

case $#:${1:-} in
  1:-h | 1:--help)
    echo "usage: sh scripts/macos.sh [OUTPUT]"
    exit
    ;;
  0: | 1:[!-]*) ;;
  *)
    echo "usage: sh scripts/macos.sh [OUTPUT]" >&2
    exit 2
    ;;
esac

fail() {
  echo "macos: $*" >&2
  exit 1
}

source=$(cd "$(dirname "$0")/.." && pwd)
output=${1:-$source/build/macho}
sdk=${MTLCAP_DARWIN_SDK:-$source/build/darwin-sdk}
architectures="arm64 x86_64"
[ ! -e "$sdk" ] || [ -d "$sdk" ] || fail "MTLCAP_DARWIN_SDK is '$sdk', which is no folder"
for tool in clang-19 ld64.lld-19 llvm-lipo-19 llvm-ar-19 cmake ninja python3; do
  command -v "$tool" >/dev/null || fail "$tool is missing; sh scripts/setup.sh tests installs it"
done
umask 022
mkdir -p "$output/work"
output=$(cd "$output" && pwd)

echo "==> Headers of macOS: $sdk"
python3 "$source/cmake/darwin/sdk.py" "$sdk"
sdk=$(cd "$sdk" && pwd)

# ---- one build a processor --------------------------------------------------

build() { # ARCHITECTURE
  cmake -G Ninja -S "$source" -B "$output/work/$1" \
    --toolchain "$source/cmake/darwin-cross.cmake" -DMTLCAP_DARWIN_SDK="$sdk" \
    -DMTLCAP_DARWIN_PROCESSOR="$1" -DCMAKE_BUILD_TYPE=MinSizeRel -DMTLCAP_WERROR=ON \
    -DMTLCAP_BUILD_TESTS=OFF -DMTLCAP_BUILD_EXAMPLES=OFF -DMTLCAP_BUILD_BENCH=OFF &&
    cmake --build "$output/work/$1" --parallel "$(getconf _NPROCESSORS_ONLN)" &&
    cmake --install "$output/work/$1" --prefix "$output/$1"
}

for architecture in $architectures; do
  echo "==> Building for $architecture"
  log=$output/work/$architecture.log
  rm -rf "$output/work/$architecture" "${output:?}/$architecture"
  build "$architecture" >"$log" 2>&1 || {
    cat "$log"
    fail "the build for $architecture failed"
  }
done

# ---- joined -----------------------------------------------------------------

version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' \
  "$output/arm64/lib/cmake/mtlcap/mtlcapConfigVersion.cmake")
name=mtlcap-$version-macos
bundle=$output/$name
echo "==> Joining: $bundle"
rm -rf "$bundle"
(cd "$output/arm64" && find . ! -type d) | LC_ALL=C sort | while read -r file; do
  mkdir -p "$(dirname "$bundle/$file")"
  case $file in
    *.dylib | *.a | ./bin/*)
      if [ -L "$output/arm64/$file" ]; then
        cp -P "$output/arm64/$file" "$bundle/$file"
        continue
      fi
      llvm-lipo-19 -create "$output/arm64/$file" "$output/x86_64/$file" -output "$bundle/$file"
      # Plain arm64 only: dyld prefers an arm64e slice, and none can be made right here.
      archs=$(llvm-lipo-19 -archs "$bundle/$file")
      [ "${archs% }" = "x86_64 arm64" ] || fail "$file is for $archs, not for x86_64 and arm64"
      ;;
    *)
      cmp "$output/arm64/$file" "$output/x86_64/$file" ||
        fail "$file differs between the processors"
      cp "$output/arm64/$file" "$bundle/$file"
      ;;
  esac
done
sed "s/@VERSION@/$version/g" "$source/cmake/darwin/README.md.in" >"$bundle/README.md"
cp "$source/LICENSE" "$bundle/LICENSE"

# ---- packed -----------------------------------------------------------------

epoch=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || echo 0)}
find "$bundle" -type d -exec chmod 755 {} +
find "$bundle" -type f -exec chmod 644 {} +
chmod 755 "$bundle"/bin/* "$bundle"/lib/*.dylib
tar --create --directory "$output" --format=ustar --sort=name --mtime="@$epoch" \
  --owner=0 --group=0 --numeric-owner "$name" | gzip -9 -n >"$output/$name.tar.gz"
python3 "$source/cmake/darwin/provenance.py" "$source" "$sdk" "$output/$name.tar.gz" \
  >"$output/$name.provenance.json"
(cd "$output" && sha256sum "$name.tar.gz" "$name.provenance.json" >SHA256SUMS)
echo "==> Made:"
(cd "$output" && sed 's/^/    /' SHA256SUMS)
echo "==> Bytes, for one processor each:"
for architecture in $architectures; do
  (cd "$output" && wc -c "$architecture/lib/libmtlcap.dylib" "$architecture/lib"/*-inject.dylib |
    sed '$d; s/^/    /')
done
