"""tinygrad's Metal runtime, unmodified, through ctypes: which GPU it sees and which shaders it writes,
on simulated virtual machines, under profiles, and on the bare chips.

Usage: test_tinygrad.py --tinygrad FOLDER --simmetal FILE --mtlcap FILE --work FOLDER
"""

import argparse
import functools
import sys

from runs import MACHINES, Checks, Failed, Tinygrad, in_parallel

# The newest family in tinygrad's table of them.
NEWEST = 9


def start_runs(options):
    run = functools.partial(functools.partial, Tinygrad, options)
    runs = {}
    for machine, (bare, _) in MACHINES.items():
        runs[machine, "stock"] = run(machine)
        runs[machine, "auto"] = run(machine, profile="auto")
        runs[machine, "restored"] = run(machine, profile="auto", restore=True)
        runs[machine, "bare"] = run(bare)
    runs["6"] = run("paravirt", profile="apple.min=6")
    runs["lowered"] = run("m3-pro", profile="apple.max=5,metal=off")
    return in_parallel(runs)


def matrix_shaders(run):
    return sum("simdgroup_multiply_accumulate" in source for source in run.sources)


def test_machine(check, machine, stock, auto, restored, bare):
    family = f"Apple{min(MACHINES[machine][1], NEWEST)}"
    check(f"{machine}: stock is Apple5, no tensor cores, no bfloat16",
          (stock.arch, stock.tensor_cores, stock.bfloat16, matrix_shaders(stock))
          == ("Apple5", 0, False, 0), stock.everything)
    check(f"{machine}: auto is {family}, with tensor cores and bfloat16",
          auto.arch == family and auto.tensor_cores > 0 and auto.bfloat16
          and matrix_shaders(auto) > 0, auto.everything)
    check(f"{machine}: all {len(auto.sources)} shaders and {len(auto.dispatches)} dispatches under "
          f"auto as on {bare.name}", auto.everything == bare.everything, auto.everything)
    check(f"{machine}: after restore as stock", restored.everything == stock.everything,
          restored.everything)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--tinygrad", "--simmetal", "--mtlcap", "--work"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    check = Checks()
    try:
        runs = start_runs(options)
    except Failed as failure:
        sys.exit(f"FAIL {failure}")
    for machine in MACHINES:
        test_machine(check, machine, *(runs[machine, kind]
                                       for kind in ("stock", "auto", "restored", "bare")))
    check("control: under apple.min=6 bfloat16, and still no tensor cores",
          (runs["6"].arch, runs["6"].tensor_cores, runs["6"].bfloat16) == ("Apple6", 0, True),
          runs["6"].everything)
    check("control: the shaders of a stock VM are not those of its host",
          runs["paravirt", "stock"].sources != runs["paravirt", "bare"].sources)
    check("lowering: m3-pro under apple.max=5,metal=off as a family 5 device",
          runs["lowered"].everything == runs["paravirt", "stock"].everything,
          runs["lowered"].everything)
    check.finish(len(runs))


main()
