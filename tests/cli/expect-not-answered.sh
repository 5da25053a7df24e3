# What a device does not answer meets no expectation.
. "$CASES/common"
"$MTLCAP" probe --json >probe.json
json '[key for key, a in probe["devices"][0]["capabilities"].items() if a is None]'
