# The JSON is valid under its schema, and says what the text says; the check itself can fail.
. "$CASES/common"
valid() {
  "$MTLCAP" "$@" >explain.json || echo "exit code $?"
  "$PYTHON" "$CASES/schema.py" "$CASES/../../docs/explain.schema.json" <explain.json
}
valid explain --json
valid explain llama.cpp --json -p auto
SIMMETAL_DEVICES=intel-amd valid explain --json
SIMMETAL_DEVICES=paravirt-x86 valid explain moltenvk --all-profiles --json
SIMMETAL_DEVICES=m5 valid explain whisper.cpp --all-profiles --json --allow live-internals
"$MTLCAP" probe --json >probe.json
valid explain pytorch --json --from probe.json
valid explain llama --require matrices --json 2>err.txt
grep required err.txt
"$PYTHON" - <<'P'
import json
client = json.load(open("explain.json"))["devices"][0]["clients"][0]
print(client["verdict"])
for feature in client["features"]:
    print(feature["name"], feature["state"], [advice["profile"] for advice in feature["turned_on_by"]])
P
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$CASES "$PYTHON" - "$CASES/../../docs/explain.schema.json" <<'P'
import json
import sys

import schema

for change in """
del document["machine"]
document["mtlcap_explain"] = 2
document["devices"] = []
client["state"] = "maybe"
del client["verdict"]
feature["basis"] = "guessed"
feature["extra"] = 1
feature["turned_on_by"][0]["hazards"] = ["metal"]
""".strip().splitlines():
    with open("explain.json", encoding="utf-8") as file:
        document = json.load(file)
    client = document["devices"][0]["clients"][0]
    feature = client["features"][0]
    exec(change)
    print("not valid:" if schema.check(document, sys.argv[1]) else "taken as valid:", change)
P
