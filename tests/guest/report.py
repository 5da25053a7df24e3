"""What a guest's Metal says and does without the library, and with it: one JSON document, as
docs/guest-results.md describes it.

Usage: report.py --mtlcap FILE --ask FILE --output FILE [--label NAME] [--commit HASH]
                 [--llama PYTHON] [--quick]

--ask: the program of ask.m. --llama: an interpreter that has the packages of requirements.txt;
llama.cpp is then run in each condition too. --quick: on a small model. Exit status: 1 if a verdict is
"fail".
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FORM = 1
REFUSED = 78 # mtlcap run: a hazard that is not allowed
HERE = pathlib.Path(__file__).resolve().parent

# What a shell may have set, and what must not decide a result.
FOREIGN = re.compile(r"^(MTLCAP|LUME|TART|LUNCHPAIL|VEERTU|GGML|MTL|METAL)_|^DYLD_|^LD_PRELOAD$")

# Name, profile and timing; without a profile, the library is not inserted at all.
CONDITIONS = (("bare", None, None), ("stock", "stock", "late"), ("late", "auto", "late"),
              ("early", "auto", "early"))


def output_of(*command):
    """What a command prints, in one line, or None."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.stdout.strip() or None if result.returncode == 0 else None


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


class Guest:
    """Runs programs in each condition, and keeps what came of it."""

    def __init__(self, mtlcap, folder):
        self.mtlcap, self.folder, self.runs = mtlcap, folder, []

    def run(self, client, command, condition, profile, timing, timeout=600):
        """Runs one command; its standard output is a JSON document."""
        receipt = self.folder / f"{client}-{condition}.json"
        environment = {k: v for k, v in os.environ.items() if not FOREIGN.match(k)}
        if profile:
            command = [self.mtlcap, "run", "-p", profile, "--timing", timing, "--receipt",
                       str(receipt), "--", *command]
        start = time.monotonic()
        try:
            done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", timeout=timeout)
            code, out, message = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, message = None, "", f"no end within {late.timeout:g} seconds"
        try:
            result = json.loads(out)
        except ValueError:
            result = None
        self.runs.append({
            "client": client, "condition": condition, "profile": profile, "timing": timing,
            "exit": code, "seconds": round(time.monotonic() - start, 3),
            "message": message[-4000:], "receipt": read_json(receipt), "result": result})
        return self.runs[-1]

    def found(self, client, condition):
        return next((run for run in self.runs
                     if (run["client"], run["condition"]) == (client, condition)), None)


def answers(run):
    """What a program gets, by device and question. What it has allocated is no capability."""
    devices = (run["result"] or {}).get("devices", [])
    return {f"{number}: {device['class']}: {key}": answer
            for number, device in enumerate(devices)
            for key, answer in device["answers"].items() if key != "allocated_size"}


def differences(a, b):
    return [f"{key}: {a.get(key)} / {b.get(key)}" for key in sorted({*a, *b})
            if a.get(key) != b.get(key)]


# ---- verdicts ---------------------------------------------------------------


def verdict(name, holds, detail):
    """holds: True, False, or None where it does not apply."""
    word = "not-applicable" if holds is None else "pass" if holds else "fail"
    return {"name": name, "verdict": word, "detail": detail}


def stage(run):
    return (run and run["receipt"] or {}).get("stage", "not-loaded")


def ask_verdicts(guest):
    runs = {name: guest.found("ask", name) for name, _, _ in CONDITIONS}
    if not answers(runs["bare"]):
        yield verdict("a device", None, [guest.found("probe", "bare")["message"]])
        return
    for name in ("stock", "late", "early"):
        run = runs[name]
        reason = (run["receipt"] or {}).get("reason") or run["message"]
        # A refusal is a result too, and not a failure of the library: the verdict names it.
        refused = run["exit"] == REFUSED
        yield verdict(f"{name}: applied", None if refused else stage(run) == "applied",
                      [stage(run), reason] if stage(run) != "applied" else [])
    bare, stock, late, early = (answers(runs[name]) for name, _, _ in CONDITIONS)
    yield verdict("stock: nothing differs from a process without the library",
                  not differences(bare, stock), differences(bare, stock))
    is_late, is_early = (stage(runs[name]) == "applied" for name in ("late", "early"))
    changed = is_late and differences(bare, late)
    yield verdict("auto: answers that differ from stock", True if changed else None, changed or [])
    was_early = bool(is_early and runs["early"]["receipt"]["early"])
    yield verdict("early: while Metal made the device", was_early if changed else None, [])
    comparable = changed and was_early
    yield verdict("late and early: the same answers",
                  not differences(late, early) if comparable else None,
                  differences(late, early) if comparable else [])


def cosine(a, b):
    norm = sum(x * x for x in a) ** 0.5 * sum(y * y for y in b) ** 0.5
    return sum(x * y for x, y in zip(a, b)) / norm if norm else 0.0


def llama_verdicts(guest):
    reference = guest.found("llama", "cpu")
    if not reference or not reference["result"]:
        yield verdict("llama.cpp: runs on the CPU", False, [reference and reference["message"]])
        return
    for name, _, _ in CONDITIONS:
        run = guest.found("llama", name)
        if not run["result"]:
            yield verdict(f"llama.cpp, {name}: runs", False, [run["message"]])
            continue
        if stage(guest.found("ask", name)) == "applied":
            yield verdict(f"llama.cpp, {name}: applied", stage(run) == "applied", [stage(run)])
        similar = cosine(run["result"]["logits"], reference["result"]["logits"])
        yield verdict(f"llama.cpp, {name}: the numbers are the CPU's", similar > 0.999,
                      [f"cosine {similar:.6f}"])
    bare, late = guest.found("llama", "bare")["result"], guest.found("llama", "late")["result"]
    if bare and late:
        raised = stage(guest.found("llama", "late")) == "applied" and bare["log"] != late["log"]
        yield verdict("llama.cpp, auto: less of the graph is left to the CPU",
                      late["splits"] < bare["splits"] if raised else None,
                      [f"graph splits {bare['splits']} / {late['splits']}",
                       f"seconds {bare['prompt_seconds']} / {late['prompt_seconds']}"])


# ---- the document -----------------------------------------------------------


def guest_facts(label, bare):
    machine = (bare["result"] or {}).get("machine", {})
    return {
        "label": label,
        "image": " ".join(filter(None, (os.environ.get("ImageOS"), os.environ.get("ImageVersion"))))
                 or None,
        "os_build": output_of("sw_vers", "-buildVersion"),
        "architecture": os.uname().machine,
        "kernel": f"{os.uname().sysname} {os.uname().release}",
        **{key: machine.get(key) for key in (
            "os_version", "chip", "chip_family", "apple_silicon", "model", "memory",
            "virtual_machine", "simulated")},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mtlcap", required=True)
    parser.add_argument("--ask", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--label")
    parser.add_argument("--commit")
    parser.add_argument("--llama")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        guest = Guest(options.mtlcap, folder)
        guest.run("probe", [options.mtlcap, "probe", "--json"], *CONDITIONS[0])
        for condition in CONDITIONS:
            guest.run("ask", [options.ask], *condition)
        verdicts = list(ask_verdicts(guest))
        if options.llama:
            model = folder / "model.gguf"
            llama = [options.llama, str(HERE / "llama.py")]
            size = ["--quick"] if options.quick else []
            subprocess.run([*llama, "make", *size, str(model)], check=True, timeout=600)
            guest.run("llama", [*llama, "run", "--cpu", str(model)], "cpu", None, None)
            for condition in CONDITIONS:
                guest.run("llama", [*llama, "run", str(model)], *condition)
            verdicts += llama_verdicts(guest)
        selftest = guest.run("selftest", [options.mtlcap, "selftest", "--json"], "bare", None, None)
        verdicts.append(verdict("selftest", selftest["exit"] == 0, [selftest["message"]]))

    document = {
        "form": FORM,
        "mtlcap": (guest.found("probe", "bare")["result"] or {}).get("mtlcap"),
        "commit": options.commit,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "guest": guest_facts(options.label, guest.found("probe", "bare")),
        "verdicts": verdicts,
        "runs": guest.runs,
    }
    options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    for one in verdicts:
        print(f"{one['verdict']:14} {one['name']}")
        if one["verdict"] != "pass":
            print("".join(f"{'':15}{line}\n" for line in map(str, one["detail"][:20])), end="")
    sys.exit(any(one["verdict"] == "fail" for one in verdicts))


main()
