# Every device is shown, each by its own class; --device chooses one.
. "$CASES/common"
export SIMMETAL_DEVICES=two-vendors
"$MTLCAP" probe | grep '^device\|^  name\|^  registry_id'
echo "--device 1"
"$MTLCAP" probe --device 1 | grep '^device'
"$MTLCAP" probe --device 2
