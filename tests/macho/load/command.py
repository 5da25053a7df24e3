"""The command for a Mac, executed by the loader, against the one that is built for Linux.

For every call and every machine: the same standard output, standard error and exit code, but for what
SAME_BUT says.
"""

import os
import pathlib
import re
import subprocess
import sys

# What differs, and should.
SAME_BUT = [
    (r"mtlcap: not a Mac: the GPU is simulated; SIMMETAL_DEVICES chooses which\n", ""),
    (r", simulated$", ""),
    (r'"simulated": (true|false)', '"simulated": ?'),
    (r"; off a Mac, link libsimmetal, .*", ""),
]

MACHINES = ["paravirt", "paravirt-m3", "paravirt-x86", "paravirt-debug", "paravirt-raised",
            "m1-ultra", "intel-amd", "two-vendors", "none"]
CALLS = [
    "probe", "probe --json", "probe -p auto", "probe -p auto --json", "probe -p like-m1",
    "probe -p apple.max=3,threads_per_threadgroup.max=512 --json",
    "probe -p lume", "probe -p lume --allow beyond-hardware+threadgroup-memory --json",
    "probe --diff stock auto", "probe --expect apple=5", "probe --expect apple>=7 -p auto",
    "probe --device 1", "probe -p @{file}", "probe -p @{missing}",
    "profiles capture", "profiles check auto", "profiles check apple.min=9",
    "profiles show like-m2",
]
# The machine does not matter to these.
ANYWHERE = [
    "", "version", "help", "help probe", "help profiles", "help language", "help keys",
    "help hazards", "help exit-codes", "help nonsense", "nonsense", "profiles", "profiles list",
    "profiles show", "profiles check apple.min=77", "probe --nonsense", "probe -p @/dev/null",
    "probe -p @/", "probe --expect",
]
MARK = re.compile(r"\{(\w+)\}")


def run(command, arguments, machine):
    environment = {key: value for key, value in os.environ.items()
                   if not re.match("SIMMETAL_|MTLCAP_|MTL_|DYLD_", key)}
    environment.update(SIMMETAL_DEVICES=machine, LC_ALL="C", TERM="dumb")
    result = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, timeout=60)
    texts = [result.stdout, result.stderr]
    for pattern, replacement in SAME_BUT:
        texts = [re.sub(pattern, replacement, text, flags=re.MULTILINE) for text in texts]
    return result.returncode, *texts


def main():
    loader, for_mac, for_linux, work = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    files = {"file": work / "profile.txt", "missing": work / "missing.txt",
             "command": for_mac,
             "library": pathlib.Path(for_mac).parents[1] / "lib/libmtlcap-inject.dylib"}
    files["file"].write_text("# a comment\napple.min=7\nthreadgroup_memory.max=16K\n")
    wrong = calls = 0
    for machine in MACHINES:
        for call in CALLS + (ANYWHERE if machine == MACHINES[0] else []):
            arguments = MARK.sub(lambda mark: str(files[mark.group(1)]), call).split()
            here = run([for_linux], arguments, machine)
            there = run([loader, for_mac], arguments, machine)
            calls += 1
            if here != there:
                wrong += 1
                print(f"{machine}: mtlcap {call}:\n  for Linux: {here}\n  for a Mac: {there}")
    print(f"{calls} calls, {wrong} different")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
