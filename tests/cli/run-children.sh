# Children start without the library, unless they are to inherit it; then theirs is confirmed, too.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
export ASAN_OPTIONS=detect_leaks=0 # in builds with it: its helper would inherit the library
cp "$CLIENT" client
cp "$PLAIN" plain
started -p auto -- ./plain start ./client answer
started -p auto --children none --strict -- ./plain start ./client answer
started -p auto --children inherit -- ./plain start ./client answer
started -p auto --children inherit --strict -- ./plain start ./client answer
echo "-- of all processes"
for receipt in 'r-%p.json' r.json; do
  started -p auto --children inherit --require 'apple>=7' --receipt "$receipt" -- \
    ./plain start ./client answer
  "$PYTHON" - r*.json <<'END'
import json, os, sys
for path in sys.argv[1:]:
    print(json.load(open(path))["stage"], oct(os.stat(path).st_mode & 0o777))
END
  rm r*.json
done
echo "-- one that fails is not hidden by those that do not"
# The program gets a device; the one that it starts has none.
started -p auto --children inherit --require 'apple>=7' --receipt r.json -- \
  ./client start-without ./client answer
"$PYTHON" -c 'import json; print(json.load(open("r.json"))["stage"])'
started -p auto --children inherit --require 'apple>=7' -- \
  ./plain start ./client start-without ./client answer
started -p auto --children inherit -- ./client start-without ./client answer
echo "-- none saw a device"
started -p auto --children inherit --require 'apple>=7' -- ./plain start ./plain answer
SIMMETAL_DEVICES=none started -p auto --children inherit -- ./plain start ./client answer
echo "-- none can be read; none has left one"
echo '{' >text
RECEIPT_TEXT=$PWD/text started --strict --children inherit --library "$FALSE_LIBRARY" -- ./plain
started --strict --children inherit --library "$FALSE_LIBRARY" -- ./plain start ./plain answer
echo "-- what was loaded into the second only"
started --children inherit --log info -- "$STATIC" start "$PWD/client" answer |
  sed 's/pid=.*//; s/process .*//; s|.*/cli_static|STATIC|'
echo "-- the user's file cannot be written any more"
mkdir gone
started --strict --children inherit --receipt gone/r.json -- ./client remove gone
left
