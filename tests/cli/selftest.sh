# A check for each row of docs/darwin-assumptions.md, and the other way round; none fails here.
. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
"$MTLCAP" selftest --json >selftest.json || echo "exit code $?"
"$PYTHON" - "$CASES/../../docs/darwin-assumptions.md" <<'END'
import json, re, sys

report = json.load(open("selftest.json", encoding="utf-8"))
checks = {check["number"]: check for check in report["checks"]}
rows = {}
for line in open(sys.argv[1], encoding="utf-8"):
    if match := re.match(r"\| (\d+) \|", line):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        number = int(match[1])
        if number in rows:
            print("two rows", number)
        rows[number] = cells[-1].replace("`", "").replace("\\|", "|")
print("numbered from 1:", list(rows) == list(range(1, len(rows) + 1)))
print("as many checks:", list(checks) == list(rows))
for number in checks.keys() | rows.keys():
    check, row = checks.get(number, {}).get("check"), rows.get(number)
    if check != row:
        print(f"{number}: the command does: {check}; the document says: {row}")
for check in checks.values():
    if check["result"] == "fail":
        print(check["number"], check["check"], check["detail"])
print("failed:", report["failed"], "machine:", report["machine"]["chip"], report["devices"])
passed = {check["number"] for check in checks.values() if check["result"] == "pass"}
print("passed:", *sorted(passed))
END
"$MTLCAP" selftest >text || echo "exit code $?"
sed -n '1,/^$/p' text | grep -v '^kernel'
sed -n '/^  1 /,/^  3 /p' text
tail -1 text
"$MTLCAP" selftest --check 4 | tail -3
echo "-- what the caller has set changes nothing"
MTLCAP_DISABLE=yes MTLCAP_ONLY=other MTLCAP_PROFILE=like-m1 MTLCAP_RECEIPT=/nonexistent/x \
  "$PYTHON" -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.environ["LD_PRELOAD"] = os.environ["INJECT"]
os.execv(sys.argv[1], sys.argv[1:])' "$MTLCAP" selftest 2>/dev/null | tail -1
