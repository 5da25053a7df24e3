"""The program in the comment at the top of a file runs, and prints what the comments in it say.

Usage: comment.py FILE WORK COMMAND...: `COMMAND program` runs it; of C and C++, COMMAND compiles it.
"""

import re
import subprocess
import sys
from pathlib import Path

# By the file's suffix: what a line of the comment begins with, the program's suffix.
LANGUAGES = {".h": (" *", ".c"), ".hpp": (" *", ".cpp"), ".ts": ("//", ".js"), ".rb": ("#", ".rb"),
             ".py": ("", ".py")}
SAID = re.compile(r"^(?:print|puts|console\.log|std::cout).* (?://|#) (\w+: .*)$", re.MULTILINE)


def first_block(text, mark):
    """The lines of the comment's first block, which is indented by two or four more."""
    block = []
    for line in text.splitlines():
        body = line[len(mark):] if line.startswith(mark) else None
        if body is None and block:
            break
        if body and re.match(r" {3,5}\S", body):
            block.append(body)
        elif block and not (body or "").strip():
            block.append("")
        elif block and not re.match(r" {3}", body):
            break
        elif block:
            block.append(body)
    indent = len(block[0]) - len(block[0].lstrip())
    return [line[indent:] for line in block]


def in_main(lines):
    includes = [line for line in lines if line.startswith("#")]
    body = [line for line in lines if not line.startswith(("#", "..."))]
    return includes + ["int main(void) {"] + body + ["}"]


def main():
    path, work, *command = Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]
    mark, suffix = LANGUAGES[path.suffix]
    lines = first_block(path.read_text(), mark)
    compiled = path.suffix in (".h", ".hpp")
    code = "\n".join(in_main(lines) if compiled else lines) + "\n"
    print(code)
    said = SAID.findall(code)
    work.mkdir(parents=True, exist_ok=True)
    program = work / f"program{suffix}"
    program.write_text(code)
    if compiled:
        subprocess.run([command[0], program, *command[1:], "-o", work / "program"], check=True)
        command, program = [], work / "program"
    printed = subprocess.run([*command, program], check=True, capture_output=True, text=True)
    if len(lines) < 4 or printed.stderr or printed.stdout.splitlines() != said:
        sys.exit(f"expected {said}, found\n{printed.stdout}{printed.stderr}")


main()
