"""What llama.cpp's Metal backend, unmodified, asks of a device, as `mtlcap trace` tells it: what its
source says that it asks, as often as it does, with the answers that it logs.

Usage: test_trace.py --client FILE --mtlcap FILE --work FOLDER
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess

from runs import Checks, environment

# ggml_metal_device_init() asks these, ...
FIXED = [1007, 5001, 1007, 5001, 1006, 5002, 1007]

# ... and for its log goes down each axis to the first that is answered yes.
SCANS = [(1021, 1001), (5006, 5001)]

SIZES = {"maxBufferLength", "maxThreadgroupMemoryLength", "recommendedMaxWorkingSetSize",
         "hasUnifiedMemory", "name"}


def asked_families(supported):
    """How often each is asked for, by a program to which these are answered yes."""
    asked = collections.Counter(FIXED)
    for first, last in SCANS:
        for family in range(first, last - 1, -1):
            asked[family] += 1
            if family in supported:
                break
    return asked


class Traced:
    """One run: what the client logged, and what was traced."""

    def __init__(self, options, profile):
        folder = pathlib.Path(options.work)
        folder.mkdir(parents=True, exist_ok=True)
        trace = folder / f"{profile or 'stock'}.json"
        trace.unlink(missing_ok=True)
        command = [options.mtlcap, "trace", "--json", "--events", "-o", str(trace)]
        command += ["-p", profile] if profile else []
        done = subprocess.run([*command, "--", options.client, "log"], capture_output=True,
                              text=True, timeout=300, env=environment("paravirt"))
        self.code, self.log, self.warnings = done.returncode, done.stdout, done.stderr
        [self.process] = json.loads(trace.read_text())["processes"]
        self.questions = self.process["questions"]

    def families(self):
        return [q for q in self.questions if q["selector"] == "supportsFamily:"]

    def counts(self):
        counts = collections.Counter()
        for question in self.families():
            counts[question["argument"]] += question["count"]
        return counts

    def supported(self):
        return {q["argument"] for q in self.families() if q["answer"]}

    def logged_families(self):
        return {int(number) for number in re.findall(r"GPU family: .*\((\d+)\)", self.log)}


def check_run(check, name, run):
    check(f"{name}: it ends well, and logs", run.code == 0 and run.log, run.warnings)
    check(f"{name}: the families that it logs are among those answered yes",
          run.logged_families() and run.logged_families() <= run.supported(),
          (run.logged_families(), run.supported()))
    expected = asked_families(run.supported())
    check(f"{name}: asks for {sum(expected.values())} families, as its source says",
          run.counts() == expected, (run.counts() - expected, expected - run.counts()))
    asked = {question["selector"] for question in run.questions}
    check(f"{name}: asks for sizes", SIZES <= asked, SIZES - asked)
    check(f"{name}: every question is there",
          run.process["complete"] and run.process["dropped"] == 0 and
          run.process["not_watched"] == [] and
          run.process["asked"] == sum(q["count"] for q in run.questions), run.process)
    check(f"{name}: every question is in the log, in its order",
          len(run.process["events"]) == run.process["asked"] and
          [run.questions[e["question"]]["argument"] for e in run.process["events"]
           if run.questions[e["question"]]["selector"] == "supportsFamily:"][:7] == FIXED,
          run.process["events"][:20])
    check(f"{name}: by the client", {caller["image"] for question in run.questions
                                     for caller in question["callers"]} ==
          {run.process["program"]}, run.questions)
    unknown = [q for q in run.families() if not q["argument_name"].startswith("MTLGPUFamily")]
    check(f"{name}: constants that Metal does not name come last",
          unknown and unknown == run.questions[-len(unknown):] and
          all("no family" in q["argument_name"] for q in unknown), unknown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("client", "mtlcap", "work"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    check = Checks()
    stock, auto = Traced(options, None), Traced(options, "auto")
    check_run(check, "stock", stock)
    check_run(check, "auto", auto)
    check("stock: nothing is changed",
          all(q["answer"] == q["stock"] and not q["overridden"] for q in stock.questions),
          stock.questions)
    changed = {q["argument"] for q in auto.questions if q["answer"] != q["stock"]}
    check("auto: 1006 and 1007 are changed, and come first",
          changed == {1006, 1007} and
          {q["argument"] for q in auto.questions[:2]} == {1006, 1007} and
          all(q["overridden"] for q in auto.questions[:2]), auto.questions[:3])
    check.finish(2)


main()
