"""Runs of the client programs on simulated machines, and comparisons between them."""

import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

# What a user's shell may have set, and what must not decide a test.
FOREIGN = re.compile(r"^(MTLCAP|SIMMETAL|GGML|LLAMA|LUME|TART|LUNCHPAIL|VEERTU|METAL|MTL|LD_PRELOAD)")

# Each virtual machine, its host's chip as bare metal, and that chip's Apple family.
MACHINES = {
    "paravirt": ("m1-ultra", 7),
    "paravirt-m2": ("m2", 8),
    "paravirt-m3": ("m3-pro", 9),
    "paravirt-m4": ("m4-max", 9),
    "paravirt-m5": ("m5-max", 10),
}

# An M5's tensor path needs the real device's name and Metal4, which stay the VM's: such a bare chip
# is compared without it.
BARE_ENVIRONMENT = {"m5-max": {"GGML_METAL_TENSOR_DISABLE": "1"}}


class Failed(Exception):
    """A client that did not end as it should."""


def environment(machine, **extra):
    """The environment for a client on a machine: nothing of the caller's that could matter."""
    result = {key: value for key, value in os.environ.items() if not FOREIGN.match(key)}
    result["SIMMETAL_DEVICES"] = machine
    result.update(extra)
    return result


class Llama:
    """One process of llama-metal-client: what it logged, accepted and encoded. `launcher`: a command
    that starts it."""

    def __init__(self, client, folder, machine, profile=None, allow=None, restore=False, env=None,
                 launcher=()):
        self.name = " ".join(filter(None, [
            machine, profile, "restored" if restore else None,
            *(pathlib.Path(word).name for word in launcher),
            *(f"{key}={pathlib.Path(value).name}" for key, value in (env or {}).items())]))
        self.folder = pathlib.Path(folder, re.sub(r"[^\w.=-]+", "_", self.name))
        self.folder.mkdir(parents=True, exist_ok=True)
        trace = self.folder / "trace.txt"
        trace.unlink(missing_ok=True)
        command = [*launcher, str(client)]
        if profile:
            command += ["--profile", profile]
        if allow:
            command += ["--allow", allow]
        if restore:
            command += ["--restore"]
        command += ["--output", str(self.folder), "log", "support", "encode"]
        result = subprocess.run(
            command, env=environment(machine, SIMMETAL_TRACE=str(trace), **(env or {})),
            capture_output=True, text=True, timeout=300)
        if result.returncode:
            raise Failed(f"{self.name}: exit {result.returncode}: {result.stderr.strip()}")
        self.warnings = result.stderr
        self.log = self._read_log()
        self.support = self._read_support()
        _, graphs, _, all_graphs = (self.folder / "encode.txt").read_text().split()
        self.graphs, self.all_graphs = int(graphs), int(all_graphs)
        self.cases = self._read_trace(trace)

    def _read_log(self):
        """The device's lines of the log, without their prefix."""
        prefix = "ggml_metal_device_init: "
        lines = (self.folder / "log.txt").read_text().splitlines()
        return [line[len(prefix):] for line in lines if line.startswith(prefix)]

    def _read_support(self):
        """Each test case, and whether the backend accepts it."""
        with open(self.folder / "support.txt", newline="") as file:
            lines = [line for line in file if line.startswith('"')]
        rows = [(row["op_name"], row["op_params"], row["supported"])
                for row in csv.DictReader(lines)]
        assert rows and {row[2] for row in rows} <= {"0", "1"}, "support.txt is not what it was"
        return rows

    @staticmethod
    def _read_trace(path):
        """Each encoded test case, and its dispatches in order."""
        cases, current = {}, None
        for line in path.read_text().splitlines():
            if line.startswith("case "):
                current = cases.setdefault(line, [])
            elif current is not None:
                current.append(line)
        return cases

    @property
    def accepted(self):
        return sum(row[2] == "1" for row in self.support)

    @property
    def dispatches(self):
        return sum(map(len, self.cases.values()))

    def says(self, key):
        """What the log says behind "key =" or "key:", or None."""
        match = re.search(rf"^{re.escape(key)}\s*[=:] *(.*)$", "\n".join(self.log), re.MULTILINE)
        return match.group(1).strip() if match else None

    @property
    def family(self):
        match = re.search(r"MTLGPUFamilyApple(\d+)", "\n".join(self.log))
        return int(match.group(1)) if match else None


class Tinygrad:
    """One process of tinygrad/client.py: what tinygrad saw, and the shaders that it wrote."""

    def __init__(self, options, machine, profile=None, allow="", restore=False, env=None):
        here = pathlib.Path(__file__).resolve().parent / "tinygrad"
        self.name = " ".join(filter(None, [
            machine, profile, "restored" if restore else None,
            *(f"{key}={pathlib.Path(value).name}" for key, value in (env or {}).items())]))
        folder = pathlib.Path(options.work, re.sub(r"[^\w.=-]+", "_", self.name))
        folder.mkdir(parents=True, exist_ok=True)
        trace = folder / "trace.txt"
        trace.unlink(missing_ok=True)
        command = [sys.executable, str(here / "client.py"), options.simmetal, options.mtlcap]
        if profile:
            command += [profile, allow] + ["restore"] * restore
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment(
            machine, TEST_SIMMETAL=options.simmetal, METAL_PATH=options.simmetal,
            MTLCOMPILER_PATH=options.simmetal, SIMMETAL_TRACE=str(trace), CACHELEVEL="0",
            PARALLEL="0", PYTHONPYCACHEPREFIX=options.work, XDG_CACHE_HOME=str(folder),
            PYTHONPATH=os.pathsep.join([str(here), options.tinygrad]), **(env or {})))
        if result.returncode:
            raise Failed(f"{self.name}: exit {result.returncode}: {result.stderr.strip()}")
        seen = json.loads(result.stdout)
        self.arch, self.tensor_cores = seen["arch"], seen["tensor_cores"]
        self.bfloat16, self.sources = seen["bfloat16"], seen["sources"]
        self.dispatches = trace.read_text().splitlines()

    @property
    def everything(self):
        return (self.arch, self.tensor_cores, self.bfloat16, self.sources, self.dispatches)


class Checks:
    """Counts what holds and what does not, and prints it."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, what, holds, detail=""):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        print(f"{'ok  ' if holds else 'FAIL'} {what}{'' if holds else f': {detail}'}", flush=True)

    def same(self, what, a, b, difference):
        different = difference(a, b)
        self(what, not different, f"{len(different)} differ, first: {different[:1]}")

    def finish(self, runs):
        print(f"{self.passed} checks passed, {self.failed} failed, {runs} runs")
        sys.exit(self.failed > 0)


def support_difference(a, b):
    """The rows in which two runs differ: the same cases in the same order, so by position."""
    if len(a.support) != len(b.support):
        return a.support + b.support
    return [(x, y) for x, y in zip(a.support, b.support) if x != y]


def trace_difference(a, b):
    """The dispatches that only one of two runs has, and those in another order in the same case."""
    result = []
    for case in {**a.cases, **b.cases}:
        x, y = a.cases.get(case, []), b.cases.get(case, [])
        if x == y:
            continue
        only_x = collections.Counter(x) - collections.Counter(y)
        only_y = collections.Counter(y) - collections.Counter(x)
        result += [(case, "-", line) for line in only_x.elements()]
        result += [(case, "+", line) for line in only_y.elements()]
        if not only_x and not only_y:
            result.append((case, "order", x[0]))
    return result


def in_parallel(functions):
    """Calls each function, as many at a time as there are processors; results by key."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        futures = {key: pool.submit(function) for key, function in functions.items()}
        return {key: future.result() for key, future in futures.items()}
