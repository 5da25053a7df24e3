# The variables that the program gets.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$PLAIN" plain
all='MTLCAP_PROFILE MTLCAP_ALLOW MTLCAP_STRICT MTLCAP_REQUIRE MTLCAP_RECEIPT MTLCAP_LOG
     MTLCAP_CHILDREN MTLCAP_TIMING MTLCAP_ONLY LD_PRELOAD'
variables() { # OPTION...
  # shellcheck disable=SC2086 # a word a variable
  started --library "$FALSE_LIBRARY" "$@" -- ./plain variables $all |
    sed "s|$FALSE_LIBRARY|LIBRARY|; s|/mtlcap-[^/]*/%p|/RECEIPT|; /has left no receipt/d; /^Likely/d"
}
variables
echo "-- all"
printf 'apple.max=5\n' >file
variables -p stock,@file --allow metal+mac --require 'apple>=5' --require mac=off \
  --receipt r.json --log warning:log.txt --children inherit --timing early
echo "-- what was there before"
MTLCAP_PROFILE=stock MTLCAP_ALLOW=metal MTLCAP_STRICT=1 MTLCAP_REQUIRE=apple=1 MTLCAP_RECEIPT=x \
  MTLCAP_LOG=off MTLCAP_CHILDREN=inherit MTLCAP_TIMING=early MTLCAP_ONLY=other variables
echo "-- the insertion variable"
cp "$FALSE_LIBRARY" one.so
mkdir other
cp "$FALSE_LIBRARY" other/libmtlcap-inject.so
LD_PRELOAD="$PWD/one.so" variables | tail -2
LD_PRELOAD="$PWD/one.so $PWD/other/libmtlcap-inject.so:" variables | tail -2
echo "-- what is not the library's"
MTLCAP_SIMMETAL=/simmetal.so MTLCAP_ONLY=other started --library "$FALSE_LIBRARY" -- \
  ./plain variables MTLCAP_SIMMETAL MTLCAP_ONLY | head -2
