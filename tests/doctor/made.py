"""Verdicts on files that are made here, one thing different in each:  made.py MTLCAP LIBRARIES

LIBRARIES is a folder for the libraries that --library names.
"""

import pathlib
import struct
import sys

from support import advise, run

from make_macho import (ADHOC, ALLOW_DYLD, APP_SANDBOX, DISABLE_LV, GET_TASK_ALLOW, HARD, KILL,
                        LINKER_SIGNED, MH_DYLIB, REQUIRE_LV, RESTRICT, RUNTIME, SHA1, SHA256,
                        SHA256_TRUNCATED, SHA384, fat, sign, thin, with_flags, with_platform)

COMMAND, LIBRARIES = sys.argv[1], pathlib.Path(sys.argv[2])

ON, OFF = ["--machine", "sip=on,macos=26,arch=arm64"], ["--machine", "sip=off,macos=26,arch=arm64"]
OLD = ["--machine", "sip=off,macos=14,arch=arm64"]
INTEL = ["--machine", "sip=on,macos=15,arch=x86_64"]
INHERIT = ["--children", "inherit"]
BOTH = {ALLOW_DYLD: True, DISABLE_LV: True}


def program(processor="arm64", made=None, **signature):
    return sign(thin(processor, **(made or {})), **signature)


def library(name, *slices):
    LIBRARIES.mkdir(parents=True, exist_ok=True)
    path = LIBRARIES / f"{name}.dylib"
    path.write_bytes(fat(slices) if len(slices) > 1 else slices[0])
    return ["--library", str(path)]


def dylib(processor, **signature):
    return sign(thin(processor, file_type=MH_DYLIB), **signature)


def changed(image, offset=0x1800):
    """A byte of the code is another than what was signed."""
    return image[:offset] + bytes([image[offset] ^ 1]) + image[offset + 1:]


def cut(image):
    return image[:len(image) // 2]


def without_commands(image):
    return image[:16] + struct.pack("<I", 1000) + image[20:]


def other_magic(image):
    at = image.find(b"\xfa\xde\x0c\xc0")
    return image[:at] + b"\xfa\xde\x0c\xc1" + image[at + 4:]


def other_entitlements(image):
    return image.replace(b"allow-dyld-environment-variables</key>",
                         b"allow-dyld-environment-variablez</key>")


def apples(**options):
    """As Apple's programs are: for Intel and arm64e, with the byte that says so."""
    return fat([program("x86_64", platform=14, flags=0, **options),
                program("arm64e", platform=14, flags=0, **options)])


CASES = [
    # ---- what loads ----
    ("ad hoc", program, [], "LOADS", "loads"),
    ("linker signed", lambda: program(flags=ADHOC | LINKER_SIGNED), ON, "LOADS", "loads"),
    ("intel unsigned", lambda: thin("x86_64"), [], "LOADS", "loads"),
    ("intel unsigned on intel", lambda: thin("x86_64"), INTEL, "LOADS", "loads"),
    ("both processors", lambda: fat([thin("x86_64"), program()]), [], "LOADS", "loads"),
    ("fat64", lambda: fat([thin("x86_64"), program()], wide=True), [], "LOADS", "loads"),
    ("team and certificate", lambda: program(flags=0, team="TEAM", cms=True), ON, "LOADS", "loads"),
    ("hard and kill", lambda: program(flags=HARD | KILL), ON, "LOADS", "loads"),
    ("hardened with both", lambda: program(flags=RUNTIME, entitlements=BOTH), [], "LOADS", "loads"),
    ("hardened with both in xml", lambda: program(flags=RUNTIME, entitlements=BOTH, forms="xml"),
     [], "LOADS", "loads"),
    ("hardened with both in der", lambda: program(flags=RUNTIME, entitlements=BOTH, forms="der"),
     [], "LOADS", "loads"),
    ("hardened with both in early der",
     lambda: program(flags=RUNTIME, entitlements=BOTH, early_der=True), [], "LOADS", "loads"),
    ("debuggable", lambda: program(entitlements={GET_TASK_ALLOW: True}), [], "LOADS", "loads"),
    ("sandbox denied", lambda: program(entitlements={APP_SANDBOX: False}), [], "LOADS", "loads"),
    ("sha1 only", lambda: program(hash_types=(SHA1,)), [], "LOADS", "loads"),
    ("truncated sha256", lambda: program(hash_types=(SHA256_TRUNCATED,)), [], "LOADS", "loads"),
    ("sha384, whose pages are not checked", lambda: program(hash_types=(SHA384,)), [], "LOADS",
     "loads"),
    ("early code directory", lambda: program(version=0x20100), [], "LOADS", "loads"),
    ("one page", lambda: program(page_shift=0), [], "LOADS", "loads"),
    ("large pages", lambda: program(page_shift=14), [], "LOADS", "loads"),
    ("no version said", lambda: program(made={"platform": 0}), [], "LOADS", "loads"),
    ("old sdk", lambda: program(made={"sdk": 0xA0F00}), [], "LOADS", "loads"),
    ("not executable", lambda: (program(), 0o644), [], "LOADS", "loads"),

    # ---- what does not start ----
    ("unsigned", lambda: thin("arm64"), [], "DIES", "unsigned"),
    ("unsigned beside intel", lambda: fat([thin("x86_64"), thin("arm64")]), [], "UNKNOWN",
     {"arch=arm64": "DIES unsigned", "arch=x86_64": "LOADS loads"}),
    ("changed code", lambda: changed(program()), [], "DIES", "changed"),
    ("changed code, sha1", lambda: changed(program(hash_types=(SHA1,))), [], "DIES", "changed"),
    ("changed code on intel", lambda: changed(program("x86_64")), [], "LOADS", "loads"),
    ("changed code on intel, enforced", lambda: changed(program("x86_64", flags=KILL)), [], "DIES",
     "changed"),
    ("changed entitlements",
     lambda: other_entitlements(program(flags=RUNTIME, entitlements=BOTH, forms="xml")), [], "DIES",
     "changed"),
    ("signature malformed", lambda: other_magic(program()), [], "DIES", "bad-signature"),
    ("signature malformed on intel", lambda: other_magic(program("x86_64")), [], "UNKNOWN",
     "bad-signature-intel"),
    ("arm64 on intel", program, INTEL, "DIES", "no-slice"),
    ("ios", lambda: program(made={"platform": 2}), [], "DIES", "other-system"),
    ("simulator", lambda: program(made={"platform": 7}), [], "DIES", "other-system"),
    ("catalyst", lambda: program(made={"platform": 6}), [], "UNKNOWN", "catalyst"),
    ("arm64e", lambda: program("arm64e"), OLD, "DIES", "arm64e-program"),
    ("arm64e, new macOS", lambda: program("arm64e"), ON, "UNKNOWN", "arm64e-program-new"),
    ("arm64e, macOS not known", lambda: program("arm64e"), [], "UNKNOWN",
     {"macos=11 or macos=12 to 14 or macos=15": "DIES arm64e-program",
      "macos=26": "UNKNOWN arm64e-program-new"}),
    ("arm64e beside arm64", lambda: fat([program(), program("arm64e")]), OFF, "LOADS", "loads"),

    # ---- what the variable does not reach ----
    ("set-uid", lambda: (program(), 0o4755), [], "STRIPPED", "set-user"),
    ("set-gid", lambda: (program(), 0o2755), [], "STRIPPED", "set-user"),
    ("restricted section", lambda: program(made={"restrict": True}), [], "STRIPPED",
     "restrict-section"),
    ("restricted section, SIP off", lambda: program(made={"restrict": True}), OFF, "STRIPPED",
     "restrict-section"),
    ("restricted section in one slice",
     lambda: fat([thin("x86_64"), program(made={"restrict": True})]), [], "UNKNOWN",
     {"arch=arm64": "STRIPPED restrict-section", "arch=x86_64": "LOADS loads"}),
    ("restrict flag", lambda: program(flags=RESTRICT), [], "STRIPPED", "restrict-flag"),
    ("hardened", lambda: program(flags=RUNTIME), [], "STRIPPED", "hardened"),
    ("hardened, SIP off", lambda: program(flags=RUNTIME), OFF, "STRIPPED", "hardened"),
    ("hardened on intel", lambda: program("x86_64", flags=RUNTIME), INTEL, "STRIPPED", "hardened"),
    ("hardened, allowed to be false",
     lambda: program(flags=RUNTIME, entitlements={ALLOW_DYLD: False, DISABLE_LV: True}), [],
     "STRIPPED", "hardened"),
    ("hardened, validation off only",
     lambda: program(flags=RUNTIME, entitlements={DISABLE_LV: True}), [], "STRIPPED", "hardened"),
    ("hardened and debuggable",
     lambda: program(flags=RUNTIME, entitlements={GET_TASK_ALLOW: True}), [], "UNKNOWN",
     "hardened-debug"),
    ("hardened only by the better hash",
     lambda: patch_first(program(flags=RUNTIME, hash_types=(SHA1, SHA256))), [], "STRIPPED",
     "hardened"),
    ("hardened only by the worse hash",
     lambda: patch_first(program(flags=ADHOC, hash_types=(SHA1, SHA256)), RUNTIME), [], "LOADS",
     "loads"),
    ("forms of entitlements differ",
     lambda: program(flags=RUNTIME, entitlements=BOTH, der_entitlements={}), [], "UNKNOWN",
     {"macos=11": "LOADS loads", "macos=12 to 14 or macos=15 or macos=26": "STRIPPED hardened"}),
    ("forms of entitlements differ, new macOS",
     lambda: program(flags=RUNTIME, entitlements=BOTH, der_entitlements={}), ON, "STRIPPED",
     "hardened"),
    ("no dynamic linker", lambda: program(made={"dylinker": None}), [], "STRIPPED", "no-loader"),
    ("apple's", apples, ON, "STRIPPED", "platform"),
    ("apple's on intel", apples, INTEL, "STRIPPED", "platform"),

    # ---- what does not take the library ----
    ("hardened, variables only",
     lambda: program(flags=RUNTIME, entitlements={ALLOW_DYLD: True}), [], "REJECTED", "validation"),
    ("hardened, variables only, SIP off",
     lambda: program(flags=RUNTIME, entitlements={ALLOW_DYLD: True}), OFF, "REJECTED",
     "validation"),
    ("library validation", lambda: program(flags=REQUIRE_LV), [], "REJECTED", "validation-flag"),
    ("library validation, entitlement against it",
     lambda: program(flags=REQUIRE_LV | RUNTIME, entitlements=BOTH), [], "REJECTED",
     "validation-flag"),
    ("validation, same team", lambda: program(flags=REQUIRE_LV, team="TEAM", cms=True),
     library("team", dylib("arm64", flags=0, team="TEAM")), "LOADS", "loads"),
    ("validation, another team", lambda: program(flags=REQUIRE_LV, team="TEAM", cms=True),
     library("other-team", dylib("arm64", flags=0, team="OTHER")), "REJECTED", "validation-flag"),
    ("hardened, same team",
     lambda: program(flags=RUNTIME, team="TEAM", entitlements={ALLOW_DYLD: True}),
     library("team", dylib("arm64", flags=0, team="TEAM")), "LOADS", "loads"),
    ("validation before a missing slice", lambda: program(flags=REQUIRE_LV),
     library("intel", dylib("x86_64")), "REJECTED", "validation-flag"),

    # ---- what the library makes end ----
    ("apple's, SIP off", apples, OFF, "DIES", "library-slice"),
    ("apple's, nothing known", apples, [], "UNKNOWN",
     {"sip=on": "STRIPPED platform", "sip=off,arch=arm64": "DIES library-slice",
      "sip=off,arch=x86_64": "LOADS loads"}),
    ("apple's, SIP off, arm64e library", apples,
     OFF + library("arm64e", dylib("arm64"), dylib("arm64e")), "LOADS", "loads"),
    ("apple's, SIP off, arm64e library, old macOS", apples,
     OLD + library("arm64e", dylib("arm64"), dylib("arm64e")), "DIES", "library-arm64e-old"),
    ("apple's, SIP off, arm64e library, macOS 15", apples,
     ["--machine", "sip=off,macos=15,arch=arm64"] +
     library("arm64e", dylib("arm64"), dylib("arm64e")), "UNKNOWN", "library-arm64e-unseen"),
    ("library with an arm64e slice", program,
     library("arm64e", dylib("arm64"), dylib("arm64e")), "UNKNOWN", "library-arm64e-first"),
    ("library for intel only", program, library("intel", dylib("x86_64")), "DIES", "library-slice"),
    ("library for arm64 only", lambda: thin("x86_64"), library("arm64", dylib("arm64")), "DIES",
     "library-slice"),
    ("library for ios", program,
     library("ios", sign(thin("arm64", file_type=MH_DYLIB, platform=2))), "DIES", "library-system"),
    ("library unsigned", program, library("unsigned", thin("arm64", file_type=MH_DYLIB)), "DIES",
     "library-signature"),
    ("library unsigned on intel", lambda: thin("x86_64"),
     library("unsigned-intel", thin("x86_64", file_type=MH_DYLIB)), "LOADS", "loads"),
    ("library changed", program, library("changed", changed(dylib("arm64"))), "DIES",
     "library-signature"),
    ("library missing", program, ["--library", "/nowhere/library.dylib"], "DIES",
     "library-missing"),
    ("library cut", program, library("cut", cut(fat([dylib("arm64"), dylib("x86_64")]))), "DIES",
     "library-missing"),

    # ---- what it starts ----
    ("system, inherited", lambda: program(made={"imports": ["_system"]}), OFF + INHERIT,
     "CHILD_DIES", "child"),
    ("popen, inherited", lambda: program(made={"imports": ["_popen"]}), OFF + INHERIT, "CHILD_DIES",
     "child"),
    ("spawns tee, inherited",
     lambda: program(made={"imports": ["_posix_spawn"], "strings": ["x", "/usr/bin/tee"]}),
     OFF + INHERIT, "CHILD_DIES", "child"),
    ("spawns its own, inherited",
     lambda: program(made={"imports": ["_posix_spawn"], "strings": ["/opt/bin/own"]}),
     OFF + INHERIT, "LOADS", "loads"),
    ("names tee, starts nothing", lambda: program(made={"strings": ["/usr/bin/tee"]}),
     OFF + INHERIT, "LOADS", "loads"),
    ("system, not inherited", lambda: program(made={"imports": ["_system"]}), OFF, "LOADS",
     "loads"),
    ("system, inherited, SIP on", lambda: program(made={"imports": ["_system"]}), ON + INHERIT,
     "LOADS", "loads"),
    ("system, inherited, SIP not known", lambda: program(made={"imports": ["_system"]}), INHERIT,
     "UNKNOWN", {"sip=on": "LOADS loads", "sip=off": "CHILD_DIES child"}),
    ("system, inherited, arm64e library", lambda: thin("x86_64", imports=["_system"]),
     OFF + INHERIT, "CHILD_DIES", "child"),

    # ---- what cannot be told ----
    ("elf", lambda: b"\x7fELF" + bytes(100), [], "UNKNOWN", "not-macho"),
    ("sandbox", lambda: program(entitlements={APP_SANDBOX: True}), [], "UNKNOWN", "sandbox"),
    ("library itself", lambda: dylib("arm64"), [], "UNKNOWN", "not-a-program"),
    ("load commands lie", lambda: without_commands(program()), [], "UNKNOWN", "malformed"),
    ("fat header lies", lambda: cut(fat([thin("x86_64"), program()])), [], "UNKNOWN", "malformed"),
]


# ---- notes and remedies ----

SYSTEM = {"imports": ["_system"]}
SPAWNS = {"imports": ["_posix_spawn"], "strings": ["/opt/bin/own"]}
OLLAMA = "Ollama.app/Contents/Resources/ollama"
START_NONE = "It can start programs (%s). These do not get the library, unless by --children inherit"
START_SIP = "It can start one of Apple's own programs (%s). Where SIP is on, that one drops the variable"
SH = "it imports _system, which starts /bin/sh"
SIGN_COPY = "codesign --force --sign - '%s'"

# (path, make, options, beginnings of lines that are there, and of lines that are not); HERE is the
# folder.
ADVICE = [
    ("system", lambda: program(made=SYSTEM), ON, [START_NONE % SH], []),
    ("spawns", lambda: program(made=SPAWNS), ON, [START_NONE % "it imports _posix_spawn"], []),
    ("starts-nothing", lambda: program(made={"strings": ["/usr/bin/tee"]}), ON, [],
     ["It can start"]),
    ("system-inherit", lambda: program(made=SYSTEM), ON + INHERIT, [START_SIP % SH], []),
    ("spawns-inherit", lambda: program(made=SPAWNS), ON + INHERIT, [], ["It can start"]),
    ("intel-sip-off", lambda: thin("x86_64", **SYSTEM),
     ["--machine", "sip=off,macos=15,arch=x86_64"] + INHERIT, [], ["It can start"]),
    ("child-dies", lambda: program(made=SYSTEM), OFF + INHERIT,
     ["mtlcap run --children none -- 'HERE/child-dies'",
      "What it starts then has no profile. If that is what asks Metal, name it"],
     ["It can start"]),
    (OLLAMA, lambda: program(made=SPAWNS, flags=RUNTIME), ON,
     ["ditto 'HERE/Ollama.app' 'HERE/Ollama-mtlcap.app'",
      SIGN_COPY % "HERE/Ollama-mtlcap.app/Contents/Resources/ollama",
      SIGN_COPY % "HERE/Ollama-mtlcap.app",
      "What it starts keeps its own signature, also in a copy: ask",
      "mtlcap run --children inherit -- 'HERE/Ollama-mtlcap.app/Contents/Resources/ollama'"],
     ["cp ", "It can start"]),
    ("A.app/Contents/Frameworks/B.app/Contents/MacOS/B", lambda: program(flags=RUNTIME), ON,
     ["ditto 'HERE/A.app' 'HERE/A-mtlcap.app'",
      SIGN_COPY % "HERE/A-mtlcap.app/Contents/Frameworks/B.app/Contents/MacOS/B",
      SIGN_COPY % "HERE/A-mtlcap.app"],
     ["What it starts", "mtlcap run"]),
    ("C.app/Contents/MacOS/C", lambda: program(flags=RUNTIME), ON,
     ["ditto 'HERE/C.app' 'HERE/C-mtlcap.app'", SIGN_COPY % "HERE/C-mtlcap.app"], ["cp "]),
    ("plain", lambda: program(flags=RUNTIME), ON,
     ["cp 'HERE/plain' 'HERE/plain-mtlcap'", SIGN_COPY % "HERE/plain-mtlcap"],
     ["ditto", "What it starts"]),
]


def patch_first(image, flags=ADHOC):
    """Other flags in the first code directory only."""
    first = with_flags(image, flags, 0xFFFFFFFF)
    at = image.find(b"\xfa\xde\x0c\x02")
    return image[:at + 12] + first[at + 12:at + 16] + image[at + 16:]


if __name__ == "__main__":
    sys.exit(run(COMMAND, CASES) | advise(COMMAND, ADVICE))
