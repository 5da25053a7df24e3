# A thread with a small stack gets its device, whatever is to be said and written then. Sanitizers need
# larger ones.
if [ -z "$SANITIZED" ]; then
  for timing in late early; do
    for profile in auto apple.min=9 misspelt; do
      for devices in paravirt two-vendors paravirt-debug; do
        expect '*thread: Apple[57]' MTLCAP_RECEIPT="$PWD/receipt" MTLCAP_LOG=debug:"$PWD/log" SIMMETAL_DEVICES=$devices \
          MTLCAP_REQUIRE='apple>=5' MTLCAP_TIMING=$timing MTLCAP_PROFILE=$profile "$CLIENT" small-stack
        rm -f receipt
      done
    done
    expect '*thread: Apple7' MTLCAP_LOG=debug MTLCAP_TIMING=$timing MTLCAP_PROFILE=auto "$CLIENT" small-stack
  done
fi
