"""Verdicts on real programs, and on variants of them:  wheels.py MTLCAP FILES

FILES is the folder that tests/macho_reader/fetch.py fills. A variant is changed in one thing; where
code or entitlements change it is signed anew.
"""

import json
import pathlib
import sys

from support import CODES, doctor, run

from make_macho import (ADHOC, ALLOW_DYLD, DISABLE_LV, HARD, REQUIRE_LV, RESTRICT, RUNTIME, SHA1,
                        SHA256, fat, restricted, sign, slices, unsigned, with_flags, with_platform,
                        with_processor)

COMMAND, FILES = sys.argv[1], pathlib.Path(sys.argv[2])
ON, OFF = ["--machine", "sip=on,macos=26,arch=arm64"], ["--machine", "sip=off,macos=26,arch=arm64"]
OLD, INTEL = ["--machine", "macos=13"], ["--machine", "arch=x86_64"]
BOTH = {ALLOW_DYLD: True, DISABLE_LV: True}

ninja = (FILES / "ninja/ninja").read_bytes()
ruff = (FILES / "ruff/ruff").read_bytes()
cmake = (FILES / "cmake/cmake").read_bytes()
arm64, x86_64 = slices(ninja)["arm64"], slices(ninja)["x86_64"]

CASES = [
    ("ninja", lambda: ninja, [], "LOADS", "loads"),
    ("ninja on intel", lambda: ninja, INTEL, "LOADS", "loads"),
    ("ruff", lambda: ruff, [], "STRIPPED", "hardened"),
    ("ruff, SIP off", lambda: ruff, OFF, "STRIPPED", "hardened"),
    ("ruff on intel", lambda: ruff, INTEL, "DIES", "no-slice"),
    ("cmake", lambda: cmake, [], "REJECTED", "validation"),
    ("cmake on intel", lambda: cmake, INTEL, "REJECTED", "validation"),
    ("ruff, not hardened", lambda: with_flags(ruff, remove=RUNTIME), [], "LOADS", "loads"),
    ("ruff, signed ad hoc", lambda: sign(ruff), [], "LOADS", "loads"),
    ("ruff, with both entitlements", lambda: sign(ruff, flags=RUNTIME, entitlements=BOTH), [],
     "LOADS", "loads"),
    ("ruff, unsigned", lambda: unsigned(ruff), [], "DIES", "unsigned"),
    ("cmake, not hardened", lambda: with_flags(cmake, remove=RUNTIME), [], "LOADS", "loads"),
    ("cmake, validated", lambda: with_flags(cmake, REQUIRE_LV, RUNTIME), [], "REJECTED",
     "validation-flag"),
    ("cmake, restricted", lambda: with_flags(cmake, RESTRICT), [], "STRIPPED", "restrict-flag"),
    ("ninja, hardened", lambda: with_flags(ninja, RUNTIME), [], "UNKNOWN",
     {"arch=arm64": "STRIPPED hardened", "arch=x86_64": "LOADS loads"}),
    ("ninja, validated", lambda: with_flags(arm64, REQUIRE_LV), [], "REJECTED", "validation-flag"),
    ("ninja, restricted", lambda: with_flags(arm64, RESTRICT), [], "STRIPPED", "restrict-flag"),
    ("ninja, hard", lambda: with_flags(arm64, HARD), [], "LOADS", "loads"),
    ("ninja, restricted section", lambda: sign(restricted(arm64)), [], "STRIPPED",
     "restrict-section"),
    ("ninja, restricted section on intel", lambda: restricted(x86_64), [], "STRIPPED",
     "restrict-section"),
    ("ninja, unsigned", lambda: unsigned(arm64), [], "DIES", "unsigned"),
    ("ninja, its header changed",
     lambda: arm64.replace(b"__TEXT", b"__TEXU", 1), [], "DIES", "changed"),
    ("ninja, changed", lambda: arm64.replace(b"ninja: ", b"ninjo: ", 1), [], "DIES", "changed"),
    ("ninja, set-uid", lambda: (ninja, 0o4755), [], "STRIPPED", "set-user"),
    ("ninja, platform", lambda: with_platform(arm64, 14), ON, "STRIPPED", "platform"),
    ("ninja, platform, SIP off", lambda: with_platform(arm64, 14), OFF, "LOADS", "loads"),
    ("ninja as one of apple's",
     lambda: fat([x86_64, sign(with_processor(arm64, "arm64e"), flags=0, platform=14)]),
     ["--machine", "arch=arm64"], "UNKNOWN",
     {"sip=on": "STRIPPED platform", "sip=off": "DIES library-slice"}),
    ("ninja, arm64e", lambda: sign(with_processor(arm64, "arm64e")), OLD, "DIES",
     "arm64e-program"),
    ("ninja, intel only", lambda: x86_64, [], "LOADS", "loads"),
    ("ninja, two directories", lambda: sign(arm64, hash_types=(SHA1, SHA256)), [], "LOADS",
     "loads"),
    ("ninja, hardened, variables only",
     lambda: sign(arm64, flags=RUNTIME, entitlements={ALLOW_DYLD: True}), [], "REJECTED",
     "validation"),
    ("ninja, its system, inherited", lambda: sign(arm64, flags=ADHOC),
     OFF + ["--children", "inherit"], "CHILD_DIES", "child"),
]


def whole_folder():
    """Every file: the verdict on it is one that can be explained."""
    paths, failed = sorted(FILES.glob("*/*")), False
    for path in paths:
        result = doctor(COMMAND, path, [])
        rules = [case["rule"] for case in json.loads(result.stdout)["cases"]]
        library = path.suffix in (".so", ".dylib")
        if library != (rules == ["not-a-program"]) or result.returncode not in CODES.values():
            print(f"{path}: {rules}, exit code {result.returncode}")
            failed = True
    print(f"{len(paths)} files")
    return failed or len(paths) < 100


if __name__ == "__main__":
    wrong = run(COMMAND, CASES)
    sys.exit(whole_folder() or wrong)
