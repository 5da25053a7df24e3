#!/bin/sh
# shims.sh LOADER TBD...: the loader's table of imports has every name that the files for a Mac may
# import, and says why where it is not Linux's own.
set -eu
loader=$1
shift
table=$("$loader" --list-shims)
echo "$table"
names=$(sed 's/#.*//' "$@" | tr -d "'[]" | tr ', ' '\n\n' | sed -n 's/^_\([A-Za-z_].*\)$/\1/p')
missing=
count=0
for name in $names dyld_stub_binder; do
  count=$((count + 1))
  echo "$table" | awk -v name="$name" '$2 == name && $3 != "" { found = 1 } END { exit !found }' ||
    missing="$missing $name"
done
echo "$count names may be imported; not in the table:${missing:- none}"
[ -z "$missing" ] && [ "$count" -gt 80 ]
