# Every machine that is listed exists; paravirt is the default.
"$MTLCAP" help machines >machines.txt
sed '/^machines$/q' machines.txt
sed '1,/^machines$/d' machines.txt | while read -r name; do
  SIMMETAL_DEVICES=$name "$MTLCAP" profiles check stock >out.txt 2>err.txt || cat err.txt
  [ "$name" != paravirt ] || echo "paravirt is there"
done
[ "$(sed '1,/^machines$/d' machines.txt | wc -l)" -gt 30 ] || echo "too few machines"
# Where there is no simulated Metal there is no list.
: >libsimmetal.so.0
LD_LIBRARY_PATH=$PWD "$MTLCAP" help machines | grep '^machines'
echo "exit code $?"
