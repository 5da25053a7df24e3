# The report on the machine. Paths of this machine are not shown.
. "$CASES/common"
report() {
  transcript doctor "$@" | sed "s|$INJECT|INJECT|g"
}
report
SIMMETAL_DEVICES=m1-ultra report
SIMMETAL_DEVICES=none report
MTLCAP_PROFILE=hide SIMMETAL_DEVICES=none report --json
# What is in the environment, and whose that is.
env LD_PRELOAD=/nowhere/TartMetalCapabilities.dylib:/nowhere/other.so MTL_DEBUG_LAYER=1 \
  TART_METAL_APPLE_FAMILY_MAX=1009 "$MTLCAP" doctor 2>/dev/null |
  grep -E '^(inserted|variable)' | sort
