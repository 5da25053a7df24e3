#!/bin/sh
# tidy.sh CLANG-TIDY SOURCE BUILD FOLDER: clang-tidy has nothing to say about FOLDER's sources, as
# .clang-tidy sets it up. Only files that BUILD compiles are looked at. One process a file: the
# analyzer keeps Objective-C methods of one file by address and may crash on them in the next.
set -eu
cd "$2"
files=$(sed -n "s|^ *\"file\": \"$PWD/\($4/.*\.[cm]\)\",*\$|\1|p" "$3/compile_commands.json" | sort -u)
test -n "$files"
printf '%s\n' "$files" | xargs -n 1 "$1" --quiet -p "$3"
