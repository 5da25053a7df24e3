# Together with another shim, which claims Apple9: below ours, its answer is what ours starts from,
# and is named as the source; above ours, it has the last word, and ours is what it starts from.
for when in load init; do
  for PRELOAD in "$INJECT:$SHIM_LIBRARY" "$SHIM_LIBRARY:$INJECT"; do
    expect '*the stock answer to apple on Apple Paravirtual device is not Metal?s: it comes from */libinject_shim.so*
create: Apple6
source: libinject_shim.so
again: Apple9' SHIM=$when MTLCAP_LOG=warning MTLCAP_PROFILE=apple.max=6 "$USER_PROGRAM" create source restore again
    expect '*create: Apple9
source: libinject_shim.so' SHIM=$when MTLCAP_PROFILE=auto "$USER_PROGRAM" create source
  done
done

PRELOAD="$SHIM_LIBRARY:$INJECT"
expect '*create: Apple9
source: Metal
again: Apple9' SHIM=door MTLCAP_PROFILE=auto "$USER_PROGRAM" create source restore again
PRELOAD="$INJECT:$SHIM_LIBRARY"
expect 'create: Apple6
source: libinject_shim.so' SHIM=door MTLCAP_PROFILE=apple.max=6 "$USER_PROGRAM" create source

# The receipt names it.
expect '*' SHIM=load MTLCAP_RECEIPT="$PWD/receipt" MTLCAP_PROFILE=apple.max=6 "$USER_PROGRAM" create
expect_text '*/libinject_shim.so*' cat receipt
