#!/bin/sh
# tidy.sh CLANG-TIDY SOURCE BUILD FOLDER: clang-tidy has nothing to say about FOLDER's sources, as
# .clang-tidy sets it up. Only files that BUILD compiles are looked at.
set -eu
cd "$2"
files=$(sed -n "s|^ *\"file\": \"$PWD/\($4/.*\.[cm]\)\",*\$|\1|p" "$3/compile_commands.json" | sort -u)
test -n "$files"
# shellcheck disable=SC2086 # one word a file
exec "$1" --quiet -p "$3" $files
