# What is in a table, however it was left.
. "$CASES/common"
"$MADE_TRACE" >made.trace
transcript trace --from made.trace
transcript trace --from made.trace --events
"$MTLCAP" trace --from made.trace --json -o made.json
valid_trace made.json
"$PYTHON" - <<'P'
import json
[process] = json.load(open("made.json"))["processes"]
print(process["program"], process["pid"], process["profile"], process["started"], process["complete"],
      process["asked"], process["dropped"], process["events_dropped"])
for question in process["questions"]:
    print(question["capability"], question["argument"], question["device"], question["answer"],
          question["stock"], question["overridden"], question["derived"], question["count"],
          [(caller["symbol"], caller["count"], caller["threads"]) for caller in question["callers"]])
print([event["question"] for event in process["events"]], [event["ns"] for event in process["events"]])
print(process["not_watched"])
P
echo "-- not the file of a trace"
echo '{"mtlcap_trace": 1}' >json
mkdir folder
mkfifo fifo
: >empty
ln -s nowhere link
for file in json folder fifo empty link none /dev/zero; do
  transcript trace --from $file
done
echo "-- cut short, wherever"
size=$(wc -c <made.trace)
for length in $(seq 0 241 "$size"); do
  head -c "$length" made.trace >cut.trace
  code=0
  "$MTLCAP" trace --from cut.trace >out 2>&1 || code=$?
  [ $code = 65 ] && grep -q 'it is cut short\|it is not the file of a trace' out || { echo "$length: $code"; cat out; }
done
echo "-- another version"
printf '\377' | dd of=made.trace bs=1 seek=16 conv=notrunc 2>dd.txt
transcript trace --from made.trace
echo "-- bytes of it changed: an error or a summary, never a crash"
"$PYTHON" - "$MTLCAP" "$MADE_TRACE" <<'P'
import random, subprocess, sys
table = bytearray(subprocess.run([sys.argv[2]], stdout=subprocess.PIPE, check=True).stdout)
random.seed(6)
for _ in range(60):
    changed = bytearray(table)
    for _ in range(random.randint(1, 40)):
        changed[random.randrange(16, len(table))] = random.choice([0, 1, 0x7f, 0x80, 0xff])
    open("changed.trace", "wb").write(changed)
    done = subprocess.run([sys.argv[1], "trace", "--from", "changed.trace", "--events",
                           *random.choice((["--json"], []))],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
    if done.returncode not in (0, 65) or (done.returncode == 65) != bool(done.stderr):
        print(done)
P
