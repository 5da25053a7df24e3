"""Apply and query from C, Python and Swift, side by side. See README.md.

Usage: languages.py [--build FOLDER] [--swift FILE] [--rounds N] [--quick] [--json FILE]
                    [--document FILE]

The Python that runs this has the package mtlcap installed. FOLDER is the build with bench_language
and the simulated Metal; --swift is the program of bench/swift, left out if it is not there.
--document puts the results between their markers there.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GOAL = 2.0 # microseconds that a query from Python may take
FOREIGN = re.compile(r"^(MTLCAP|SIMMETAL)_|^LD_PRELOAD$")


class Worker:
    """A program that measures a round of its cases when it is given a line."""

    def __init__(self, language, command, simmetal):
        self.language = language
        environment = {k: v for k, v in os.environ.items() if not FOREIGN.match(k)}
        environment["SIMMETAL_DEVICES"] = "paravirt"
        environment["MTLCAP_SIMMETAL" if language == "Python" else "LD_PRELOAD"] = str(simmetal)
        self.process = subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.times = {name: [] for name in self.read()}

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"languages.py: the program in {self.language} ended with "
                     f"{self.process.wait()}")
        return json.loads(line)

    def measure(self, keep):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for times, time in zip(self.times.values(), self.read()):
            if keep:
                times.append(time)

    def end(self):
        self.process.stdin.close()
        if self.process.wait(timeout=60):
            sys.exit(f"languages.py: the program in {self.language} did not end well")


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return {"median": round(middle, 3), "quartiles": [round(low, 3), round(high, 3)]}


def cpu():
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else "unknown CPU"


def table(results):
    """As Markdown: medians, and their ratios to C's. `results`: by language, by case."""
    common = results["C"]
    lines = ["| microseconds | " + " | ".join(results) + " |", "|---" * (len(results) + 1) + "|"]
    for case in common:
        cells = []
        for cases in results.values():
            if case not in cases:
                cells.append("-")
                continue
            median = cases[case]["median"]
            ratio = "" if cases is common else f" ({median / common[case]['median']:.1f} x)"
            cells.append(f"{median:.{2 if median > 0.1 else 3}f}{ratio}")
        lines.append(f"| {case} | " + " | ".join(cells) + " |")
    for language, cases in results.items():
        for case in cases:
            if case not in common:
                cells = [f"{cases[case]['median']:.2f}" if l == language else "" for l in results]
                lines.append(f"| {language}: {case} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build" / "release")
    parser.add_argument("--swift", type=pathlib.Path,
                        default=HERE.parent / "build" / "bench-swift" / "release" / "bench")
    parser.add_argument("--rounds", type=int, default=101)
    parser.add_argument("--quick", action="store_true", help="that it works, not how fast")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--document", type=pathlib.Path)
    options = parser.parse_args()
    rounds = 3 if options.quick else max(options.rounds, 3)
    commands = {"C": [options.build.resolve() / "bench" / "bench_language"],
                "Python": [sys.executable, HERE / "python.py"]}
    if options.swift.exists():
        commands["Swift"] = [options.swift.resolve()]
    else:
        print(f"languages.py: without Swift: there is no {options.swift}", file=sys.stderr)
    simmetal = options.build.resolve() / "lib" / "simmetal" / "libsimmetal.so.0"
    workers = [Worker(language, command, simmetal) for language, command in commands.items()]
    for number in range(-1, rounds): # the first one warms up
        for worker in workers:
            worker.measure(number >= 0)
    for worker in workers:
        worker.end()

    results = {worker.language: {case: quartiles(times) for case, times in worker.times.items()}
               for worker in workers}
    reached = [(case, results["Python"][case]["median"]) for case in results["C"]
               if case.startswith("query")]
    facts = {"cpu": cpu(), "python": platform.python_version(), "rounds": rounds}
    if options.json:
        options.json.write_text(json.dumps({**facts, "results": results, "goal": GOAL}, indent=1)
                                + "\n", encoding="utf-8")
    text = (f"{facts['cpu']}, Python {facts['python']}, medians of {rounds} rounds.\n\n"
            f"{table(results)}\n\n| goal | reached | |\n|---|---|---|\n" + "".join(
                f"| {case}, from Python: at most {GOAL:.2f} us | {median:.2f} us | "
                f"{'pass' if median <= GOAL else 'MISS'} |\n" for case, median in reached))
    print(text, end="")
    if options.document:
        begin, end = "<!-- languages: begin -->\n", "<!-- languages: end -->\n"
        before, rest = options.document.read_text(encoding="utf-8").split(begin)
        options.document.write_text(before + begin + text + end + rest.split(end)[1],
                                    encoding="utf-8")


main()
