# What the receipt says is what mtlcap run says.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
cp "$PLAIN" plain
echo "-- applied"
started -p auto -- ./client
started -p auto --strict -- ./client
started -p hide --strict -- ./client
started -p stock --strict -- ./client
started --log info -- ./client | sed 's/pid=.*//; s/process .*//'
echo "-- not asked"
started -- ./plain
started --strict -- ./plain
echo "-- no device"
SIMMETAL_DEVICES=none started -- ./client
SIMMETAL_DEVICES=none started --strict -- ./client | sed 's/: .*(the program/: ... (the program/'
echo "-- a file"
started --receipt r.json -- ./client
"$PYTHON" -c 'import json; r = json.load(open("r.json")); print(r["stage"], r["exiting"])'
cp r.json old.json
touch -d '2001-01-01' old.json
started --receipt old.json --library "$FALSE_LIBRARY" -- ./client # it is of another process
started --receipt 'r-%p-%%.json' -- ./client
ls | sed 's/[0-9][0-9]*/N/'
echo "-- cannot be written"
mkdir folder
ln -s elsewhere link
for name in folder link nowhere/r.json; do
  started --receipt $name -- ./client
done
echo "-- receipts that are none"
try() { # TEXT
  # shellcheck disable=SC2059 # it has escapes
  printf "$1" >text
  RECEIPT_TEXT=$PWD/text started --strict --library "$FALSE_LIBRARY" --receipt r.json -- ./plain
}
good() { # MEMBERS
  printf '{"mtlcap_receipt": 1, "pid": %%p, %s}' "$1" >text
  RECEIPT_TEXT=$PWD/text started --strict --library "$FALSE_LIBRARY" --receipt r.json -- ./plain
}
good '"stage": "applied"' | tail -1
good '"stage": "restored", "a": [1, -2.5e+3, {"b": [true, false, null, "\u00e9\ud83d\ude00\n"]}]' | tail -1
good '"stage": "not-applied", "step": "hazard", "reason": "because \"it\" \u001b[31m"'
good '"stage": "no-device"'
for text in '' '{' '[]' 'null' '{"mtlcap_receipt": 2, "stage": "applied"}' '{"stage": "applied"}' \
  '{"mtlcap_receipt": 1}' '{"mtlcap_receipt": 1, "stage": "applied"} x' \
  '{"mtlcap_receipt": 1, "stage": "applied",}' '{"mtlcap_receipt": 01, "stage": "applied"}' \
  '{"mtlcap_receipt": 1, "stage": "\\ud800"}' '{"mtlcap_receipt": 1, "stage": "applied", "x": "\001"}' \
  '{"mtlcap_receipt": 1, "stage": "app\000lied"}' '\377\376\000\001'; do
  try "$text" | grep -v '^no Metal' | head -1
done
"$PYTHON" -c 'print("{\"mtlcap_receipt\": 1, \"stage\": \"applied\", \"x\": " + "[" * 100000)' >text
RECEIPT_TEXT=$PWD/text started --library "$FALSE_LIBRARY" --receipt deep.json -- ./plain
"$PYTHON" -c 'print("{\"mtlcap_receipt\": 1, \"stage\": \"applied\", \"x\": \"" + "y" * 2000000 + "\"}")' >text
RECEIPT_TEXT=$PWD/text started --library "$FALSE_LIBRARY" --receipt long.json -- ./plain
left
