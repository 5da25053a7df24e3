# -h, --help and help NAME are the same, wherever they stand.
"$MTLCAP" help >overview.txt
for option in -h --help; do
  "$MTLCAP" $option | cmp - overview.txt
done
for command in probe profiles run trace doctor explain env selftest help version; do
  "$MTLCAP" help $command >help.txt
  grep -q "^usage: mtlcap $command" help.txt || echo "$command: no usage"
  for option in -h --help; do
    "$MTLCAP" $command $option | cmp - help.txt
  done
done
"$MTLCAP" help probe >help.txt
"$MTLCAP" probe -p auto --json -h | cmp - help.txt
"$MTLCAP" help profiles >help.txt
"$MTLCAP" profiles check auto --help | cmp - help.txt
# No line is wider than a terminal.
for topic in probe profiles run trace doctor explain env selftest help version language environment exit-codes; do
  "$MTLCAP" help $topic | awk -v topic=$topic 'length > 90 {print topic ": too wide: " $0}'
done
