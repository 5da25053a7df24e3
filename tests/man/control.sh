#!/bin/sh
# control.sh PYTHON SOURCE MTLCAP WORK: a page that is not as the help or the header says is noticed,
# and so is one too many and one too few.
set -eu
python=$1 source=$2 mtlcap=$3 work=$4

fail() {
  echo "control: $*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work/docs" "$work/include"
cp -R "$source/docs/man" "$work/docs/man"
cp -R "$source/include/mtlcap" "$work/include/mtlcap"
cd "$work"

check() { # EXPECTED: the pages that are named
  found=$("$python" docs/man/pages.py "$mtlcap" --check 2>&1 | sed -n 's/.*says: \(.*\); run.*/\1/p')
  [ "$found" = "$1" ] || fail "'$found' instead of '$1'"
}

check ""
sed 's/--receipt/--reciept/; s/\\-\\-receipt/\\-\\-reciept/' docs/man/mtlcap-run.1 >page
mv page docs/man/mtlcap-run.1
rm docs/man/mtlcap-env.1
touch docs/man/mtlcap-gone.1
sed 's/Never fails\./Fails./' include/mtlcap/mtlcap.h >header
mv header include/mtlcap/mtlcap.h
check "mtlcap-env.1, mtlcap-gone.1, mtlcap-run.1, mtlcap.3"
"$python" docs/man/pages.py "$mtlcap" >written.txt
check ""
cmp docs/man/mtlcap-run.1 "$source/docs/man/mtlcap-run.1"
[ ! -e docs/man/mtlcap-gone.1 ] || fail "mtlcap-gone.1 is still there"
