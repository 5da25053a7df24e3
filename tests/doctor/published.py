"""What doctor takes the published library for is what it is:  published.py MTLCAP BUNDLE

BUNDLE is what scripts/macos.sh makes. Its command, a program for a Mac, is what is asked about.
"""

import json
import pathlib
import subprocess
import sys


def report(command, program, *options):
    run = subprocess.run([command, "doctor", "--json", *options, program], capture_output=True,
                         text=True)
    print(run.stderr, end="")
    return run.returncode, json.loads(run.stdout)


def main():
    command, (bundle,) = sys.argv[1], pathlib.Path(sys.argv[2]).glob("mtlcap-*-macos")
    program, library = bundle / "bin/mtlcap", bundle / "lib/libmtlcap-inject.dylib"
    code, assumed = report(command, program)
    code_with, read = report(command, program, "--library", str(library))
    facts = [[(part["arch"], part["platform"], part["signature"], part["flag_names"], part["team"])
              for part in sorted(each["library"]["slices"], key=lambda part: part["arch"])]
             for each in (assumed, read)]
    print(facts)
    if code or code_with or facts[0] != facts[1]:
        sys.exit("the two are not the same, or the program is not one that it is loaded into")


main()
