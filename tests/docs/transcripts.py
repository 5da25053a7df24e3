"""Runs the transcripts in a document, and compares what it shows with what is printed.

Usage: transcripts.py DOCUMENT --path FOLDER... --library FILE [--home FOLDER] [--least N]

A transcript is a block that begins with ```console test. Lines that begin with "$ " are given to one
shell, in an empty folder, with the lines behind them that begin with "> "; what they print, on both
outputs, must be the lines in between. There, * stands for any text, and a line ... for any lines. PATH
begins with the folders; $HOME is a folder with the library at mtlcap/lib, and with links to what is in
--home. Off a Mac the loader's variable and the library's suffix are
those of Linux.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console test\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SIMULATED = "mtlcap: not a Mac: the GPU is simulated; SIMMETAL_DEVICES chooses which"


def pattern(lines):
    """What the expected lines match."""
    parts = ["(?:.*\n)*" if line == "..." else
             ".*".join(map(re.escape, line.split("*"))) + "\n" for line in lines]
    return re.compile("".join(parts))


def commands(block):
    """Each command, and the lines that it is to print."""
    result = []
    for line in block.splitlines():
        if line.startswith("$ "):
            result.append((line[2:], []))
        elif result and line[:2] in (">", "> ") and not result[-1][1]:
            result[-1] = (f"{result[-1][0]}\n{line[2:]}", [])
        elif result:
            result[-1][1].append(line)
        else:
            sys.exit(f"transcripts.py: a block begins without a command: {line}")
    return result


def here(text):
    if sys.platform == "darwin":
        return text
    return text.replace("DYLD_INSERT_LIBRARIES", "LD_PRELOAD").replace(".dylib", ".so")


def run(block, options):
    """Yields what is not as shown."""
    marker = "---- next ----"
    steps = commands(block)
    # The exit status of a command must reach the next one.
    script = "".join(f"{here(command)}\nstatus=$?; echo '{marker}'; (exit $status)\n"
                     for command, _ in steps)
    with tempfile.TemporaryDirectory() as folder:
        home, work = pathlib.Path(folder, "home"), pathlib.Path(folder, "work")
        (home / "mtlcap" / "lib").mkdir(parents=True)
        work.mkdir()
        for entry in options.home.iterdir() if options.home else ():
            (home / entry.name).symlink_to(entry)
        (home / "mtlcap" / "lib" / options.library.name).symlink_to(options.library)
        environment = {k: v for k, v in os.environ.items() if not re.match(
            r"(MTLCAP|SIMMETAL|LUME|TART|LUNCHPAIL|VEERTU)_|LD_PRELOAD|DYLD_", k)}
        environment.update(
            HOME=str(home), SIMMETAL_DEVICES="paravirt",
            PATH=os.pathsep.join([*map(str, options.path), environment["PATH"]]))
        done = subprocess.run(["sh", "-c", script], cwd=work, env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=100)
    printed = [line for line in done.stdout.splitlines(keepends=True) if line.strip() != SIMULATED]
    outputs = "".join(printed).split(f"{marker}\n")
    for (command, expected), output in zip(steps, outputs):
        if not pattern(expected).fullmatch(output):
            yield f"$ {command}\n{output}" + "instead of\n" + "\n".join(expected)
    if len(outputs) != len(steps) + 1:
        yield f"the shell ended before the last command: {done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--path", action="append", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--home", type=pathlib.Path)
    parser.add_argument("--least", type=int, default=1, help="as many transcripts there must be")
    options = parser.parse_args()
    options.library = options.library.resolve()
    blocks = BLOCK.findall(options.document.read_text(encoding="utf-8"))
    failed = len(blocks) < options.least
    if failed:
        print(f"FAIL {len(blocks)} transcripts, fewer than {options.least}")
    for block in blocks:
        problems = list(run(block, options))
        failed = failed or bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {commands(block)[0][0]}")
        print("".join(f"{problem}\n" for problem in problems), end="")
    sys.exit(failed)


main()
