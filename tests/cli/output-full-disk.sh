[ -e /dev/full ] || { echo "there is no /dev/full here" >&2; exit 1; }
for arguments in version help 'help keys' 'profiles list' probe 'probe --json' 'profiles capture'; do
  code=0
  # shellcheck disable=SC2086 # several arguments
  "$MTLCAP" $arguments >/dev/full || code=$?
  echo "$arguments: $code"
done
