"""llama.cpp's Metal backend, unmodified: what it logs, which operations it accepts, and which
kernels it dispatches, on simulated virtual machines, under profiles, and on the bare chips.

Usage: test_llama.py --client FILE --foreign-hook FILE --work FOLDER
                     [--document FILE [--write]]

The table of differences must be the one in the document, between its markers; --write puts it
there.
"""

import argparse
import functools
import pathlib
import re
import subprocess
import sys

from runs import (BARE_ENVIRONMENT, MACHINES, Checks, Failed, Llama, environment, in_parallel,
                  support_difference, trace_difference)

# What the backend logged in a real VM on an M1 Ultra (github.com/trycua/cua,
# evidence/lume-metal-capability-shim/2026-08-09-m1-ultra), as far as the device decides it: stock
# (tiny-stock-minimal.stderr) and under the published shim (tiny-safe-shim-10x-final.stderr). That
# build also printed MTLGPUFamilyCommon3, which this one asks on Intel Macs only.
EVIDENCE_STOCK = """\
GPU name:   MTL0 (Apple Paravirtual device)
GPU family: MTLGPUFamilyApple5  (1005)
simdgroup reduction   = false
simdgroup matrix mul. = false
has unified memory    = true
has bfloat            = false
has tensor            = false
use residency sets    = true
use shared buffers    = true
recommendedMaxWorkingSetSize  = 11453.25 MB
""".splitlines()
EVIDENCE_LUME = """\
GPU name:   MTL0 (Apple Paravirtual device)
GPU family: MTLGPUFamilyApple9  (1009)
simdgroup reduction   = true
simdgroup matrix mul. = true
has unified memory    = true
has bfloat            = true
has tensor            = false
use residency sets    = true
use shared buffers    = true
recommendedMaxWorkingSetSize  = 11453.25 MB
""".splitlines()
NO_TENSOR = "tensor API disabled for pre-M5 and pre-A19 devices"

# What a bare chip's log and that of a VM under `auto` have in common: name, memory and the Metal
# axis stay the VM's.
SHARED = re.compile(r"^(GPU family: MTLGPUFamilyApple|simdgroup|has unified|has bfloat|use )")

# The table: profile, hazards that it needs, on paravirt-m3 (a host of family 9).
TABLE = [
    ("stock", None),
    ("apple.min=6", None),
    ("metal.min=3", "metal"),
    ("apple.min=7", None),
    ("apple.min=8", None),
    ("apple.min=9", None),
    ("apple.min=10", "beyond-hardware"),
]


def live_families(options):
    """What the backend sees under `auto`, and then, in the same process, after restore."""
    result = subprocess.run(
        [options.client, "--profile", "auto", "live"], env=environment("paravirt"),
        capture_output=True, text=True, check=True, timeout=60)
    return result.stdout.splitlines()


def start_runs(options):
    """All runs that the tests look at, by key."""
    run = functools.partial(functools.partial, Llama, options.client, options.work)
    hook = {"LD_PRELOAD": options.foreign_hook}
    runs = {}
    for machine, (bare, _) in MACHINES.items():
        runs[machine, "stock"] = run(machine)
        runs[machine, "auto"] = run(machine, profile="auto")
        runs[machine, "restored"] = run(machine, profile="auto", restore=True)
        runs[machine, "bare"] = run(bare, env=BARE_ENVIRONMENT.get(bare))
    runs["lume"] = run("paravirt", profile="lume", allow="beyond-hardware+threadgroup-memory")
    for profile, allow in TABLE:
        runs["table", profile] = run("paravirt-m3", profile=profile, allow=allow)
    runs["tensor"] = run("m5-max")
    runs["lowered"] = run("m3-pro", profile="apple.max=5,metal=off")
    runs["off by one"] = run("paravirt", profile="apple.min=8", allow="beyond-hardware")
    runs["wrong class"] = run("paravirt", env={**hook, "FOREIGN_HOOK": "AGXG13XDevice=1007"})
    runs["polluted"] = run("paravirt", env={**hook, "FOREIGN_HOOK": "AppleParavirtDevice=1006"})
    runs["live"] = functools.partial(live_families, options)
    runs["stock, again"] = run("paravirt", profile="stock")
    return in_parallel(runs)


def test_logs(check, runs):
    stock, lume = runs["paravirt", "stock"], runs["lume"]
    check("paravirt: the stock log is the published one", stock.log == [NO_TENSOR, *EVIDENCE_STOCK],
          stock.log)
    check("paravirt: the log under lume is the published one",
          lume.log == [NO_TENSOR, *EVIDENCE_LUME], lume.log)
    for machine, (bare, family) in MACHINES.items():
        by = {kind: runs[machine, kind] for kind in ("stock", "auto", "restored", "bare")}
        check(f"{machine}: stock sees family 5 and takes no fast kernels",
              (by["stock"].family, by["stock"].says("simdgroup reduction"),
               by["stock"].says("simdgroup matrix mul."), by["stock"].says("has bfloat"))
              == (5, "false", "false", "false"), by["stock"].log)
        check(f"{machine}: auto sees the host's family {family}", by["auto"].family == family,
              by["auto"].family)
        auto, metal = ([line for line in by[kind].log if SHARED.match(line)]
                       for kind in ("auto", "bare"))
        check(f"{machine}: the log under auto is that of {bare}", auto == metal, (auto, metal))
        same = "recommendedMaxWorkingSetSize"
        check(f"{machine}: auto leaves the working set", by["auto"].says(same) ==
              by["stock"].says(same) is not None, by["auto"].says(same))
        check(f"{machine}: the log after restore is the stock one",
              by["restored"].log == by["stock"].log, by["restored"].log)


def test_operations(check, runs):
    for machine, (bare, _) in MACHINES.items():
        stock, auto, restored, metal = (
            runs[machine, kind] for kind in ("stock", "auto", "restored", "bare"))
        check(f"{machine}: auto accepts more than stock",
              0 < stock.accepted < auto.accepted < len(auto.support),
              (stock.accepted, auto.accepted))
        check.same(f"{machine}: auto accepts what {bare} accepts, row for row",
                   auto, metal, support_difference)
        check.same(f"{machine}: after restore as stock", restored, stock, support_difference)


def test_dispatches(check, runs):
    for machine, (bare, _) in MACHINES.items():
        stock, auto, restored, metal = (
            runs[machine, kind] for kind in ("stock", "auto", "restored", "bare"))
        check.same(f"{machine}: {auto.dispatches} dispatches under auto, all as on {bare}",
                   auto, metal, trace_difference)
        check(f"{machine}: as many graphs", auto.graphs == metal.graphs > stock.graphs > 0,
              (auto.graphs, metal.graphs, stock.graphs))
        check.same(f"{machine}: after restore as stock", restored, stock, trace_difference)
    check("m5-max: its tensor path is on unless it is disabled",
          runs["tensor"].says("has tensor") == "true"
          and runs["paravirt-m5", "bare"].says("has tensor") == "false")


def test_controls(check, runs):
    """The comparisons above can fail: each of these must."""
    stock, bare = runs["paravirt", "stock"], runs["paravirt", "bare"]
    check("control: a family off by one accepts the same, but dispatches otherwise",
          not support_difference(runs["off by one"], bare)
          and trace_difference(runs["off by one"], bare))
    check("control: a hook on the wrong class does not do",
          support_difference(runs["wrong class"], bare)
          and not support_difference(runs["wrong class"], stock))
    check("control: a stock answer that another library has changed is not stock",
          support_difference(runs["polluted"], stock) and trace_difference(runs["polluted"], stock)
          and runs["polluted"].log != stock.log)
    check.same("control: two runs of the same are the same",
               runs["stock, again"], stock, trace_difference)


def test_lowering(check, runs):
    lowered, stock = runs["lowered"], runs["paravirt", "stock"]
    check("lowering: m3-pro under apple.max=5,metal=off sees family 5", lowered.family == 5,
          lowered.log)
    check.same("lowering: it accepts what a family 5 device accepts", lowered, stock,
               support_difference)
    check.same("lowering: it dispatches what a family 5 device dispatches", lowered, stock,
               trace_difference)


def table(runs):
    """The differences from bare m3-pro, by what is claimed on a host of family 9, as Markdown."""
    bare = runs["paravirt-m3", "bare"]
    rows = [("profile", "operations accepted", "graphs encoded", "dispatches",
             "dispatches that differ"), ("---", "---:", "---:", "---:", "---:")]
    for name, run in [*((f"`{profile}`", runs["table", profile]) for profile, _ in TABLE),
                      ("bare M3 Pro", bare)]:
        rows.append((name, f"{run.accepted:,}", f"{run.graphs:,}", f"{run.dispatches:,}",
                     f"{len(trace_difference(run, bare)):,}"))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def test_live(check, runs):
    check("one process: family 7 under auto, 5 after restore",
          runs["live"] == ["now 7", "after restore 5"], runs["live"])


def test_table(check, runs):
    bare = runs["paravirt-m3", "bare"]
    differ = {profile: len(trace_difference(runs["table", profile], bare)) for profile, _ in TABLE}
    others = [count for profile, count in differ.items() if profile != "apple.min=9"]
    check("table: only the host's own family is the bare chip",
          differ["apple.min=9"] == 0 < min(others), differ)


def with_table(document, text):
    """A document with the table between its markers."""
    begin, end = "<!-- table: begin -->\n", "<!-- table: end -->\n"
    before, rest = document.split(begin)
    return before + begin + text + "\n" + end + rest.split(end)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--client", required=True)
    parser.add_argument("--foreign-hook", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--document", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    check = Checks()
    try:
        runs = start_runs(options)
    except Failed as failure:
        sys.exit(f"FAIL {failure}")
    for test in (test_logs, test_operations, test_dispatches, test_controls, test_lowering,
                 test_live, test_table):
        test(check, runs)
    print(f"\n{len(runs['paravirt', 'stock'].support):,} operations, claimed on a host of family 9"
          f" (`metal.min=3`: Metal3 alone):\n{table(runs)}\n")
    if options.document:
        old = options.document.read_text()
        new = with_table(old, table(runs))
        if options.write:
            options.document.write_text(new)
        else:
            check(f"{options.document.name} has this table", new == old, "run with --write")
    check.finish(len(runs))


main()
