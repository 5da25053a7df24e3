# Signals that are sent to mtlcap run reach the program, once; it stops and ends as the program does.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$PLAIN" plain
exec "$PYTHON" "$CASES/signals.py" "$MTLCAP" ./plain
