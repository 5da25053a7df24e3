"""Writes the C source of the extension module mtlcap._mtlcap (cffi, API mode).

Usage: build_ffi.py OUTPUT HEADER...

The declarations are those of the headers themselves, which are plain C that cffi can read once the
preprocessor's lines are gone. The C compiler checks them against the headers: a structure that was
read wrongly does not compile.
"""

import re
import sys
from pathlib import Path

from cffi import FFI

INCLUDE = '#include "{}"\n'
NUMBER = re.compile(r"^#define (MTLCAP_\w+) \(?-?\d+\)?(?:\s*/\*.*)?$", re.MULTILINE)
STATUS = re.compile(r"\bX\((\w+), (-?\d+), \"")


def declarations(text: str) -> str:
    """What cffi is to know of a header: its types and functions, and its constants by name."""
    constants = [f"#define {name} ..." for name in NUMBER.findall(text)]
    constants += [f"#define MTLCAP_{name} ..." for name, _ in STATUS.findall(text)]
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    text = text.replace("\\\n", " ")
    text = re.sub(r"#ifdef __cplusplus\n.*?\n#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"enum mtlcap_status \{.*?\};", "", text, flags=re.DOTALL)
    text = text.replace("MTLCAP_API ", "")
    return "\n".join(constants + [text])


def main() -> None:
    output, *headers = map(Path, sys.argv[1:])
    ffi = FFI()
    for header in headers:
        ffi.cdef(declarations(header.read_text(encoding="utf-8")))
    ffi.set_source("mtlcap._mtlcap", "".join(INCLUDE.format(header) for header in headers))
    ffi.emit_c_code(str(output))


main()
