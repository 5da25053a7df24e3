"""Writes the names that the Swift package has for what the C library knows.

Usage: tables.py LIBRARY [--check]

LIBRARY is libmtlcap, built from the same sources. Capabilities, profiles and hazards go to
Sources/MTLCap/Names.swift. With --check nothing is written: it fails if the file would change, or
if a status of the C header has no case in MTLCapError.swift.
"""

import ctypes
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
SOURCES = FOLDER / "Sources" / "MTLCap"
HEADER = FOLDER.parent.parent / "include" / "mtlcap" / "mtlcap.h"

# Where the rule (camel case) does not give a Swift name.
NAMES = {
    "32bit_float_filtering": "float32Filtering",
    "32bit_msaa": "msaa32",
    "query_texture_lod": "queryTextureLOD",
    "registry_id": "registryID",
    "macos-14-guest": "macOS14Guest",
    "old-sdk-bf16": "oldSDKBF16",
    "pytorch-mpp": "pytorchMPP",
}

# Kind of answer: type, coding. A size in bytes is a ByteCount.
TYPES = {
    "FAMILY": ("MTLCap.Level", ".level"),
    "COUNT": ("MTLCap.Level", ".level"),
    "BOOL": ("Bool", ".bool"),
    "SIZE": ("UInt64", ".number"),
    "TIER": ("UInt64", ".number"),
    "SIZE3": ("MTLCap.Dimensions", ".dimensions"),
    "TEXT": ("String", ".text"),
}
BYTES = ("MTLCap.ByteCount", ".bytes")


class Capability(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [
        (name, ctypes.c_char_p) for name in ("key", "selector", "unit", "hazard", "summary")
    ] + [("kind", ctypes.c_int32), ("change", ctypes.c_int32)]


class Profile(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [
        (name, ctypes.c_char_p) for name in ("name", "rules", "summary", "source")]


class Hazard(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [
        (name, ctypes.c_char_p) for name in ("name", "when", "breaks", "source")
    ] + [("refuses", ctypes.c_int32), ("reserved", ctypes.c_int32)]


def rows(library, name, structure):
    for index in range(getattr(library, f"mtlcap_{name}_count")()):
        row = structure(struct_size=ctypes.sizeof(structure))
        if getattr(library, f"mtlcap_{name}_info")(index, ctypes.byref(row)) != 0:
            sys.exit(f"tables.py: no {name} {index}")
        yield row


def swift_name(name):
    if name in NAMES:
        return NAMES[name]
    first, *others = re.split("[-_]", name)
    swift = first + "".join(word.capitalize() for word in others)
    if not re.fullmatch("[a-z][A-Za-z0-9]*", swift):
        sys.exit(f"tables.py: add a Swift name for '{name}' to NAMES")
    return swift


def comment(text):
    """A documentation comment, in lines that are not too long."""
    if not text.startswith("macOS"):
        text = text[0].upper() + text[1:]
    lines, line = [], "    ///"
    for word in text.split():
        if len(line) + 1 + len(word) > 100:
            lines, line = lines + [line], "    ///"
        line += f" {word}"
    return lines + [line]


def constant(doc, name, value):
    start = f"    public static var {swift_name(name)}: Self {{"
    line = f"{start} {value} }}"
    return [*comment(doc), *([line] if len(line) <= 100 else [start, f"        {value}", "    }"])]


def extension(header, members):
    body = []
    for member in members:
        body += [*member, ""]
    return [f"extension {header} {{", *body[:-1], "}", ""]


def generate(library):
    text = HEADER.read_text(encoding="utf-8")
    kinds = {int(number): name
             for name, number in re.findall(r"^#define MTLCAP_KIND_(\w+) (\d+)", text, re.MULTILINE)}
    groups = {}
    for row in rows(library, "capability", Capability):
        unit = row.unit.decode()
        value_type, coding = BYTES if unit == "bytes" else TYPES[kinds[row.kind]]
        key, selector = row.key.decode(), row.selector.decode()
        doc = f"{row.summary.decode()}: `{selector}`"
        doc += f", in {unit}." if unit not in ("", "bytes", "tier") else "."
        groups.setdefault(value_type, []).append(constant(doc, key, f'Self("{key}", {coding})'))
    lines = ["// Written by tables.py; not to be edited.", ""]
    for value_type, members in groups.items():
        lines += extension(f"MTLCap.Capability where Value == {value_type}", members)
    for swift_type, rows_of_it in (
        ("MTLCap.Profile", [(row.summary, row.name) for row in rows(library, "profile", Profile)]),
        ("MTLCap.Hazard", [(row.when, row.name) for row in rows(library, "hazard", Hazard)]),
    ):
        lines += extension(swift_type, [
            constant(f"{doc.decode()}.", name.decode(), f'Self("{name.decode()}")')
            for doc, name in rows_of_it])
    return "\n".join(lines)


def missing_statuses():
    statuses = re.findall(r"^    X\((E_\w+), -\d+,", HEADER.read_text(encoding="utf-8"), re.MULTILINE)
    if len(statuses) < 10:
        sys.exit("tables.py: the header's statuses cannot be read")
    errors = (SOURCES / "MTLCapError.swift").read_text(encoding="utf-8")
    return [name for name in statuses if errors.count(f"MTLCAP_{name}.rawValue") < 2]


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    names = SOURCES / "Names.swift"
    wanted = generate(ctypes.CDLL(sys.argv[1]))
    if not sys.argv[2:]:
        names.write_text(wanted, encoding="utf-8")
        return
    missing = missing_statuses()
    if missing:
        sys.exit(f"MTLCapError.swift has no case for {', '.join(missing)}")
    if not names.exists() or names.read_text(encoding="utf-8") != wanted:
        sys.exit("Names.swift is not what the C library knows: run bindings/swift/tables.py LIBRARY")


main()
