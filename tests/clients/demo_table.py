"""What a profile changes for llama.cpp in a virtual machine, as a table for people.

Usage: demo_table.py --client FILE [--machine NAME]

Runs llama.cpp's own Metal backend on a simulated virtual machine: stock, under the profile `auto`,
and after restore; and on the bare chip of the same host. Exits with 1 if auto is not the bare chip
or restore not stock.
"""

import argparse
import functools
import sys
import tempfile

from runs import (BARE_ENVIRONMENT, MACHINES, Failed, Llama, in_parallel, support_difference,
                  trace_difference)

YES_NO = {"true": "yes", "false": "no"}


def rows(runs):
    """The table's lines: what is measured, and its value in each run."""
    bare = runs["bare chip"]
    measures = {
        "GPU family that llama.cpp sees": lambda run: f"Apple{run.family}",
        "SIMD-group reductions": lambda run: YES_NO[run.says("simdgroup reduction")],
        "SIMD-group matrix multiply": lambda run: YES_NO[run.says("simdgroup matrix mul.")],
        "bfloat16": lambda run: YES_NO[run.says("has bfloat")],
        f"operations accepted, of {len(bare.support):,}": lambda run: f"{run.accepted:,}",
        f"test graphs encoded, of {bare.all_graphs:,}": lambda run: f"{run.graphs:,}",
        "kernel dispatches": lambda run: f"{run.dispatches:,}",
        "dispatches that differ from the bare chip":
            lambda run: f"{len(trace_difference(run, bare)):,}",
    }
    return [("", *runs)] + [(what, *map(measure, runs.values()))
                            for what, measure in measures.items()]


def layout(table):
    widths = [max(map(len, column)) for column in zip(*table)]
    for number, row in enumerate(table):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width
                                            in zip(row[1:], widths[1:]))]
        yield "  ".join(cells)
        if number == 0:
            yield "  ".join("-" * width for width in widths)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--client", required=True)
    parser.add_argument("--machine", choices=MACHINES, default="paravirt")
    options = parser.parse_args()
    bare, _ = MACHINES[options.machine]
    with tempfile.TemporaryDirectory() as work:
        run = functools.partial(functools.partial, Llama, options.client, work)
        print(f"llama.cpp's Metal backend on {options.machine} and on {bare} ...", file=sys.stderr)
        try:
            runs = in_parallel({
                "stock": run(options.machine),
                "auto": run(options.machine, profile="auto"),
                "after restore": run(options.machine, profile="auto", restore=True),
                "bare chip": run(bare, env=BARE_ENVIRONMENT.get(bare)),
            })
        except Failed as failure:
            sys.exit(f"demo_table.py: {failure}")
    print("\n".join(layout(rows(runs))))
    stock, auto, restored, metal = runs.values()
    if support_difference(auto, metal) or trace_difference(auto, metal):
        sys.exit("demo_table.py: under auto it is not as on the bare chip")
    if support_difference(restored, stock) or trace_difference(restored, stock):
        sys.exit("demo_table.py: after restore it is not as before")


main()
