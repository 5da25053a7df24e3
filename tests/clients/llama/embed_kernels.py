"""Embeds the Metal kernels of llama.cpp, as its own CMakeLists.txt does on a Mac.

Usage: embed_kernels.py GGML_METAL_FOLDER OUTPUT_FOLDER

Writes OUTPUT_FOLDER/kernels.s, with a pair of symbols for each kernel file, and the files that it
includes: each kernel file with the local headers that it needs pasted in.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"')
COMMON = "__embed_ggml-common.h__"


def flatten(path, folders, seen):
    """Returns a file's lines with each local include replaced by its lines, once."""
    lines = []
    for line in path.read_text().splitlines():
        match = INCLUDE.match(line)
        if COMMON in line:
            lines += flatten(find("ggml-common.h", folders), folders, seen)
        elif match:
            header = find(match.group(1), folders)
            if header is None or header in seen:
                continue
            seen.add(header)
            lines += flatten(header, folders, seen)
        elif line.strip() != "#pragma once":
            lines.append(line)
    return lines


def find(name, folders):
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def main():
    metal, output = map(pathlib.Path, sys.argv[1:])
    folders = [metal / "kernels", metal, metal.parent]
    listing = (metal / "CMakeLists.txt").read_text()
    names = re.findall(r"^\s+kernels/(\w+)\.metal$", listing, re.MULTILINE)
    if not names:
        sys.exit(f"embed_kernels.py: {metal}/CMakeLists.txt lists no kernels")
    assembly = ['    .section .note.GNU-stack,"",@progbits', "    .section .rodata"]
    for name in names:
        text = output / f"{name}.metal"
        text.write_text("\n".join(flatten(metal / f"kernels/{name}.metal", folders, set())) + "\n")
        symbol = f"ggml_metallib_{name}"
        assembly += [
            f"    .globl {symbol}_start",
            f"{symbol}_start:",
            f'    .incbin "{text}"',
            f"    .globl {symbol}_end",
            f"{symbol}_end:",
        ]
    (output / "kernels.s").write_text("\n".join(assembly) + "\n")


main()
