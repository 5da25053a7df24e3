"""A binding has what the C library has: statuses and their errors, capabilities, profiles, hazards.

Usage: compare.py REFERENCE COMMAND...: both print their tables, a line each.
"""

import difflib
import subprocess
import sys


def lines(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def main():
    expected, found = lines(sys.argv[1:2]), lines(sys.argv[2:])
    if len(expected) < 100:
        sys.exit(f"only {len(expected)} lines from the C library")
    if expected != found:
        print(*difflib.unified_diff(expected, found, "C", "binding", lineterm="", n=0), sep="\n")
        sys.exit("the binding differs from the C library")


main()
