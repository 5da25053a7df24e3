# Where every caller gets devices of its own, what is told is the same as where they are shared.
. "$CASES/common"
for arguments in "explain tinygrad" "explain llama -p auto" "profiles check auto" \
  "profiles check apple.min=9,metal.min=3"; do
  for machine in paravirt paravirt-fresh; do
    # shellcheck disable=SC2086
    SIMMETAL_DEVICES=$machine transcript $arguments >$machine.txt
  done
  diff paravirt.txt paravirt-fresh.txt && echo "the same: $arguments"
done
SIMMETAL_DEVICES=paravirt-fresh,m1 transcript profiles check auto
SIMMETAL_DEVICES=paravirt-fresh transcript explain tinygrad | grep 'turned on by'
