# Each can be shown on every kind of machine; one with numbers says where they come from.
for machine in paravirt m1-ultra two-vendors none; do
  "$MTLCAP" profiles list | sed '/^ /d; s/ .*//' | while read -r name; do
    code=0
    SIMMETAL_DEVICES=$machine "$MTLCAP" profiles show "$name" >show.txt 2>err.txt || code=$?
    [ "$code" = 0 ] || [ "$name" = hide ] || { echo "$name on $machine: exit code $code"; cat err.txt; }
    grep -q "^$name: " show.txt || echo "$name on $machine: not named"
    grep -q '^rules: ' show.txt || echo "$name on $machine: no rules"
  done
done
"$MTLCAP" profiles show like-m1 | grep -c '^source: .'
