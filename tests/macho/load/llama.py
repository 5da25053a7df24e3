"""llama.cpp's Metal backend, with the injected library for a Mac in its process: it accepts the same
operations and makes the same dispatches as on the bare chip, and stock ones if the profile is refused.

Usage: llama.py --clients FOLDER --client FILE --insert FILE --library FILE --work FOLDER

The loader is preloaded, and inserts the Mach-O library, whose constructor and interposition do the
rest; the client is not told of it.
"""

import argparse
import functools
import json
import pathlib
import sys


def start_runs(runs, options):
    """All runs that the checks look at, by key."""
    receipts = pathlib.Path(options.work, "receipts")

    def injected(machine, **variables):
        return functools.partial(runs.Llama, options.client, options.work, machine, env={
            "LD_PRELOAD": options.insert, "DYLD_INSERT_LIBRARIES": options.library, **variables})

    plain = functools.partial(functools.partial, runs.Llama, options.client, options.work)
    started = {}
    for machine, (bare, _) in runs.MACHINES.items():
        started[machine, "bare"] = plain(bare, env=runs.BARE_ENVIRONMENT.get(bare))
        started[machine, "auto"] = injected(
            machine, MTLCAP_PROFILE="auto", MTLCAP_RECEIPT=str(receipts / f"{machine}.json"))
    started["stock"] = plain("paravirt")
    started["refused"] = injected("paravirt", MTLCAP_PROFILE="apple.min=9",
                                  MTLCAP_RECEIPT=str(receipts / "refused.json"))
    started["nothing asked"] = injected("paravirt")
    started["early"] = injected("paravirt", MTLCAP_PROFILE="auto", MTLCAP_TIMING="early")
    started["lume"] = plain("paravirt", profile="lume",
                            allow="beyond-hardware+threadgroup-memory")
    started["lume's variables"] = injected("paravirt", LUME_METAL_APPLE_FAMILY_MAX="1009")
    return runs.in_parallel(started)


def main():
    parser = argparse.ArgumentParser()
    for option in ("clients", "client", "insert", "library", "work"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    sys.path.insert(0, options.clients)
    import runs  # the runs and comparisons that test_llama.py makes

    work = pathlib.Path(options.work)
    (work / "receipts").mkdir(parents=True, exist_ok=True)
    for receipt in (work / "receipts").glob("*"):
        receipt.unlink()
    done = start_runs(runs, options)
    check = runs.Checks()

    def same(what, a, b):
        check.same(f"{what}: operations", done[a], done[b], runs.support_difference)
        check.same(f"{what}: {done[a].dispatches} dispatches", done[a], done[b],
                   runs.trace_difference)

    def receipt(name):
        return json.loads((work / "receipts" / f"{name}.json").read_text())

    for machine, (bare, family) in runs.MACHINES.items():
        auto = done[machine, "auto"]
        check(f"{machine}: family {family}", auto.family == family, auto.family)
        same(f"{machine} under auto as {bare}", (machine, "auto"), (machine, "bare"))
        wrote = receipt(machine)
        check(f"{machine}: the receipt says that it was applied, by the file for a Mac",
              (wrote["stage"], wrote["library"], wrote["interposed"])
              == ("applied", options.library, True), wrote)
    same("early as bare", "early", ("paravirt", "bare"))
    same("refused as stock", "refused", "stock")
    check("refused: the client is told why", "beyond-hardware" in done["refused"].warnings,
          done["refused"].warnings)
    check("refused: the receipt says so", receipt("refused")["stage"] == "not-applied",
          receipt("refused"))
    same("nothing asked as stock", "nothing asked", "stock")
    check("nothing asked: nothing said", done["nothing asked"].warnings == done["stock"].warnings,
          done["nothing asked"].warnings)
    same("Lume's variables as its profile", "lume's variables", "lume")
    check("stock and bare differ", runs.support_difference(done["stock"], done["paravirt", "bare"])
          and runs.trace_difference(done["stock"], done["paravirt", "bare"]))
    check.finish(len(done))


if __name__ == "__main__":
    main()
