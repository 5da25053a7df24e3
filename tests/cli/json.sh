. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
valid_json probe --json
json '(probe["profile"], probe["machine"]["simulated"], len(probe["devices"]))'
json '[sorted(a) for a in probe["devices"][0]["capabilities"].values() if a][0]'
json '{key: a["stock"] for key, a in probe["devices"][0]["capabilities"].items()
       if key in ("apple", "metal", "threadgroup_memory", "threads_per_threadgroup", "unified_memory",
                  "name", "feature_set")}'
json '[key for key, a in probe["devices"][0]["capabilities"].items()
       if a and (a["stock"] != a["effective"] or a["rule"] or a["derived"])]'
valid_json probe -p auto --json
json 'probe["profile"]'
json 'probe["devices"][0]["capabilities"]["apple"]'
json '{key: a for key, a in probe["devices"][0]["capabilities"].items() if a and a["derived"]}'
json 'probe["machine"]["chip"]'
