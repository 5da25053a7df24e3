# On a terminal: the program has it, and what is typed comes once.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$PLAIN" plain
exec "$PYTHON" "$CASES/terminal.py" "$MTLCAP" ./plain
