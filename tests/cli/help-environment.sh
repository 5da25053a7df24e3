# It is in the documentation as it is printed, and no line is wider than a terminal.
"$MTLCAP" help environment >help.txt
sed '1,/^```text$/d; /^```$/,$d' "$CASES/../../docs/environment.md" | diff - help.txt
for name in MTLCAP_PROFILE MTLCAP_ALLOW MTLCAP_ONLY MTLCAP_REQUIRE MTLCAP_STRICT MTLCAP_RECEIPT \
  MTLCAP_TRACE MTLCAP_TRACE_EVENTS MTLCAP_LOG MTLCAP_CHILDREN MTLCAP_TIMING MTLCAP_DISABLE LUME_METAL_APPLE_FAMILY_MAX \
  TART_METAL_APPLE_FAMILY_MAX LUNCHPAIL_METAL_APPLE_FAMILY_MAX VEERTU_ANKA_GPU_APPLE_FAMILY_MAX; do
  grep -q "^$name=[^ ]" help.txt || echo "nothing on $name"
done
grep -c '^  As LUME_METAL' help.txt
