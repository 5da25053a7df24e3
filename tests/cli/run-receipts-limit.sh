# The receipt cannot be written: files may not be as long.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
for strict in '' --strict; do
  # shellcheck disable=SC2086 # one word, or none
  (
    ulimit -f 0
    "$MTLCAP" run $strict -- ./client 2>&1
    echo "exit code $?"
  ) | sed "s|'/.*/mtlcap-[^']*|'N|" | grep -v simulated
done
left
