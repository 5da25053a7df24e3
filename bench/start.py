"""What a library that is inserted into a program costs when the program starts. See README.md.

Usage: start.py --programs FOLDER --inject FILE [--rounds N] [--quick] [--json FILE]
                [--document FILE]

FOLDER has what bench/CMakeLists.txt builds: start_plain, start_metal, libstart_*.so. --document puts
the results between their markers there.
"""

import argparse
import collections
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# Name, library, variables, the answer that a program on the simulated VM then gets.
CASES = (
    ("no library", None, {}, "0"),
    ("mtlcap, no profile", "inject", {}, "0"),
    ("mtlcap, auto", "inject", {"MTLCAP_PROFILE": "auto"}, "1"),
    ("mtlcap, auto, early", "inject", {"MTLCAP_PROFILE": "auto", "MTLCAP_TIMING": "early"}, "1"),
    ("Lume-style, no family", "lume", {}, "0"),
    ("Lume-style, 1007", "lume", {"LUME_METAL_APPLE_FAMILY_MAX": "1007"}, "1"),
)
PROGRAMS = ("start_plain", "start_metal")

# The constructors, by the names that callgrind sees.
CONSTRUCTORS = {"inject": "mtlcap__load", "lume": "lume_load"}

# Microseconds that a constructor's own work may take.
GOALS = {"mtlcap, no profile": 20, "mtlcap, auto": 100}

FOREIGN = re.compile(r"^(MTLCAP|SIMMETAL|LUME|TART|LUNCHPAIL|VEERTU)_|^LD_")


class Bench:
    def __init__(self, options):
        self.programs = options.programs.resolve()
        self.files = {"inject": options.inject.resolve(),
                      "lume": self.programs / "libstart_lume.so"}
        self.clocks = [self.programs / f"libstart_clock_{end}.so" for end in ("ends", "begins")]
        self.valgrind = shutil.which("valgrind")

    def environment(self, case, preload=()):
        _, library, variables, _ = case
        result = {k: v for k, v in os.environ.items() if not FOREIGN.match(k)}
        result.update(variables, SIMMETAL_DEVICES="paravirt")
        libraries = [*preload[:1], *([self.files[library]] if library else []), *preload[1:]]
        if libraries:
            result["LD_PRELOAD"] = ":".join(map(str, libraries))
        return result

    def check(self, case):
        """A case is worth nothing if the library does not do what it is about."""
        done = subprocess.run([self.programs / "start_metal"], env=self.environment(case),
                              capture_output=True, text=True, timeout=60)
        if done.returncode or done.stdout != f"{case[3]}\n" or done.stderr:
            sys.exit(f"start.py: {case[0]}: exit {done.returncode}, '{done.stdout.strip()}' in the "
                     f"place of {case[3]}: {done.stderr}")

    def wall(self, case, program):
        """Microseconds from the start of a process to its end."""
        path, environment = str(self.programs / program), self.environment(case)
        null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        start = time.perf_counter()
        pid = os.posix_spawn(path, [path], environment, file_actions=null)
        _, status = os.waitpid(pid, 0)
        seconds = time.perf_counter() - start
        if status:
            sys.exit(f"start.py: {case[0]}: {program} ended with {status}")
        return seconds * 1e6

    def constructor(self, case):
        """Microseconds and page faults from the constructor before to the one after, in
        start_plain."""
        reader, writer = os.pipe()
        environment = self.environment(case, self.clocks)
        environment["START_CLOCK"] = str(writer)
        subprocess.run([self.programs / "start_plain"], env=environment, pass_fds=[writer],
                       check=True, timeout=60)
        os.close(writer)
        with open(reader, encoding="ascii") as file:
            nanoseconds, faults = map(int, file.read().split())
        if nanoseconds < 0:
            sys.exit("start.py: the clocks are not started in the order that is expected")
        return nanoseconds / 1e3, faults

    def instructions(self, case, program, function=None):
        """Instructions of a process, or those in a function and in what it calls."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.valgrind, "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
            if function:
                command.append(f"--toggle-collect={function}")
            environment = self.environment(case)
            if case[2]: # valgrind's own processes come first, and are to be left alone
                environment["MTLCAP_ONLY"] = program
            done = subprocess.run([*command, str(self.programs / program)], env=environment,
                                  capture_output=True, text=True, timeout=300)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not found:
            sys.exit(f"start.py: valgrind: {case[0]}: {done.stderr[-500:]}")
        return int(found.group(1))


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return {"median": round(middle, 2), "quartiles": [round(low, 2), round(high, 2)]}


def measure(bench, rounds, quick):
    """All cases in turn in each round, so that what disturbs one disturbs all."""
    times, faults = collections.defaultdict(list), collections.defaultdict(list)
    for case in CASES:
        bench.check(case)
    for number in range(-1, rounds): # the first one warms up
        for case in CASES:
            taken = {program: bench.wall(case, program) for program in PROGRAMS}
            taken["constructor"], fault_count = bench.constructor(case)
            if number < 0:
                continue
            faults[case[0]].append(fault_count)
            for what, value in taken.items():
                times[case[0], what].append(value)
    results = []
    for case in CASES:
        result = {"case": case[0]}
        for what in (*PROGRAMS, "constructor"):
            result[what] = {"microseconds": quartiles(times[case[0], what])}
        result["constructor"]["page_faults"] = statistics.median_low(faults[case[0]])
        if bench.valgrind:
            for program in PROGRAMS[:1] if quick else PROGRAMS:
                result[program]["instructions"] = bench.instructions(case, program)
            if case[1]:
                result["constructor"]["instructions"] = bench.instructions(
                    case, "start_plain", CONSTRUCTORS[case[1]])
        results.append(result)
    return results


def machine():
    model = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release(),
            "libc": " ".join(platform.libc_ver())}


def cell(result, base, what):
    time_taken = result["microseconds"]["median"]
    text = f"{time_taken:,.1f} us"
    if base is not result:
        text += f" ({time_taken / base['microseconds']['median']:.2f} x)"
    if "instructions" in result:
        text += f", {result['instructions']:,}"
        if base is not result:
            text += f" ({result['instructions'] / base['instructions']:.2f} x)"
    return text


def table(results):
    """As Markdown: time, instructions, and both as ratios to no library."""
    base = results[0]
    empty = base["constructor"]["microseconds"]["median"] # of the clocks themselves
    lines = ["| case | never uses Metal | asks Metal | constructor itself |", "|---|---|---|---|"]
    for result in results:
        own = "-"
        if result is not base:
            constructor = result["constructor"]
            own = f"{constructor['microseconds']['median'] - empty:,.1f} us"
            if "instructions" in constructor:
                own += f", {constructor['instructions']:,}"
            own += f", {constructor['page_faults'] - base['constructor']['page_faults']} page faults"
        lines.append("| " + " | ".join(
            [result["case"], *(cell(result[name], base[name], name) for name in PROGRAMS), own])
            + " |")
    return "\n".join(lines)


def goals(results):
    empty = results[0]["constructor"]["microseconds"]["median"]
    by_name = {result["case"]: result for result in results}
    return [{"what": f"constructor: {name}", "unit": "us", "at_most": most,
             "reached": round(by_name[name]["constructor"]["microseconds"]["median"] - empty, 2)}
            for name, most in GOALS.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--inject", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=301)
    parser.add_argument("--quick", action="store_true", help="that it works, not how fast")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--document", type=pathlib.Path)
    options = parser.parse_args()
    bench = Bench(options)
    rounds = 3 if options.quick else max(options.rounds, 3)
    results = measure(bench, rounds, options.quick)
    reached = goals(results)
    facts = machine()
    if options.json:
        options.json.write_text(json.dumps({"machine": facts, "rounds": rounds,
                                            "results": results, "goals": reached}, indent=1) + "\n",
                                encoding="utf-8")
    text = (f"{facts['cpu']}, {facts['cores']} cores, Linux {facts['kernel']}, {facts['libc']}; "
            f"medians of {rounds} rounds"
            f"{'' if bench.valgrind else '; valgrind is not installed: no instructions'}.\n\n"
            f"{table(results)}\n\n| goal | reached | |\n|---|---|---|\n" + "".join(
                f"| {goal['what']}: at most {goal['at_most']} us | {goal['reached']} us | "
                f"{'pass' if goal['reached'] <= goal['at_most'] else 'MISS'} |\n"
                for goal in reached))
    print(text, end="")
    if options.document:
        begin, end = "<!-- start: begin -->\n", "<!-- start: end -->\n"
        before, rest = options.document.read_text(encoding="utf-8").split(begin)
        options.document.write_text(before + begin + text + end + rest.split(end)[1],
                                    encoding="utf-8")


main()
