#!/bin/sh
# assemble.sh ARGUMENT...: clang (of the variable TEST_CLANG), for the files in which llama.cpp embeds its
# kernels. They are written for Mach-O: another name for the section, an underscore before symbols.
set -eu
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  case $argument in
    *.s)
      sed -e 's/^\.section __DATA,.*/.section .rodata/' -e 's/_ggml_metallib/ggml_metallib/' \
        "$argument" >"$argument.elf"
      echo '.section .note.GNU-stack,"",@progbits' >>"$argument.elf"
      set -- "$@" -x assembler "$argument.elf"
      ;;
    *) set -- "$@" "$argument" ;;
  esac
  count=$((count - 1))
done
exec "$TEST_CLANG" -Qunused-arguments "$@"
