# Every device has to meet it; with --device only that one.
. "$CASES/common"
export SIMMETAL_DEVICES=paravirt,m1-ultra
for device in '' '--device 0' '--device 1'; do
  code=0
  # shellcheck disable=SC2086 # several arguments, or none
  "$MTLCAP" probe $device --expect 'apple>=7' >out.txt 2>err.txt || code=$?
  echo "${device:-all}: $code"
  grep expected err.txt || :
done
