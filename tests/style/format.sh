#!/bin/sh
# format.sh CLANG-FORMAT SOURCE: every C and Objective-C file is formatted as .clang-format says. To
# mend one: clang-format-19 -i FILE.
set -eu
cd "$2"
find bench bindings examples include lib tests tools -name '*.[chm]' -exec "$1" --dry-run -Werror {} +
