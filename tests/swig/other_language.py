"""docs/other-languages.md is true: its binding for Lua is built as it says, and its program prints what
it says.

Usage: other_language.py DOCUMENT PREFIX SWIG LUA WORK
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def main():
    document, prefix, swig, lua, work = map(Path, sys.argv[1:])
    blocks = dict(re.findall(r"^```(swig|sh|lua|text)\n(.*?)^```$", document.read_text(),
                             re.MULTILINE | re.DOTALL))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "lua.i").write_text(blocks["swig"])
    (work / "program.lua").write_text(blocks["lua"])

    environment = dict(os.environ, PREFIX=str(prefix), SOURCE=str(document.parent.parent),
                       PATH=f"{swig.parent}:{os.environ['PATH']}", LUA_CPATH=f"{work}/?.so")
    simmetal = environment.pop("LD_PRELOAD")
    subprocess.run(["sh", "-eu", "-c", blocks["sh"]], cwd=work, env=environment, check=True)
    result = subprocess.run([lua, "program.lua"], cwd=work, capture_output=True, text=True,
                            env=dict(environment, LD_PRELOAD=simmetal))
    print(result.stdout, result.stderr)
    if result.returncode or result.stdout != blocks["text"]:
        sys.exit(f"exit status {result.returncode}; expected:\n{blocks['text']}")


main()
