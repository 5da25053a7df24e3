# What a shell evaluates comes back as it was; --strip takes out that, and no more.
. "$CASES/common"
name="it's\$HOME\"\\quoted'"
mkdir "$name"
cp "$FALSE_LIBRARY" "$name/libmtlcap-inject.so"
ours=$PWD/$name/libmtlcap-inject.so
unset LD_PRELOAD
variables() {
  for variable in MTLCAP_PROFILE MTLCAP_ALLOW MTLCAP_STRICT MTLCAP_REQUIRE MTLCAP_RECEIPT MTLCAP_LOG \
    MTLCAP_CHILDREN MTLCAP_TIMING MTLCAP_ONLY LUME_METAL_APPLE_FAMILY_MAX; do
    eval "value=\${$variable-unset}"
    # shellcheck disable=SC2154 # eval
    echo "$variable: $value"
  done
  # A shell that has a library inserted which its children do not get is not what is tested here.
  [ "${LD_PRELOAD-unset}" = "$1" ] || echo "LD_PRELOAD: ${LD_PRELOAD-unset}"
}
export MTLCAP_ONLY=other LUME_METAL_APPLE_FAMILY_MAX=1009
"$MTLCAP" env -p auto --library "$ours" --receipt "r'\$(touch evil)
x.json" --require 'apple>=7' --strict >set.sh
grep -c '^# ' set.sh
. ./set.sh
variables "$ours" | sed "s|$PWD/|HERE/|"
"$MTLCAP" env --strip >strip.sh
cat strip.sh | sort
. ./strip.sh
variables unset
env 'MTLCAP_$(touch evil);touch evil=1' "$MTLCAP" env -p auto | grep evil
echo "-- others stay"
for file in one.so two.so TartMetalCapabilities.dylib; do
  cp "$FALSE_LIBRARY" $file
done
export LD_PRELOAD="$PWD/one.so:$PWD/TartMetalCapabilities.dylib $ours $PWD/two.so" MTLCAP_DISABLE=1
"$MTLCAP" env -p stock --library "$ours" 2>disabled | grep -v '^#' | sed "s|$PWD/|HERE/|g" | sort
"$MTLCAP" env --strip | sed "s|$PWD/|HERE/|g"
cat disabled
unset LD_PRELOAD
ls
echo "-- without quotes"
# shellcheck disable=SC2046 # that is what is tested
unquoted() {
  unset MTLCAP_DISABLE
  eval $("$MTLCAP" env -p auto --library "$ours" --strict)
  echo "$MTLCAP_PROFILE $MTLCAP_STRICT"
  [ "$LD_PRELOAD" = "$ours" ] || echo "LD_PRELOAD: $LD_PRELOAD"
  eval $("$MTLCAP" env --strip)
  echo "${MTLCAP_PROFILE-unset} ${MTLCAP_STRICT-unset} ${LD_PRELOAD-unset}"
}
unquoted
