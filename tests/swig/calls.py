"""What Node, Ruby and Java do around a call: messages are told, and what comes too late is said. The
same in each.

Usage: calls.py CLIENT SIMMETAL COMMAND...: runs `COMMAND what` for each of the cases below.
"""

import os
import subprocess
import sys
import tempfile

CASES = {
    # what: machine, what the other client does, what is printed
    "log": ("paravirt-old-sdk", "", """\
told: warning True, apple 7
told when allowed: 0
failing handler: reported True, applied True
told after null: 0
"""),
    "foreign": ("paravirt-old-sdk", "applies", """\
told: 0, in force True
"""),
    "thrown": ("paravirt-old-sdk", "", """\
left: True
"""),
    "text": ("paravirt", "", """\
file: True, apple 6
zero: refused True
"""),
    "late": ("paravirt", "asks", """\
nothing to change: 0
error: True True, status 0, in force False
warned: 1 True, apple 7
scope warned: 1
scope refused: True
ignored: 0
"""),
    "in-time": ("paravirt", "", """\
nothing to change: 0
error: False
warned: 0
scope warned: 0
scope refused: False
ignored: 0
"""),
}
ON_STDERR = {"log": 1, "foreign": 5}  # warnings of the hazard, at least


def main():
    client, simmetal, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/\U0001f600.mtlcap", "w") as file:  # for "text"
            file.write("apple.min=6")
        run_cases(client, simmetal, command, folder)


def run_cases(client, simmetal, command, folder):
    for what, (machine, action, expected) in CASES.items():
        result = subprocess.run([*command, what], capture_output=True, text=True, timeout=60, cwd=folder, env=dict(
            os.environ, SIMMETAL_DEVICES=machine, CLIENT=action, LD_PRELOAD=f"{simmetal}:{client}"))
        print(f"== {what}\n{result.stdout}{result.stderr[:2000]}")
        warnings = [line for line in result.stderr.splitlines()
                    if line.startswith("mtlcap: ") and "old-sdk-bf16" in line]
        least = ON_STDERR.get(what, 0)
        if result.returncode or result.stdout != expected:
            sys.exit(f"{what}: exit status {result.returncode}; expected:\n{expected}")
        if len(warnings) < least or (least < 2 and len(warnings) > least):
            sys.exit(f"{what}: {len(warnings)} warnings on stderr, expected {least}")


main()
