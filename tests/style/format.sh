#!/bin/sh
# format.sh CLANG-FORMAT SOURCE: every C, C++ and Objective-C file is formatted as .clang-format says,
# but for what follows a client's own style. To mend one: clang-format-19 -i FILE.
set -eu
cd "$2"
find bench bindings examples include lib tests tools \( -name '*.[chm]' -o -name '*.[ch]pp' \) \
  ! -path '*/clients/*.cpp' -exec "$1" --dry-run -Werror {} +
