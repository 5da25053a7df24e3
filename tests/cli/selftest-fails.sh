# A check that fails is told, and so is one that crashes or hangs; the rest goes on.
. "$CASES/common"
# Another shim in the process: stock answers do not come from Metal.
LD_PRELOAD=$SHIM "$MTLCAP" selftest --check 13 2>/dev/null | tail -3 | sed "s|'[^']*/|'|"
code=0
LD_PRELOAD=$SHIM "$MTLCAP" selftest --check 13 --json 2>/dev/null >json || code=$?
echo "exit code $code"
"$PYTHON" -c 'import json; r = json.load(open("json")); print(r["failed"], r["checks"][0]["result"])'
echo "-- machines"
for machine in none m1 intel-amd paravirt-unknown-chip paravirt-macos14; do
  code=0
  SIMMETAL_DEVICES=$machine "$MTLCAP" selftest >text || code=$?
  echo "$machine: $code, $(tail -1 text)"
  grep -A1 'fail  ' text
done
code=0
SIMMETAL_DEVICES=nonsense "$MTLCAP" selftest >text 2>&1 || code=$?
echo "nonsense: $code"
