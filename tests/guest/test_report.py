"""report.py on simulated machines: what it says of each, and that its document is of the form that
is documented.

Usage: test_report.py MTLCAP ASK
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "cli"))
import schema # noqa: E402

# What the verdicts are on each machine; of the others, that they pass.
MACHINES = {
    "paravirt": {},
    # Metal there keeps answers that it has computed while it made the device.
    "paravirt-cached": {"late and early: the same answers": "fail"},
    "m3-pro": dict.fromkeys((
        "auto: answers that differ from stock", "early: while Metal made the device",
        "late and early: the same answers"), "not-applicable"),
    "paravirt-macos14": dict.fromkeys((
        "late: applied", "early: applied", "auto: answers that differ from stock",
        "early: while Metal made the device", "late and early: the same answers"),
        "not-applicable"),
    "none": {"a device": "not-applicable"},
}

# In the place of Python with llama.cpp: under `auto` it computes something else, and it never asks
# Metal for a device.
LLAMA = """\
#!/usr/bin/env python3
import json, os, sys
if sys.argv[2] == "run":
    wrong = os.environ.get("MTLCAP_PROFILE") == "auto"
    print(json.dumps({"client": "none", "prompt_tokens": 1, "prompt_seconds": 1, "splits": 1,
                      "log": [], "logits": [1.0, -2.0 if wrong else 2.0]}))
"""


def report(mtlcap, ask, machine, folder, *arguments):
    output = pathlib.Path(folder, f"{machine}.json")
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(("MTLCAP_", "LUME_", "TART_", "SIMMETAL_"))}
    done = subprocess.run(
        [sys.executable, str(HERE / "report.py"), "--mtlcap", mtlcap, "--ask", ask, "--label",
         machine, "--commit", "0" * 40, "--output", str(output), *arguments],
        env=dict(environment, SIMMETAL_DEVICES=machine), capture_output=True, text=True, timeout=100)
    return done, json.loads(output.read_text())


def main():
    mtlcap, ask = sys.argv[1:]
    failed = 0

    def check(what, holds, detail=""):
        nonlocal failed
        failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {what}{'' if holds else f': {detail}'}")

    with tempfile.TemporaryDirectory() as folder:
        for machine, expected in MACHINES.items():
            done, document = report(mtlcap, ask, machine, folder)
            problems = schema.check(document, ROOT / "docs" / "guest-result.schema.json")
            check(f"{machine}: the form", not problems, problems)
            found = {one["name"]: one["verdict"] for one in document["verdicts"]}
            # What the selftest says is for its own tests to judge.
            wrong = {name: word for name, word in found.items()
                     if word != expected.get(name, "pass") and name != "selftest"}
            check(f"{machine}: the verdicts", not wrong and {*expected, "selftest"} <= set(found),
                  (wrong, done.stdout, done.stderr))
            check(f"{machine}: the exit status", done.returncode == ("fail" in found.values()),
                  done.returncode)
            check(f"{machine}: says that it is simulated",
                  document["guest"]["simulated"] is (None if machine == "none" else True),
                  document["guest"])

        llama = pathlib.Path(folder, "llama")
        llama.write_text(LLAMA)
        llama.chmod(0o755)
        done, document = report(mtlcap, ask, "paravirt", folder, "--llama", str(llama))
        found = {one["name"]: one["verdict"] for one in document["verdicts"]}
        check("llama.cpp: wrong numbers, and a library that was not applied, are found",
              [found.get(f"llama.cpp, {name}: {what}") for name in ("bare", "stock", "late")
               for what in ("applied", "the numbers are the CPU's")]
              == [None, "pass", "fail", "pass", "fail", "fail"] and done.returncode == 1,
              (found, done.stdout))
    sys.exit(failed > 0)


main()
