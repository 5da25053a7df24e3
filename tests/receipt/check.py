"""Checks the receipts that print.c prints:  check.py PROGRAM"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import schema  # noqa: E402

SCHEMA = ROOT / "docs" / "receipt.schema.json"
FAMILY = {"stock": 5, "stock_known": True, "effective": 7, "rule": "auto: apple.min=7",
          "derived": False, "source": "Metal"}


def parse(text):
    return json.loads(text, parse_constant=schema.reject_constant,
                      object_pairs_hook=schema.unique_members)


def read_receipts(program):
    output = subprocess.run([program], check=True, stdout=subprocess.PIPE,
                            env=dict(os.environ, SIMMETAL_DEVICES="paravirt")).stdout
    return [parse(text) for text in output.decode("utf-8", errors="strict").split("---\n")[:-1]]


def expect(found, wanted):
    assert found == wanted, f"{found!r} is not {wanted!r}"


def check_stages(receipts):
    (bare, loaded, no_device, hidden, refused, applied, early, exiting, restored, stock,
     hostile) = receipts

    for name in ("program", "library", "delegated_to", "profile", "devices", "asked", "reason"):
        expect(bare[name], None)
    expect([receipt["stage"] for receipt in receipts],
           ["loaded", "loaded", "no-device", "hidden", "not-applied", "applied", "applied",
            "applied", "restored", "applied", "not-applied"])
    for receipt in (bare, loaded, no_device, hidden, refused):
        expect((receipt["devices"], receipt["hazards"]), (None, []))
        expect(receipt["machine"]["chip"], "Apple M1 Ultra (Virtual)")
    expect(loaded["program"], "/bin/program")
    expect(loaded["required"], ["apple>=7", "threadgroup_memory=64K"])
    expect((refused["step"], refused["status"], refused["reason"]),
           ("hazard", "E_HAZARD", "refused"))

    expect((applied["step"], applied["status"], applied["reason"]), (None, None, None))
    expect(applied["allowed"], ["metal", "threadgroup-memory"])
    expect((applied["timing"], applied["early"]), ("late", False))
    expect((early["timing"], early["early"]), ("early", True))
    (device,) = applied["devices"]
    expect((device["name"], device["class"], device["paravirtual"]),
           ("Apple Paravirtual device", "AppleParavirtDevice", True))
    answers = device["answers"]
    expect(answers["apple"], FAMILY)
    expect(answers["threadgroup_memory"]["effective"], 65536)
    # A floor that changes nothing is a rule all the same.
    expect(answers["working_set"]["stock"], answers["working_set"]["effective"])
    expect(answers["working_set"]["rule"], "working_set.min=1")
    expect("metal" in answers, False)
    derived = [key for key, answer in answers.items() if answer["derived"]]
    assert derived, "nothing is derived"
    assert all(answers[key]["rule"] is None for key in derived)
    expect([(hazard["hazard"], hazard["rule"], hazard["refuses"], hazard["allowed"])
            for hazard in applied["hazards"]],
           [("threadgroup-memory", "threadgroup_memory.min=64K", True, True)])

    # At the end no device is asked: it is what they said.
    expect(exiting["devices"], applied["devices"])
    expect((applied["asked"], exiting["asked"]), (None, ["apple", "working_set"]))
    expect((restored["devices"], restored["hazards"]), (applied["devices"], []))
    expect(stock["devices"][0]["answers"], {})

    text = "\"\\\b\n\r\t\x7f\x01\u00e9\U0001f600\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd'%s%n,+"
    for name in ("program", "library", "delegated_to", "profile", "origin", "reason"):
        expect(hostile[name], text)
    expect(hostile["required"], [text[:-2], "+"])
    expect(hostile["warnings"], [text, "", text])


def main():
    receipts = read_receipts(sys.argv[1])
    for receipt in receipts:
        expect(schema.check(receipt, SCHEMA), [])
        expect(receipt["mtlcap_receipt"], 1)
    check_stages(receipts)

    # The check itself can fail.
    for change in ({"extra": 1}, {"stage": "done"}, {"devices": {}}, {"time": "now"},
                   {"devices": [{"name": ""}]}, {"mtlcap_receipt": 2}, {"asked": [1]}):
        assert schema.check({**receipts[5], **change}, SCHEMA), f"valid with {change}"
    document = (ROOT / "docs" / "receipt-json.md").read_text(encoding="utf-8")
    example = parse(document.split("```json\n")[1].split("```")[0])
    expect(schema.check(example, SCHEMA), [])
    for name in receipts[0]:
        assert f"`{name}`" in document, f"receipt-json.md says nothing of {name}"
    print(f"{len(receipts)} receipts are as they should be")


if __name__ == "__main__":
    main()
