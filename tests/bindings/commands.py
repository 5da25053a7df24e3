"""The commands of docs/bindings.md, run one after the other as they are there, build and run each program.

Usage: commands.py SOURCE PREFIX SIMMETAL WORK [--swift SWIFT]: in WORK, with SOURCE's folders there.
With --swift those of the section about Swift, without it those of all others.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDERS = ("bindings", "examples")
PACKAGE = ("include", "lib")  # SwiftPM takes no links
PROGRAM = re.compile(r"\./|NODE_PATH|ruby|java|build/quick-swift/\.build/")


def main():
    source, prefix, simmetal, work, *swift = map(Path, sys.argv[1:])
    page = (source / "docs/bindings.md").read_text()
    (expected,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    wanted = [text for text in sections if text.startswith("Swift\n") == bool(swift)]
    blocks = re.findall(r"^```sh\n(.*?)^```$", "".join(wanted), re.MULTILINE | re.DOTALL)
    script, programs = [], 0
    for line in "".join(blocks).splitlines():
        if PROGRAM.match(line):
            line = f"LD_PRELOAD={simmetal} {line}"
            programs += 1
        elif line.startswith(("cmake", "swift")):
            line += " >>build.txt 2>&1 || { cat build.txt >&2; exit 1; }"
        script.append(line)

    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    environment = dict(os.environ, PREFIX=str(prefix))
    if swift:
        environment["PATH"] = f"{swift[1].parent}:{environment['PATH']}"
        shutil.copy(source / "Package.swift", work)
    shutil.copy(source / "LICENSE", work)
    for folder in FOLDERS + PACKAGE:
        if swift:
            shutil.copytree(source / folder, work / folder)
        else:
            (work / folder).symlink_to(source / folder)
    result = subprocess.run(["sh", "-eu", "-c", "\n".join(script)], cwd=work, text=True,
                            env=environment, stdout=subprocess.PIPE)
    print(result.stdout)
    count = 1 if swift else 5
    if result.returncode or programs != count or result.stdout != expected * count:
        sys.exit(f"exit status {result.returncode}; expected, of each of {count} programs, "
                 f"{programs} found:\n{expected}")


main()
