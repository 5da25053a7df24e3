# Nothing but a receipt of this run confirms it, wherever the user wants it to be.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
cp "$PLAIN" plain
stage() { # FILE
  "$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["stage"])' "$1"
}
confirmed() { # ARGUMENT...: without numbers of processes
  started "$@" | sed 's/pid=.*//; s/in process .*/in process N/'
}
echo "-- what a process of the same number has left"
cat >stale.py <<'PYTHON'
# Whatever number the program gets, there is a receipt of that number.
import os, subprocess, sys
here = os.getpid()
for number in range(here, here + 300):
    with open(f"s-{number}.json", "w") as file:
        file.write('{"mtlcap_receipt": 1, "pid": %d, "stage": "applied"}' % number)
sys.exit(subprocess.call(sys.argv[1:]))
PYTHON
"$PYTHON" stale.py "$MTLCAP" run --strict --library "$FALSE_LIBRARY" --receipt 's-%p.json' -- ./plain \
  >out 2>&1
echo "exit code $?"
tail -1 out
rm -f s-*.json
echo "-- percent signs"
for folder in a%p 50% z%%q; do
  mkdir "$folder"
  (cd "$folder" && started --strict --receipt r.json -- ../client && stage r.json)
done
: >100%.json
started --strict --receipt 100%%.json -- ./client
stage 100%.json
started --receipt 100%.json -- ./client
(cd a%p && "$MTLCAP" env --receipt ./r.json --format json 2>env.txt) |
  "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["MTLCAP_RECEIPT"])' | sed "s|$PWD/|HERE/|"
transcript env --receipt 100%.json
echo "-- no working folder"
mkdir gone
(
  cd gone
  rmdir ../gone
  for option in '--receipt r.json' '--log info:log.txt'; do
    # shellcheck disable=SC2086 # two words
    "$MTLCAP" run $option -- "$CLIENT" 2>&1
    echo "exit code $?"
    # shellcheck disable=SC2086
    "$MTLCAP" env $option 2>&1
    echo "exit code $?"
  done
)
echo "-- a child that executes nothing"
started --strict --require 'apple>=7' -- ./plain fork
started --strict --require 'apple>=7' -- ./client fork
SIMMETAL_DEVICES=none started --require 'apple>=7' -- ./client fork
echo "-- two at once, and one file"
for n in 1 2 3 4; do
  "$MTLCAP" run --strict --receipt one.json -- ./client exit 0 >"out.$n" 2>&1 || echo "exit code $?" >>"out.$n" &
done
wait
cat out.?
stage one.json
echo "-- what goes on after the program"
"$MTLCAP" run --receipt d.json --strict -- ./client leave "$PWD/late" >out 2>&1
echo "exit code $?"
: >late
for _ in $(seq 500); do
  [ -s late ] && break
  sleep 0.02
done
cat late out
echo "-- what becomes another program"
confirmed --log info -- ./client become ./plain answer
echo "-- while it runs"
"$MTLCAP" run --receipt now.json -- ./client wait 40 >out 2>&1 &
process=$!
for _ in $(seq 200); do
  [ -e now.json ] && break
  sleep 0.1
done
stage now.json
rm now.json # the next look is as good
for _ in $(seq 200); do
  [ -e now.json ] && break
  sleep 0.1
done
stage now.json
kill $process
{ wait $process; } 2>wait.txt
echo "-- no place for it"
TMPDIR=/nowhere started --receipt r.json -- ./client | sed "s/mtlcap-[^']*/mtlcap-N/"
left
