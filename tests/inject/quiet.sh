# A program that never asks for a GPU.
PRELOAD="$COUNT_OPENS:$INJECT"
for settings in MTLCAP_PROFILE=auto MTLCAP_PROFILE=hide "MTLCAP_TIMING=early MTLCAP_PROFILE=auto" \
  MTLCAP_PROFILE=misspelt MTLCAP_LOG=info MTLCAP_STRICT=nonsense; do
  # shellcheck disable=SC2086 # some are two
  expect 'created: 0
opened:' $settings "$CLIENT" count open-files
  # shellcheck disable=SC2086
  expect 'opened:' $settings "$BARE" open-files
done
echo auto >profile
expect 'opened: profile profile' MTLCAP_PROFILE=@profile "$CLIENT" open-files
