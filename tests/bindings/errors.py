"""Every page and declaration that lists the errors lists those of the C library.

Usage: errors.py SOURCE REFERENCE
"""

import re
import subprocess
import sys
from pathlib import Path


def main():
    source, reference = Path(sys.argv[1]), sys.argv[2]
    tables = subprocess.run([reference], check=True, stdout=subprocess.PIPE, text=True).stdout
    statuses = dict(re.findall(r"^status (\w+) (\S+)$", tables, re.MULTILINE))
    classes = dict(re.findall(r"^error (\S+) (\w+)$", tables, re.MULTILINE))
    rows = [(name, number, classes[number]) for name, number in statuses.items() if number != "0"]

    page = (source / "docs/bindings.md").read_text()
    shown = re.findall(r"^\| `(E_\w+)` \| (-\d+) \| `(\w+)` \| `\.\w+` \|$", page, re.MULTILINE)
    declared = re.findall(r"^export class (\w+) extends MtlcapError",
                          (source / "bindings/swig/node/index.d.ts").read_text(), re.MULTILINE)
    if shown != rows:
        sys.exit(f"docs/bindings.md: expected the rows {rows}")
    if declared != ["OrderError", *(name for _, _, name in rows)]:  # which no status of C has
        sys.exit("index.d.ts declares other errors than the C library has")


main()
