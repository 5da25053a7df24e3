"""llama.cpp's Metal backend and tinygrad's Metal runtime, unmodified and without libmtlcap, with the
injected library preloaded: under each variable, what they accept and dispatch is what they do on the
bare chip, or stock.

Usage: test_inject.py --client FILE --reference FILE --inject FILE --mtlcap FILE --tinygrad FOLDER
                      --simmetal FILE --work FOLDER

--reference: the client that applies profiles itself.
"""

import argparse
import functools
import json
import pathlib
import subprocess
import sys

from runs import (MACHINES, Checks, Failed, Llama, Tinygrad, environment, in_parallel,
                  support_difference, trace_difference)

# The variables of other tools, for a host of family 9.
OTHERS = ("LUME_METAL_APPLE_FAMILY_MAX", "TART_METAL_APPLE_FAMILY_MAX",
          "LUNCHPAIL_METAL_APPLE_FAMILY_MAX", "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX")

# Virtual machines, of those in runs.py: hosts of families 7 and 9.
VIRTUAL = ("paravirt", "paravirt-m3")

# On a host of family 7: variables under which everything is as on the bare chip, ...
APPLIED = {
    "only": {"MTLCAP_ONLY": "llama-server,llama-plain-*"},
    "strict": {"MTLCAP_STRICT": "1", "MTLCAP_REQUIRE": "apple>=7"},
    "children": {"MTLCAP_CHILDREN": "inherit"},
    "first": {"LUME_METAL_APPLE_FAMILY_MAX": "1009"},
    "lowered": {"MTLCAP_PROFILE": "apple=7"},
}

# ... and variables under which everything is stock, with what is said about it.
STOCK = {
    "nothing asked": ({"MTLCAP_PROFILE": ""}, ""),
    "disabled": ({"MTLCAP_DISABLE": "1"}, ""),
    "another program": ({"MTLCAP_ONLY": "llama-server"}, ""),
    "stock": ({"MTLCAP_PROFILE": "stock"}, ""),
    "refused": ({"MTLCAP_PROFILE": "apple.min=9"}, "not applied: hazard: "),
    "malformed": ({"MTLCAP_PROFILE": "apple.min=x"}, "not applied: parse: "),
    "bad allow": ({"MTLCAP_ALLOW": "everything"}, "not applied: "),
    "bad timing": ({"MTLCAP_TIMING": "soon"}, "not applied: environment: "),
    "lume, bad": ({"MTLCAP_PROFILE": "", "LUME_METAL_APPLE_FAMILY_MAX": "1009x"},
                  "not applied: environment: "),
    "tart, off": ({"MTLCAP_PROFILE": "", "TART_METAL_APPLE_FAMILY_MAX": "0"}, ""),
}

# Variables under which the client ends before it has a device: exit status, and what is said.
ENDED = {
    "strict, refused": ({"MTLCAP_STRICT": "1", "MTLCAP_PROFILE": "apple.min=9"}, 78,
                        "beyond-hardware"),
    "strict, malformed": ({"MTLCAP_STRICT": "1", "MTLCAP_PROFILE": "auto,"}, 78, "item"),
    "required": ({"MTLCAP_REQUIRE": "apple>=9"}, 70, "expected apple>=9, found 7"),
}


class Injected:
    """Runs with the library preloaded."""

    def __init__(self, options):
        self.options = options

    def variables(self, **variables):
        return {"LD_PRELOAD": self.options.inject, "MTLCAP_PROFILE": "auto", **variables}

    def __call__(self, machine, **variables):
        return functools.partial(Llama, self.options.client, self.options.work, machine,
                                 env=self.variables(**variables))


def start_runs(options):
    """All runs that the tests look at, by key."""
    bare = functools.partial(functools.partial, Llama, options.client, options.work)
    injected, runs = Injected(options), {}
    work = pathlib.Path(options.work)
    for machine in VIRTUAL:
        runs[machine, "bare"] = bare(MACHINES[machine][0])
        runs[machine, "auto"] = injected(machine)
    runs["stock"] = bare("paravirt")
    for name, variables in APPLIED.items():
        runs["applied", name] = injected("paravirt", **variables)
    for name, (variables, _) in STOCK.items():
        runs["stock", name] = injected("paravirt", **variables)
    runs["early"] = injected("paravirt", MTLCAP_TIMING="early",
                             MTLCAP_RECEIPT=str(work / "early.json"))
    for name in OTHERS:
        runs["other", name] = injected("paravirt-m3", MTLCAP_PROFILE="", **{name: "1009"})
    runs["lume on M1"] = injected("paravirt", MTLCAP_PROFILE="", LUME_METAL_APPLE_FAMILY_MAX="0x3f1",
                                  LUME_METAL_MAX_THREADGROUP_MEMORY="65536")
    runs["lume itself"] = functools.partial(
        Llama, options.reference, options.work, "paravirt", profile="lume",
        allow="beyond-hardware+threadgroup-memory")
    runs["receipt"] = injected("paravirt", MTLCAP_RECEIPT=str(work / "receipt.json"),
                               MTLCAP_LOG=f"info:{work / 'log.txt'}")
    runs["run"] = bare("paravirt", launcher=[
        options.mtlcap, "run", "-p", "auto", "--strict", "--require", "apple>=7", "--receipt",
        str(work / "run.json"), "--"])
    tinygrad = functools.partial(functools.partial, Tinygrad, options)
    runs["tinygrad", "stock"] = tinygrad("paravirt")
    runs["tinygrad", "bare"] = tinygrad("m1-ultra")
    for name in ("late", "early"):
        runs["tinygrad", name] = tinygrad("paravirt", env=injected.variables(
            MTLCAP_TIMING=name))
    return in_parallel(runs)


def same(check, what, run, other):
    """The same operations accepted, and the same dispatches in the same order."""
    check.same(f"{what}: accepts the same", run, other, support_difference)
    check.same(f"{what}: {run.dispatches} dispatches, the same", run, other, trace_difference)


def test_applied(check, runs):
    for machine in VIRTUAL:
        chip, family = MACHINES[machine]
        run = runs[machine, "auto"]
        check(f"{machine}: auto sees family {family}", run.family == family, run.log)
        same(check, f"{machine}: auto, as on {chip}", run, runs[machine, "bare"])
    for name in APPLIED:
        same(check, f"{name}: as on the bare chip", runs["applied", name], runs["paravirt", "bare"])
    for name in OTHERS:
        same(check, f"{name}=1009 on a host of family 9", runs["other", name],
             runs["paravirt-m3", "bare"])
    same(check, "Lume's variables, as the profile lume", runs["lume on M1"], runs["lume itself"])
    check("control: family 9 on a host of family 7 is not the bare chip",
          trace_difference(runs["lume on M1"], runs["paravirt", "bare"]))


def test_stock(check, runs):
    stock = runs["stock"]
    check("control: stock is not the bare chip",
          support_difference(stock, runs["paravirt", "bare"])
          and trace_difference(stock, runs["paravirt", "bare"]))
    for name, (_, said) in STOCK.items():
        run = runs["stock", name]
        same(check, f"{name}: stock", run, stock)
        check(f"{name}: {'says why' if said else 'says nothing'}",
              said in run.warnings if said else not run.warnings, run.warnings)


def test_ended(check, options):
    for name, (variables, status, said) in ENDED.items():
        done = subprocess.run(
            [options.client, "log"], capture_output=True, text=True, timeout=60,
            env=environment("paravirt", **Injected(options).variables(**variables)))
        check(f"{name}: ends with {status}, and says why",
              done.returncode == status and said in done.stderr and "GPU name" not in done.stdout,
              (done.returncode, done.stdout, done.stderr))


def test_hidden(check, options):
    done = subprocess.run(
        [options.client, "log"], capture_output=True, text=True, timeout=60,
        env=environment("paravirt", **Injected(options).variables(MTLCAP_PROFILE="hide")))
    check("hide: the backend finds no GPU", "GPU name" not in done.stdout + done.stderr,
          (done.stdout, done.stderr))


def test_told(check, options, runs):
    work = pathlib.Path(options.work)
    for name, file in (("receipt", "receipt.json"), ("run", "run.json")):
        same(check, f"{name}: as on the bare chip", runs[name], runs["paravirt", "bare"])
        receipt = json.loads((work / file).read_text())
        (device,) = receipt["devices"]
        apple = device["answers"]["apple"]
        check(f"{name}: the receipt tells what was done",
              (receipt["stage"], receipt["exiting"], apple["stock"], apple["effective"],
               apple["source"]) == ("applied", True, 5, 7, "Metal"), receipt)
        check(f"{name}: and that the client asked for families", "apple" in receipt["asked"],
              receipt["asked"])
    same(check, "early: as on the bare chip", runs["early"], runs["paravirt", "bare"])
    receipt = json.loads((work / "early.json").read_text())
    check("early: hooks went in while Metal made the device", receipt["early"], receipt)
    log = (work / "log.txt").read_text()
    check("the log has its line", 'applied profile="auto" devices=1 ' in log, log)


def test_tinygrad(check, runs):
    by = {name: runs["tinygrad", name] for name in ("stock", "bare", "late", "early")}
    check("tinygrad: stock is not the bare chip", by["stock"].everything != by["bare"].everything)
    for name in ("late", "early"):
        check(f"tinygrad, which opens Metal itself, {name}: all {len(by[name].sources)} shaders and "
              f"{len(by[name].dispatches)} dispatches as on the bare chip",
              by[name].everything == by["bare"].everything, by[name].everything)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--client", "--reference", "--inject", "--mtlcap", "--tinygrad", "--simmetal",
                   "--work"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)
    for file in ("receipt.json", "run.json", "early.json", "log.txt"):
        pathlib.Path(options.work, file).unlink(missing_ok=True)
    check = Checks()
    try:
        runs = start_runs(options)
    except Failed as failure:
        sys.exit(f"FAIL {failure}")
    test_applied(check, runs)
    test_stock(check, runs)
    test_ended(check, options)
    test_hidden(check, options)
    test_told(check, options, runs)
    test_tinygrad(check, runs)
    check.finish(len(runs))


main()
