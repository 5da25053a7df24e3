# Without the simulated Metal: a file that is no library is found first.
. "$CASES/common"
: >libsimmetal.so.0
export LD_LIBRARY_PATH="$PWD"
for arguments in probe 'probe -p auto --json' 'profiles capture' 'profiles check auto,apple.min=7' \
  'profiles check aple' 'profiles show stock' version; do
  # shellcheck disable=SC2086 # several arguments
  transcript $arguments | sed "s|$PWD/||"
done
