#!/bin/sh
# needed.sh READELF LIBRARY: the library needs the C library, and nothing else, to be loaded; the
# Objective-C runtime and Metal are looked for when asked for.
set -eu
needed=$("$1" -d "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
test -n "$needed"
for library in $needed; do
  case $library in
    libc.so.6 | ld-linux*) ;;
    *)
      echo "the library needs $library"
      exit 1
      ;;
  esac
done
