"""Runs llama.cpp's Metal backend on a simulated virtual machine: as it is, by `mtlcap run -p auto`, with
a call of libmtlcap in the program, and after a restore; and on the bare chip of the same host. Prints
what it did, side by side.

Usage: demo.py PLAIN LINKED MTLCAP FOLDER (llama-plain-client, llama-metal-client, which has libmtlcap,
the mtlcap command, and where runs may write)
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "clients"))

from runs import Failed, Llama, in_parallel, support_difference, trace_difference  # noqa: E402

MACHINE, BARE = "paravirt", "m1-ultra"

# What language models spend their time in.
OPERATIONS = [
    ("matrix multiplications", {"MUL_MAT", "MUL_MAT_ID"}),
    ("attention", {"FLASH_ATTN_EXT"}),
    ("norms and softmax", {"NORM", "RMS_NORM", "L2_NORM", "SOFT_MAX"}),
    ("in all (others not listed)", None),
]


def chosen(run, names):
    return [row for row in run.support if not names or row[0] in names]


def accepted(run, names):
    return f"{sum(row[2] == '1' for row in chosen(run, names)):,}"


def yes(run, key):
    return {"true": "yes", "false": "no"}[run.says(key)]


def print_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for number, row in enumerate(rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  " + "   ".join([row[0].ljust(widths[0]), *cells]).rstrip())
        if number == 0:
            print("  " + "-" * (sum(widths) + 3 * (len(widths) - 1)))


def main():
    plain, linked, mtlcap, folder = sys.argv[1:]
    receipt = pathlib.Path(folder, "receipt.json")
    launcher = [mtlcap, "run", "-p", "auto", "--strict", "--receipt", str(receipt), "--"]
    try:
        runs = in_parallel({
            "stock": lambda: Llama(plain, folder, MACHINE),
            "run": lambda: Llama(plain, folder, MACHINE, launcher=launcher),
            "linked": lambda: Llama(linked, folder, MACHINE, profile="auto"),
            "restored": lambda: Llama(linked, folder, MACHINE, profile="auto", restore=True),
            "bare metal": lambda: Llama(plain, folder, BARE),
        })
    except Failed as failure:
        sys.exit(f"demo: {failure}")
    stock, run, linked, restored, bare = runs.values()

    def row(title, cell):
        return (title, *map(cell, runs.values()))

    rows = [
        ("", *runs),
        row("GPU family", lambda run: f"Apple{run.family}"),
        row("fast sums", lambda run: yes(run, "simdgroup reduction")),
        row("fast matrix kernels", lambda run: yes(run, "simdgroup matrix mul.")),
        row("bfloat16", lambda run: yes(run, "has bfloat")),
        ("llama.cpp's test cases on the GPU:", *("" for _ in runs)),
        *(row(f"  of {len(chosen(stock, names)):,} {title}", lambda run: accepted(run, names))
          for title, names in OPERATIONS),
        row("kernels dispatched for them", lambda run: f"{run.dispatches:,}"),
        row("  that differ from bare metal", lambda run: f"{len(trace_difference(run, bare)):,}"),
    ]

    print("llama.cpp's own Metal backend on the GPU of a macOS VM (simulated; host: M1 Ultra)\n")
    print_table(rows)

    same_as_bare = not any(support_difference(raised, bare) or trace_difference(raised, bare)
                           for raised in (run, linked))
    same_as_stock = not support_difference(restored, stock) and not trace_difference(restored, stock)
    print(f"""
stock     The VM's GPU says Apple5, so llama.cpp leaves most of its work to the CPU.
run       The same program, started by `mtlcap run -p auto`: the GPU answers with the family of the
          host's chip, and llama.cpp takes
          {"exactly the kernels of bare metal" if same_as_bare else "OTHER KERNELS THAN ON BARE METAL"}.
          Its receipt: {json.loads(receipt.read_text())["stage"]}, {receipt}
linked    The same by a call in the program: mtlcap_apply_profile("auto", NULL).
restored  After mtlcap_restore(): {"exactly as stock" if same_as_stock else "NOT AS STOCK"}.

What is not on the GPU runs on the CPU. The simulated GPU records kernels; it does not run them.""")
    sys.exit(not (same_as_bare and same_as_stock))


main()
