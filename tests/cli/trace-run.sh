# What a program asks and gets, however it ends, and which exit code that makes.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
# In builds with them; the helper that looks for leaks would inherit the library.
export ASAN_OPTIONS=handle_abort=0:detect_leaks=0 TSAN_OPTIONS="${TSAN_OPTIONS-} handle_abort=0"
cp "$ASKS" asks
cp "$PLAIN" plain
cp "$CLIENT" client
traced -- ./asks
traced -p auto -- ./asks exit 3
traced -p auto --events -- ./asks
echo "-- its output is its own"
"$MTLCAP" trace -p auto -- ./asks 2>summary
cat summary | head -1 | unvaried
"$MTLCAP" trace -p auto -o - -- ./asks | head -2 | unvaried
echo "-- ended without order"
for how in kill abort _exit; do
  traced -p auto -- ./asks $how | grep -v '^[A-Z][a-z]*\( (core dumped)\)\?$' # of the shell
done
echo "-- several processes"
traced -- ./asks fork
traced --children inherit -- ./asks start ./asks exit 5
traced --children inherit -- ./plain start ./asks
traced -- ./plain start ./asks
"$MTLCAP" trace --children inherit --json -o both.json -- ./asks start ./asks
valid_trace both.json
"$PYTHON" -c 'import json; print([p["asked"] for p in json.load(open("both.json"))["processes"]])'
echo "-- what goes on after the program"
traced --children inherit --no-live -- ./asks leave here | grep -v '^ '
rm here
echo "-- asked too early"
traced -- "$LATE" | grep -v '^ '
traced -- "$LATE" once
traced --events -- "$LATE" once
"$MTLCAP" trace --json -o once.json -- "$LATE" once
valid_trace once.json
"$PYTHON" -c 'import json
p = json.load(open("once.json"))["processes"][0]
print([(q["argument"], q["answer"], q["too_early"]) for q in p["questions"]])
print([a["profile"] for a in p["applied"]], p["applied_dropped"])
print(p["questions"][0]["first_ns"] < p["applied"][-1]["ns"])'
echo "-- a service that others start"
here=$PWD/service
MTLCAP_TRACE=service.trace LD_PRELOAD=$INJECT ./asks behind "$here" &
while [ ! -e "$here" ]; do sleep 0.02; done
"$MTLCAP" trace --from service.trace | unvaried
rm "$here"
wait $!
"$MTLCAP" trace --from service.trace | unvaried
"$MTLCAP" trace --from service.trace --events | tail -1
echo "-- nobody asked"
traced -- ./asks nothing
traced -- ./asks device
SIMMETAL_DEVICES=none traced -- ./asks
traced -- ./plain answer
traced --strict -- ./asks nothing
traced --require 'apple>=9' -- ./asks
echo "-- it is not loaded"
MTLCAP_DISABLE=1 traced -- ./asks
traced -- "$STATIC" exit 4 | sed "s|$STATIC|STATIC|g"
traced --strict -- "$STATIC" exit 4 | sed "s|$STATIC|STATIC|g"
left
