"""What `mtlcap explain` says of llama.cpp and tinygrad, against what their real code does: on every
simulated machine, under every built-in profile that can be applied there, hazards allowed.

Usage: test_explain.py --mtlcap FILE --client FILE --tinygrad FOLDER --simmetal FILE --library FILE
                       --rules FOLDER --work FOLDER
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from runs import Checks, Failed, environment, in_parallel

# What llama.cpp's log says of a feature.
LOG = {
    "reductions": "simdgroup reduction",
    "matrices": "simdgroup matrix mul.",
    "bfloat": "has bfloat",
    "tensor": "has tensor",
    "shared-buffers": "use shared buffers",
}
# The features that decide which operations it accepts.
ACCEPTING = ("reductions", "matrices", "bfloat")

# What tinygrad/profiles.py says of one.
TINYGRAD = {"tensor-cores": "tensor_cores", "bfloat16": "bfloat16", "graph": "graph"}

# Machines on which a program gets no device from MTLCreateSystemDefaultDevice.
NO_DEVICE = {"none", "no-default-device"}


class Explain:
    """What `mtlcap explain` says, of each device under each profile."""

    def __init__(self, mtlcap, machine, client, allow, rules=None):
        command = [mtlcap, "explain", client, "--all-profiles", "--json", "--allow", allow]
        if rules:
            command += ["--rules", rules]
        result = subprocess.run(command, env=environment(machine), capture_output=True, text=True,
                                timeout=60)
        self.code = result.returncode
        self.devices = json.loads(result.stdout)["devices"] if self.code == 0 else []

    @property
    def profiles(self):
        return [row["profile"] for row in self.devices[0]["profiles"] if row["reason"] is None]

    @property
    def refused(self):
        return [row["profile"] for row in self.devices[0]["profiles"] if row["reason"] is not None]

    def features(self, name, profile):
        """On which features are, by the device's name."""
        for device in self.devices:
            if device["name"] == name:
                for row in device["profiles"]:
                    if row["profile"] == profile:
                        return row["features"]
        return None


class Llama:
    """llama.cpp's backend under a profile: what it logs, and with "support" what it accepts. That is
    kept as a digest; the rows themselves once."""

    rows = {}

    def __init__(self, client, machine, profile, allow, *commands):
        result = subprocess.run(
            [client, "--profile", profile, "--allow", allow, "log", *commands],
            env=environment(machine), capture_output=True, timeout=300)
        self.code = result.returncode
        prefix = b"ggml_metal_device_init: "
        lines = result.stdout.splitlines()
        self.log = dict(re.findall(r"^(.*?)\s*[=:]\s*(.*)$", "\n".join(
            line[len(prefix):].decode() for line in lines if line.startswith(prefix)), re.M))
        text = b"\n".join(line for line in lines if line.startswith(b'"'))
        self.accepts = hashlib.sha256(text).hexdigest()
        self.rows.setdefault(self.accepts, text.decode())

    @property
    def known_by(self):
        """What it took from the device, as far as the log shows it."""
        return tuple(sorted(self.log.items()))

    @property
    def device(self):
        match = re.fullmatch(r"MTL0 \((.*)\)", self.log.get("GPU name", ""))
        return match.group(1) if match else None

    @classmethod
    def accepted(cls, digest):
        """How many cases of each operation are accepted; of those on bfloat16, under "bf16"."""
        count = collections.Counter()
        for line in cls.rows[digest].splitlines():
            fields = re.findall(r'"((?:[^"]|"")*)"', line)
            _, operation, case, _, supported, *_ = fields
            if supported == "1":
                count[operation] += 1
                count["bf16"] += "bf16" in case
        return count


def tinygrad(options, machine, allow, profiles):
    """What tinygrad takes, by profile."""
    here = pathlib.Path(__file__).resolve().parent / "tinygrad"
    result = subprocess.run(
        [sys.executable, here / "profiles.py", options.simmetal, options.library, allow, *profiles],
        capture_output=True, text=True, timeout=300, env=environment(
            machine, TEST_SIMMETAL=options.simmetal, METAL_PATH=options.simmetal,
            MTLCOMPILER_PATH=options.simmetal, CACHELEVEL="0", PARALLEL="0",
            PYTHONPYCACHEPREFIX=options.work, XDG_CACHE_HOME=options.work,
            PYTHONPATH=os.pathsep.join([str(here), options.tinygrad])))
    if result.returncode:
        raise Failed(f"tinygrad on {machine}: {result.stderr.strip()}")
    return {row.pop("profile"): row for row in map(json.loads, result.stdout.splitlines())}


def names(mtlcap, topic, pattern):
    text = subprocess.run([mtlcap, "help", topic], env=environment("paravirt"), check=True,
                          capture_output=True, text=True).stdout
    return re.findall(pattern, text, re.MULTILINE)


def state(holds):
    return "on" if holds else "off"


def wrong_log(features, run):
    """The features of which the log says something else."""
    return [(name, features[name], run.log.get(key)) for name, key in LOG.items()
            if state(run.log.get(key) == "true") != features[name]]


def wrong_choice(features, taken):
    if "failed" in taken:
        return [("start", features["start"], taken["failed"])] * (features["start"] != "off")
    wrong = [(name, features[name], taken[key]) for name, key in TINYGRAD.items()
             if state(taken[key]) != features[name]]
    if "matrix_shaders" in taken and state(taken["matrix_shaders"]) != features["tensor-cores"]:
        wrong.append(("tensor-cores", features["tensor-cores"], "in the shaders"))
    return wrong + [("start", "off", "it has started")] * (features["start"] != "on")


def test_llama(check, options, machines, allow, operations):
    explained = in_parallel({machine: lambda machine=machine: Explain(
        options.mtlcap, machine, "llama.cpp", allow) for machine in machines})
    run = {(machine, profile): lambda machine=machine, profile=profile: Llama(
        options.client, machine, profile, allow)
        for machine in machines if explained[machine].code == 0
        for profile in explained[machine].profiles}
    runs = in_parallel(run)
    # What it accepts follows from what it took: once for each log of a machine.
    first = {}
    for (machine, profile), one in runs.items():
        first.setdefault((machine, one.known_by), profile)
    support = in_parallel({(machine, known_by): lambda machine=machine, profile=profile: Llama(
        options.client, machine, profile, allow, "support")
        for (machine, known_by), profile in first.items()})
    sets = collections.defaultdict(set)  # what is accepted, by the states that were foretold
    for machine in machines:
        explain = explained[machine]
        if machine in NO_DEVICE:
            check(f"llama.cpp on {machine}: no device, and nothing logged",
                  explain.code == 69 or not any(run.log for key, run in runs.items()
                                                if key[0] == machine), explain.code)
            continue
        wrong = []
        for profile in explain.profiles:
            run = runs[machine, profile]
            features = explain.features(run.device, profile)
            if run.code or features is None:
                wrong.append((profile, "exit", run.code, run.device))
                continue
            wrong += [(profile, *one) for one in wrong_log(features, run)]
            sets[tuple(features[name] for name in ACCEPTING)].add(
                support[machine, run.known_by].accepts)
        check(f"llama.cpp on {machine}: as foretold under {len(explain.profiles)} profiles",
              not wrong and len(explain.profiles) > 10, wrong[:3])
        check(f"llama.cpp on {machine}: none is left out but hide", explain.refused == ["hide"],
              explain.refused)
    check("llama.cpp: the same features, the same operations",
          all(len(accepted) == 1 for accepted in sets.values()), sets)
    check("llama.cpp: other features, other operations",
          len(set().union(*sets.values())) == len(sets) >= 4, sets)
    for states, accepted in sorted(sets.items()):
        count = Llama.accepted(next(iter(accepted)))
        for name, is_on in zip(ACCEPTING, states):
            wrong = [operation for operation in operations[name]
                     if (count[operation] > 0) != (is_on == "on")]
            check(f"llama.cpp, {dict(zip(ACCEPTING, states))}: the operations of {name} are {is_on}",
                  not wrong or name == "bfloat" and states[0] == "off", wrong)
    return len(runs) + len(support)


def test_threadgroup(check, options, allow):
    """Below what a feature needs, llama.cpp aborts."""
    for profile, goes_well in ("auto", True), ("auto,threadgroup_memory.max=16K", False):
        explained = subprocess.run(
            [options.mtlcap, "explain", "llama.cpp", "-p", profile, "--allow", allow, "--require",
             "threadgroup"], env=environment("paravirt"), capture_output=True, timeout=60)
        run = Llama(options.client, "paravirt", profile, allow, "encode")
        check(f"llama.cpp under {profile}: {'encodes' if goes_well else 'aborts'}, as foretold",
              (explained.returncode == 0) == goes_well == (run.code == 0),
              (explained.returncode, run.code))


def test_tinygrad(check, options, machines, allow):
    explained = in_parallel({machine: lambda machine=machine: Explain(
        options.mtlcap, machine, "tinygrad", allow) for machine in machines})
    with_device = [machine for machine in machines if machine not in NO_DEVICE]
    taken = in_parallel({machine: lambda machine=machine: tinygrad(
        options, machine, allow, explained[machine].profiles) for machine in with_device})
    for machine in with_device:
        explain, wrong = explained[machine], []
        # The default device is the last one of the machines that have several.
        name = explain.devices[-1 if machine == "intel-amd" else 0]["name"]
        for profile in explain.profiles:
            wrong += [(profile, *one) for one in wrong_choice(
                explain.features(name, profile), taken[machine][profile])]
        check(f"tinygrad on {machine}: as foretold under {len(explain.profiles)} profiles",
              not wrong and len(explain.profiles) > 10, wrong[:3])


def test_control(check, options, allow):
    """A rule that is wrong is found: each of these is, on one machine alone."""
    broken = {
        "llama.cpp.rules": ("needs = apple>=7 or metal>=3", "needs = apple>=8 or metal>=3"),
        "tinygrad.rules": ("needs = apple>=6", "needs = apple>=5"),
    }
    for file, (right, wrong) in broken.items():
        text = pathlib.Path(options.rules, file).read_text()
        assert text.count(right) >= 1, file
        path = pathlib.Path(options.work, file)
        path.write_text(text.replace(right, wrong, 1))
        client = file.removesuffix(".rules")
        explain = Explain(options.mtlcap, "paravirt", client, allow, path)
        if client == "llama.cpp":
            run = Llama(options.client, "paravirt", "auto", allow)
            found = wrong_log(explain.features(run.device, "auto"), run)
        else:
            taken = tinygrad(options, "paravirt", allow, ["stock"])["stock"]
            found = wrong_choice(explain.features("Apple Paravirtual device", "stock"), taken)
        check(f"control: {client} with '{wrong}' is not as foretold", len(found) == 1, found)


def rule_operations(mtlcap):
    """The operations of llama.cpp's features, as its rules name them."""
    result = subprocess.run([mtlcap, "explain", "llama.cpp", "--json"], env=environment("paravirt"),
                            check=True, capture_output=True, text=True).stdout
    features = json.loads(result)["devices"][0]["clients"][0]["features"]
    found = {feature["name"]: re.split(r",\s*", feature["operations"] or "") for feature in features}
    return {**found, "bfloat": ["bf16"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("mtlcap", "client", "tinygrad", "simmetal", "library", "rules", "work"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)
    machines = names(options.mtlcap, "machines", r"^  ([a-z0-9-]+)$")
    allow = "+".join(names(options.mtlcap, "hazards", r"^([a-z0-9-]+) \("))
    check = Checks()
    try:
        check("there are machines and hazards", len(machines) > 30 and allow.count("+") > 8,
              (machines, allow))
        runs = test_llama(check, options, machines, allow, rule_operations(options.mtlcap))
        test_threadgroup(check, options, allow)
        test_tinygrad(check, options, machines, allow)
        test_control(check, options, allow)
    except Failed as failure:
        sys.exit(f"FAIL {failure}")
    check.finish(runs)


main()
