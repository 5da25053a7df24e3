# Applied where it was captured, a profile changes nothing; applied to a device that can more, it
# makes it answer the same; to one that can less, it raises nothing.
. "$CASES/common"
for machine in paravirt m1 m4-max; do
  SIMMETAL_DEVICES=$machine "$MTLCAP" profiles capture >$machine.mtlcap
  SIMMETAL_DEVICES=$machine "$MTLCAP" probe --json >$machine.json
done
changed() {
  json '[key for d in probe["devices"] for key, a in d["capabilities"].items()
         if a and a["stock"] != a["effective"]]'
}
for machine in paravirt m1 m4-max; do
  echo "$machine under itself"
  SIMMETAL_DEVICES=$machine valid_json probe --json -p @$machine.mtlcap
  changed
done
echo "m4-max under m1"
SIMMETAL_DEVICES=m4-max valid_json probe --json -p @m1.mtlcap
"$PYTHON" - <<'P'
import json

def answers(name, which):
    with open(name, encoding="utf-8") as file:
        device = json.load(file)["devices"][0]
    return {key: a and a[which] for key, a in device["capabilities"].items()}

lowered, stock = answers("probe.json", "effective"), answers("m4-max.json", "stock")
wanted = answers("m1.json", "stock")
can_lower = [line.split("=")[0].removesuffix(".max") for line in open("m1.mtlcap")
             if not line.startswith("#")]
print("lowered:", sorted(key for key in stock if lowered[key] != stock[key]))
print("not as wanted:", sorted(key for key in can_lower if lowered[key] != wanted[key]))
P
echo "paravirt under m4-max"
SIMMETAL_DEVICES=paravirt valid_json probe --json -p @m4-max.mtlcap
changed
