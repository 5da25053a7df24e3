"""Runs the lines of a document's indented blocks that are calls of the command mtlcap: each succeeds.

Usage: lines.py DOCUMENT --path FOLDER... [--least N]

In an empty folder, where the programs that doctor is asked about are; PATH begins with the folders.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"^    ((?:\w+=\S+ )*mtlcap .*)$", re.MULTILINE)
# What does not end with 0: doctor says by its exit code what it has found, here a program for Linux.
STATUS = {"doctor": 14}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--path", action="append", required=True)
    parser.add_argument("--least", type=int, default=1)
    options = parser.parse_args()
    lines = LINE.findall(options.document.read_text(encoding="utf-8"))
    failed = len(lines) < options.least
    environment = {name: value for name, value in os.environ.items()
                   if not re.match("MTLCAP_|SIMMETAL_", name)}
    environment["PATH"] = os.pathsep.join([*options.path, environment["PATH"]])
    with tempfile.TemporaryDirectory() as work:
        for folder in options.path:
            for program in pathlib.Path(folder).glob("llama-*"):
                pathlib.Path(work, program.name).symlink_to(program)
        for line in lines:
            done = subprocess.run(["sh", "-c", line], cwd=work, env=environment, text=True, timeout=60,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            subcommand = line.split("mtlcap ", 1)[1].split()[0]
            good = done.returncode == STATUS.get(subcommand, 0) and done.stdout
            failed = failed or not good
            print(f"{'ok  ' if good else 'FAIL'} {line}")
            if not good:
                print(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{len(lines)} lines, of {options.least} at least")
    sys.exit(failed)


main()
