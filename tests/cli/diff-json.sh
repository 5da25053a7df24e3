. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
valid_json probe --json --diff stock auto
json 'probe["profiles"]'
json 'probe["devices"][0]["differences"]["apple"]'
json 'sorted(probe["devices"][0]["differences"])'
valid_json probe --json --diff auto apple.min=7
json 'probe["devices"][0]["differences"]'
SIMMETAL_DEVICES=paravirt,m1-ultra valid_json probe --json --diff stock apple.max=4
json '[d["differences"]["apple"]["b"]["effective"] for d in probe["devices"]]'
