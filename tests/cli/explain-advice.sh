# What turns a feature on: what is tried, what is not, and what no profile can change.
. "$CASES/common"
for machine in two-vendors paravirt-raised; do
  SIMMETAL_DEVICES=$machine transcript explain llama.cpp | grep -A 7 '^[a-z]* *tuned'
done
SIMMETAL_DEVICES=m1 transcript explain llama.cpp -p no-families | grep -A 7 '^[a-z]* *tuned'
# The library says so, too.
for profile in stock apple=7; do
  SIMMETAL_DEVICES=paravirt-raised "$MTLCAP" explain llama.cpp -p $profile --require tuned >out.txt 2>&1
  echo "$profile: exit code $?"
done
# feature NEEDS [ARGUMENT...]: what is said of a feature that needs this.
feature() {
  cat >mine.rules <<R
[client]
name = app
versions = 1
source = here
device = any
asks = once
good = is
[feature]
name = f
what = w
needs = $1
off = is not
decides = yes
source = s
basis = read
R
  shift
  echo "$(sed -n 's/^needs = //p' mine.rules): $("$MTLCAP" explain --rules mine.rules "$@" |
    sed -nE 's/^ +(turned on|or) by +//p')"
}
feature 'own_family=on'
feature 'own_family=off' -p auto
feature 'metal!=off'
feature 'metal!=off and macos>=99'
feature 'metal!=off or macos>=99'
feature 'metal>=3 and metal!=off'
feature 'name~Intel and sdk<=10'
feature 'vm=off or name~Intel'
feature 'apple>=7 or vm=off' -p apple.max=5
SIMMETAL_DEVICES=intel-amd feature 'own_family=on'
SIMMETAL_DEVICES=intel-amd feature 'allocated_size>=1G'
# Of another machine.
"$MTLCAP" probe --json >probe.json
feature 'own_family=on' --from probe.json
feature 'metal!=off' --from probe.json
