"""A binding has what the C library has: statuses and their errors, capabilities, profiles, hazards.

Usage: compare.py [--page DOCUMENT] REFERENCE COMMAND...: both print their tables, a line each.

--page: for Swift, which has no statuses by name; its errors are those of the table in DOCUMENT, which
errors.py compares with the C library.
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path


def lines(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def main():
    arguments, page = sys.argv[1:], None
    if arguments[0] == "--page":
        page = Path(arguments[1]).read_text()
        del arguments[:2]
    expected, found = lines(arguments[:1]), lines(arguments[1:])
    if page:
        cases = dict(re.findall(r"^\| `E_\w+` \| (-\d+) \| `\w+` \| `\.(\w+)` \|$", page,
                                re.MULTILINE))
        expected = [re.sub(r"^(error (\S+)) .*", lambda m: f"{m[1]} {cases.get(m[2], '?')}", line)
                    for line in expected if not line.startswith("status ")]
    if len(expected) < 100:
        sys.exit(f"only {len(expected)} lines from the C library")
    if expected != found:
        print(*difflib.unified_diff(expected, found, "C", "binding", lineterm="", n=0), sep="\n")
        sys.exit("the binding differs from the C library")


main()
