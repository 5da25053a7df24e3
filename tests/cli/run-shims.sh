# What other tools insert is dropped, unless it is to be kept.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$PLAIN" plain
for name in LumeMetalCapabilities-arm64.dylib TartMetalCapabilities.dylib \
  libLunchpailMetalShim.dylib libAnkaGpuFamilyBoost-arm64.dylib another.so; do
  cp "$FALSE_LIBRARY" $name
  LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$PWD/$name
done
export LD_PRELOAD
export LUME_METAL_APPLE_FAMILY_MAX=1009 LUME_METAL_PROCESS_NAME=x TART_METAL_APPLE_FAMILY_MAX=1009
export LUNCHPAIL_METAL_APPLE_FAMILY_MAX=1009 VEERTU_ANKA_GPU_APPLE_FAMILY_MAX=1009
try() {
  "$MTLCAP" run --library "$FALSE_LIBRARY" "$@" -- ./plain variables LD_PRELOAD \
    LUME_METAL_APPLE_FAMILY_MAX LUME_METAL_PROCESS_NAME TART_METAL_APPLE_FAMILY_MAX \
    LUNCHPAIL_METAL_APPLE_FAMILY_MAX VEERTU_ANKA_GPU_APPLE_FAMILY_MAX 2>&1 |
    sed "s|$FALSE_LIBRARY|LIBRARY|; s|$PWD/|HERE/|g; /has left no receipt/d; /^Likely/d" | sort
}
try
echo "-- a profile that is named"
try -p stock | head -1
LUME_METAL_APPLE_FAMILY_MAX=0 TART_METAL_APPLE_FAMILY_MAX=0x3ef VEERTU_ANKA_GPU_APPLE_FAMILY_MAX=1999 try
echo "-- info"
try -p auto --log info
echo "-- kept"
try --keep-shims --log info
