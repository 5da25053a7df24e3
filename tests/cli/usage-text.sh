# What comes from outside cannot reach the terminal as it is, nor fill it.
. "$CASES/common"
escape=$(printf '\033[31m')
transcript "a$escape$(printf '\007\302\233')b" | sed 1d
transcript probe "--$escape" | sed 1d
transcript probe -p "auto,$escape" | sed 1d
transcript profiles check "@$escape" | sed 1d
transcript probe -p auto --allow "$escape" | sed 1d
transcript help "$escape" | sed 1d
long=$(head -c 60000 /dev/zero | tr '\0' a)
for arguments in "$long" "probe -p $long" "probe -p auto,$long" "profiles check @$long" \
  "probe --expect $long" "probe -p auto --allow $long" "help $long"; do
  # shellcheck disable=SC2086 # several arguments
  "$MTLCAP" $arguments >out.txt 2>err.txt
  echo "exit code $?"
  [ "$(cat out.txt err.txt | wc -c)" -lt 3000 ] || echo "too much is written"
done
