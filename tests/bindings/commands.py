"""The commands of docs/bindings.md, run one after the other as they are there, build and run each program.

Usage: commands.py SOURCE PREFIX SIMMETAL WORK: in WORK, with SOURCE's folders linked into it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def main():
    source, prefix, simmetal, work = map(Path, sys.argv[1:])
    page = (source / "docs/bindings.md").read_text()
    blocks = re.findall(r"^```(sh|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (expected,) = [text for language, text in blocks if language == "text"]
    script, programs = [], 0
    for line in "".join(text for language, text in blocks if language == "sh").splitlines():
        if re.match(r"\./|NODE_PATH|ruby|java", line):
            line = f"LD_PRELOAD={simmetal} {line}"
            programs += 1
        elif line.startswith("cmake"):
            line += " >>cmake.txt"
        script.append(line)

    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for folder in ("bindings", "examples"):
        (work / folder).symlink_to(source / folder)
    result = subprocess.run(["sh", "-eu", "-c", "\n".join(script)], cwd=work, text=True,
                            env=dict(os.environ, PREFIX=str(prefix)), stdout=subprocess.PIPE)
    print(result.stdout)
    if result.returncode or programs != 5 or result.stdout != expected * programs:
        sys.exit(f"exit status {result.returncode}; expected, of each of {programs} programs:\n"
                 f"{expected}")


main()
