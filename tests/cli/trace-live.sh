# Counters on a terminal that the program does not write to, or on one where they are asked for.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$ASKS" asks
exec "$PYTHON" "$CASES/live.py" "$MTLCAP" ./asks
