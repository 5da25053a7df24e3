# What fails is on standard error; the document stays whole.
. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
valid_json probe --json --expect 'apple>=7'
json 'probe["devices"][0]["capabilities"]["apple"]["effective"]'
