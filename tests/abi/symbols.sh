#!/bin/sh
# symbols.sh NM LIBRARY EXPORTS HEADER: the library exports what exports.txt lists, which is what the
# public header declares.
set -eu
nm=$1 library=$2 exports=$3 header=$4

# List by list, so that a difference shows which name is where.
compare() { # NAME-OF-LIST
  if ! difference=$(diff "$exports" -); then
    echo "lib/exports.txt (<) and $1 (>) differ:"
    echo "$difference"
    exit 1
  fi
}

case $(uname) in
  Darwin) "$nm" -gU "$library" | awk '{print substr($3, 2)}' ;;
  *) "$nm" -D --defined-only "$library" | awk '{print $3}' ;;
esac | LC_ALL=C sort | compare "what the library exports"

sed -n 's/^MTLCAP_API [^(]*[ *]\(mtlcap_[a-z_0-9]*\)(.*/\1/p' "$header" | LC_ALL=C sort |
  compare "the public header"
