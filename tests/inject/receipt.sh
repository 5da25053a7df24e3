# How far the receipt says that it came; its form is tested elsewhere.
stage() { # STAGE STEP: in the receipt
  expect_text "*\"stage\": \"$1\",*\"step\": $2,*" cat receipt
  rm -f receipt
}
MTLCAP_RECEIPT=$PWD/receipt
export MTLCAP_RECEIPT

expect '' "$BARE"
expect_text 'receipt: no' sh -c 'test -e receipt && echo "receipt: yes" || echo "receipt: no"'
MTLCAP_PROFILE=auto
export MTLCAP_PROFILE
expect '' "$BARE"
expect_text '*"exiting": true*' cat receipt
stage loaded null
expect 'create: Apple7' "$CLIENT" create
expect_text '*"interposed": true*"stock": 5*"effective": 7*"asked": \["apple"\]*' cat receipt
expect_text '-rw-------*' ls -l receipt
stage applied null
expect 'create: nil' SIMMETAL_DEVICES=none "$CLIENT" create
stage no-device null
expect 'create: nil' MTLCAP_PROFILE=hide "$CLIENT" create
stage hidden null
expect 'create: Apple7' "$USER_PROGRAM" create restore
expect_text '*"reason": "the program has restored stock answers"*' cat receipt
stage restored null
expect 'create: Apple7' "$USER_PROGRAM" create apply-six
expect_text '*"reason": "the program has applied a profile of its own, which is in force: apple.min=6"*' cat receipt
stage restored null
expect 'create: Apple7
create: Apple6' "$USER_PROGRAM" create apply-six create restore
expect_text '*"reason": "the program has restored stock answers"*' cat receipt
stage restored null
# The program applies itself, and only its library has got a device.
expect '' "$USER_PROGRAM" apply-six
expect_text '*"reason": "the program has applied a profile of its own, which is in force: apple.min=6"*' cat receipt
stage restored null
expect '' "$USER_PROGRAM" apply-six restore
expect_text '*"reason": "the program has applied *until it restored*"*' cat receipt
stage loaded null
expect '' MTLCAP_REQUIRE='apple>=6' "$USER_PROGRAM" apply-six
expect_text '*"reason": "*what is required was not looked at"*' cat receipt
stage loaded null
expect 'create: Apple6' MTLCAP_REQUIRE='apple>=6' "$USER_PROGRAM" apply-six create
stage restored null
expect '*' MTLCAP_PROFILE=misspelt "$BARE"
stage not-applied '"parse"'
expect '*' MTLCAP_PROFILE=apple.min=9 "$CLIENT" create
stage not-applied '"hazard"'
expect '*' MTLCAP_STRICT=1 MTLCAP_PROFILE=apple.min=9 "$CLIENT" create
expect_text '*"exiting": false*' cat receipt
stage not-applied '"hazard"'
expect '*' MTLCAP_REQUIRE='apple>=9' "$CLIENT" create
stage not-met '"require"'
expect 'create: Apple7' MTLCAP_TIMING=early "$CLIENT" create
expect_text '*"early": true*' cat receipt
stage applied null

# Written when it is applied: one that is killed leaves it.
expect 'create: Apple7' "$CLIENT" create _exit
expect_text '*"exiting": false*' cat receipt
stage applied null

# What nobody needs to hear does not replace what somebody did, and a file that is none is no receipt.
expect 'create: Apple7' "$CLIENT" create
expect '' "$BARE"
stage applied null
expect '' "$BARE" _exit
cp receipt before
expect '' "$BARE" _exit
expect_text '' cmp receipt before
stage loaded null
: >receipt
expect '' "$BARE"
stage loaded null

# Of a process and its forked children it is the first's that comes to anything; a daemon's, say.
expect 'create: Apple7' "$CLIENT" fork-create _exit
stage applied null
expect 'create: Apple7' "$CLIENT" fork-create
stage applied null
expect_text 'create: Apple7
create: Apple7
yes' sh -c 'LD_PRELOAD="$INJECT" "$0" create fork-create &
  wait; grep -q "\"pid\": $!," receipt && echo yes' "$CLIENT"
stage applied null
expect 'create: Apple7
create: Apple7' MTLCAP_RECEIPT="$PWD/of-%p" "$CLIENT" create fork-create
expect_text '2' sh -c 'ls of-* | wc -l'
expect_text '2' sh -c 'cat of-* | grep -c "\"stage\": \"applied\""'

# Which copy of the library did the work.
expect '*' LD_PRELOAD= "$USER_PROGRAM" list-by-library inject
expect_text '*"delegated_to": "*/libmtlcap.so*"*' cat receipt
stage applied null

# One that cannot be written is told, and is a failure if all has to be as asked.
MTLCAP_RECEIPT=/nowhere/receipt
expect 'mtlcap: */nowhere/receipt*
create: Apple7' "$CLIENT" create
expect 'mtlcap: */nowhere/receipt*
exit 78' MTLCAP_STRICT=1 "$CLIENT" create
