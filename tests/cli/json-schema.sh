# The check itself can fail: every one of these is no output of ours.
. "$CASES/common"
SIMMETAL_DEVICES=paravirt valid_json probe --json
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$CASES "$PYTHON" - "$CASES/../../docs/probe.schema.json" <<'P'
import json
import sys

import schema

CHANGES = """
del probe["machine"]
probe["extra"] = 1
probe["devices"] = []
probe["mtlcap"] = "latest"
probe["profiles"] = [1, 2]
answers["apple"]["stock"] = "7"
answers["apple"]["stock"] = 1007
answers["threads_per_threadgroup"]["stock"] = [1, 2]
answers["threadgroup_memory"]["effective"] = -1
answers["raytracing"]["derived"] = 1
del answers["raytracing"]["rule"]
del answers["metal"]
"""

for change in CHANGES.strip().splitlines():
    with open("probe.json", encoding="utf-8") as file:
        probe = json.load(file)
    answers = probe["devices"][0]["capabilities"]
    exec(change)
    print("not valid:" if schema.check(probe, sys.argv[1]) else "taken as valid:", change)
P
