# The library cannot be loaded, or was not: it is said, and --strict makes it 70.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$STATIC" static
cp "$PLAIN" plain
echo "-- static"
started -- ./static variables LD_PRELOAD | grep -v '^LD_PRELOAD'
started --strict -- ./static
mkdir ld.so
cp static ld.so/static
started -- ld.so/static exit 4
echo "-- with the rights of another"
cp plain privileged
chgrp 65534 privileged 2>/dev/null && chmod g+s privileged
if [ -g privileged ]; then
  started -- ./privileged exit 4
  started --require 'apple>=7' -- ./privileged exit 4
else # not root: who may not give files away cannot try it
  cat "$CASES/run-not-loaded.privileged"
fi
echo "-- for another processor"
cp plain foreign
printf '\267' | dd of=foreign bs=1 seek=18 conv=notrunc status=none
started -- ./foreign
echo "-- turned off"
for value in 1 yes true on; do
  MTLCAP_DISABLE=$value started -- ./plain exit 4
done
MTLCAP_DISABLE=no started --library "$FALSE_LIBRARY" -- ./plain exit 4
MTLCAP_DISABLE=1 started --strict -- ./plain exit 4
echo "-- no receipt"
started --library "$FALSE_LIBRARY" -- ./plain exit 4
started --library "$FALSE_LIBRARY" --strict -- ./plain exit 4
echo "-- early"
"$MTLCAP" run --library "$FALSE_LIBRARY" -- ./plain sleep 8 2>early &
sleep 6.5
sed "s|$PWD/|HERE/|g" early
wait
wc -l <early
echo "-- the library"
started --library nothing -- ./plain
mkdir 'with space' with:colon "with\$LIB" 'with${ORIGIN}'
for folder in 'with space' with:colon "with\$LIB" 'with${ORIGIN}'; do
  cp "$INJECT" "$folder/libmtlcap-inject.so"
  started --library "$folder/libmtlcap-inject.so" -- ./plain
done
left
