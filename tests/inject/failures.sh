# What cannot be done as asked: one line and stock answers, or with MTLCAP_STRICT the end.
fails() { # STEP WHAT SETTING...: when Metal is asked
  wanted="mtlcap: not applied: $1: *$2*"
  shift 2
  expect "$wanted
create: Apple5
create: Apple5" "$@" "$CLIENT" create create
  expect "$wanted
exit 78" MTLCAP_STRICT=1 "$@" "$CLIENT" create create
}

fails parse misspelt MTLCAP_PROFILE=misspelt
fails parse 'No such file' MTLCAP_PROFILE=@nowhere
fails environment MTLCAP_TIMING MTLCAP_TIMING=tea MTLCAP_PROFILE=auto
fails environment LUME LUME_METAL_APPLE_FAMILY_MAX=9
fails hazard 'allow "beyond-hardware+threadgroup-memory" in MTLCAP_ALLOW' MTLCAP_PROFILE=lume
fails hazard 'allow "beyond-hardware" in MTLCAP_ALLOW' MTLCAP_PROFILE=apple.min=9

# A folder that is gone has no files.
mkdir gone
for file in MTLCAP_RECEIPT=receipt MTLCAP_LOG=info:log; do
  expect_text "mtlcap: not applied: environment: ${file%%=*}: *absolute path*
create: Apple5" sh -c 'cd gone; rmdir ../gone; env LD_PRELOAD="$INJECT" "$0" MTLCAP_PROFILE=auto "$1" create; mkdir ../gone' \
    "$file" "$CLIENT"
done

# What is wrong with the environment is known at load; nobody need ask Metal for it to end.
expect 'mtlcap: not applied: parse: *
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=misspelt "$BARE"
expect '' MTLCAP_PROFILE=misspelt "$BARE"
# The other way round: a strict program that never asks goes on.
expect 'created: 0' MTLCAP_STRICT=1 MTLCAP_PROFILE=apple.min=9 "$CLIENT" count

# No device.
expect 'create: nil
list:' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=none "$CLIENT" create list
expect 'mtlcap: not applied: device: *
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=auto SIMMETAL_DEVICES=none "$CLIENT" create list
