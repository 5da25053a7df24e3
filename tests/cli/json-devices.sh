. "$CASES/common"
export SIMMETAL_DEVICES=two-vendors
valid_json probe --json
json '[(d["name"], d["class"], d["paravirtual"]) for d in probe["devices"]]'
valid_json probe --json --device 1
json '[(d["name"], d["class"], d["paravirtual"]) for d in probe["devices"]]'
SIMMETAL_DEVICES=m1-ultra valid_json probe --json --profile 'metal=off, apple.max=6'
json 'probe["profile"]'
json '[probe["devices"][0]["capabilities"][key] for key in ("apple", "metal")]'
