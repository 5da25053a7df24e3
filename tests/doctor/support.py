"""Runs `mtlcap doctor` on files that are made for it.

A case: (name, make, options, verdict, rule). make() gives the file's bytes, or (bytes, mode).
"verdict" is the whole one, written by hand from the rules; rule is that of its only case, or a
dictionary from what it depends on to "VERDICT rule".
"""

import json
import pathlib
import subprocess
import sys
import tempfile

CODES = {"LOADS": 0, "STRIPPED": 10, "REJECTED": 11, "DIES": 12, "CHILD_DIES": 13, "UNKNOWN": 14}
HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "macho_reader"), str(HERE.parent / "cli")]
import schema  # noqa: E402


def doctor(command, path, options, form="--json"):
    arguments = [command, "doctor", *([form] if form else []), *options, str(path)]
    return subprocess.run(arguments, capture_output=True, text=True)


def problems(command, path, options, verdict, rule):
    run = doctor(command, path, options)
    if run.returncode != CODES[verdict]:
        yield f"exit code {run.returncode}: {run.stdout}{run.stderr}"
        return
    report = json.loads(run.stdout)
    yield from schema.check(report, HERE.parents[1] / "docs/doctor.schema.json")
    if report["verdict"] != verdict:
        yield f"{report['verdict']} instead of {verdict}"
    found = {case["when"]: f"{case['verdict']} {case['rule']}" for case in report["cases"]}
    wanted = rule if isinstance(rule, dict) else {None: f"{verdict} {rule}"}
    if found != wanted:
        yield f"{found} instead of {wanted}"
    for case in report["cases"]:
        yield from case_problems(case, path.read_bytes())
    text = doctor(command, path, options, None).stdout
    if not text.startswith(f"{path}: {verdict}: "):
        yield f"the text begins with {text[:100]!r}"


def case_problems(case, data):
    """A reason, evidence with places in the file, and a remedy unless it loads."""
    if not case["evidence"] and case["verdict"] != "LOADS":
        yield f"{case['rule']}: no evidence"
    if not case["remedy"] and case["rule"] not in ("loads", "malformed", "other-system"):
        yield f"{case['rule']}: no remedy"
    for evidence in case["evidence"]:
        if evidence["place"] is not None and not 0 <= evidence["place"] < len(data):
            yield f"{case['rule']}: the place {evidence['place']:#x} is not in the file"
        if "code directory, flags" in evidence["text"]:
            place = evidence["place"]
            flags = int(evidence["text"].split("flags ")[1].split(" ")[0], 16)
            if int.from_bytes(data[place:place + 4], "big") != flags:
                yield f"{flags:#x} is not at {place:#x}"


def run(command, cases):
    """Prints what is wrong; the exit code."""
    failed, names = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for name, make, options, verdict, rule in cases:
            assert name not in names, name
            names.add(name)
            made = make()
            data, mode = made if isinstance(made, tuple) else (made, 0o755)
            path = pathlib.Path(folder, name.replace(" ", "-").replace("/", "-"))
            path.write_bytes(data)
            path.chmod(mode)
            found = list(problems(command, path, options, verdict, rule))
            failed += bool(found)
            for problem in found:
                print(f"{name}: {problem}")
    print(f"{len(names)} cases, {failed} of them wrong")
    return failed > 0


def advise(command, cases):
    """Notes and remedies, by their beginnings; the exit code."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, make, options, there, absent in cases:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(make())
            found = json.loads(doctor(command, path, options).stdout)["cases"][0]
            lines = found["notes"] + [line for remedy in found["remedy"] for line in remedy.values()]
            text = doctor(command, path, options, None).stdout
            wrong = [f"there is no {line!r}" for line in there
                     if not any(has.startswith(line.replace("HERE", folder)) for has in lines)]
            wrong += [f"there is {line!r}" for line in absent
                      if any(has.startswith(line) for has in lines)]
            wrong += [f"the text is without {line!r}" for line in lines if line not in text]
            failed += bool(wrong)
            for problem in wrong:
                print(f"{name}: {problem}")
    print(f"{len(cases)} cases of advice, {failed} of them wrong")
    return failed > 0
