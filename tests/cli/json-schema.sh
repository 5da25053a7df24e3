# The check itself can fail: every one of these is no output of ours.
. "$CASES/common"
SIMMETAL_DEVICES=paravirt valid_json probe --json
broken() {
  "$PYTHON" -c 'import json, sys
probe = json.load(open("probe.json", encoding="utf-8"))
answers = probe["devices"][0]["capabilities"]
exec(sys.argv[1])
json.dump(probe, sys.stdout)' "$1" >broken.json
  if "$PYTHON" "$CASES/schema.py" "$CASES/../../docs/probe.schema.json" <broken.json >/dev/null; then
    echo "taken as valid: $1"
  else
    echo "not valid: $1"
  fi
}
broken 'del probe["machine"]'
broken 'probe["extra"] = 1'
broken 'probe["devices"] = []'
broken 'probe["mtlcap"] = "latest"'
broken 'probe["profiles"] = [1, 2]'
broken 'answers["apple"]["stock"] = "7"'
broken 'answers["apple"]["stock"] = 1007'
broken 'answers["threads_per_threadgroup"]["stock"] = [1, 2]'
broken 'answers["threadgroup_memory"]["effective"] = -1'
broken 'answers["raytracing"]["derived"] = 1'
broken 'del answers["raytracing"]["rule"]'
broken 'del answers["metal"]'
