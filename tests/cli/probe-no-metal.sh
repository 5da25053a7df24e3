# Without the simulated Metal: a file that is no library is found first.
: >libsimmetal.so.0
LD_LIBRARY_PATH=$PWD${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
"$MTLCAP" probe
echo "exit code $?"
"$MTLCAP" probe -p auto --json
echo "exit code $?"
"$MTLCAP" profiles check auto,apple.min=7
echo "exit code $?"
"$MTLCAP" profiles check aple
echo "exit code $?"
"$MTLCAP" profiles show stock
echo "exit code $?"
"$MTLCAP" profiles capture
echo "exit code $?"
