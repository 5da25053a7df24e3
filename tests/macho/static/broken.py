"""Negative tests of the checks: each must refuse a copy of our files that is broken in its way.

    broken.py --bundle FOLDER --source FOLDER --sdk FOLDER --work FOLDER

Most copies are broken in the bytes; what a linker would do wrong is linked wrong (wrong_links.py).
"""

import argparse
import pathlib
import re
import struct
import sys
from collections import namedtuple

import checks
import dyld
import linking
import macho
import signature
import wrong_links
from products import products

# rule: of dyld, if `check` is about them. spoil(data, image) breaks a copy in place.
Case = namedtuple("Case", "check rule wrong expected file spoil")
LIBRARY, COMMAND = "lib/libmtlcap.dylib", "bin/mtlcap"

def put(data, place, form, *values):
    struct.pack_into("<" + form, data, place, *values)


def field(image, kind, offset):
    return image.one(kind).place + offset


def patch_segment(name, offset, form, value):
    return lambda data, image: put(data, image.segment(name).place + offset, form, value)


def patch_command(kind, offset, form, value):
    return lambda data, image: put(data, field(image, kind, offset), form, value)


def patch_section(segment, name, offset, form, value):
    return lambda data, image: put(data, image.section(segment, name).place + offset, form, value)


def replace(old, new):
    """The first place where `old` is; `new` is as long."""
    def function(data, _):
        place = data.index(old)
        data[place:place + len(old)] = new
    assert len(old) == len(new)
    return function


# Where in their commands the members are: <mach-o/loader.h>.
SEGMENT_ADDRESS, SEGMENT_VMSIZE = 24, 32
SEGMENT_MAXPROT, SEGMENT_INITPROT, SEGMENT_FLAGS = 56, 60, 68
SECTION_SIZE, SECTION_OFFSET, SECTION_FLAGS = 40, 48, 64


def exported(image):
    return next(symbol for symbol in image.symbols() if symbol.name == "_mtlcap_restore")


def patch_part(data, image, name, old, new):
    content, place = image.part(name)
    at = place + content.index(old)
    data[at:at + len(old)] = new


def cases(source):
    for name, wrong, expected, spoil, *file in [
        ("processor", "an arm64e slice", "arm64e", lambda data, _: put(data, 8, "I", 0x80000002)),
        ("processor", "a library with a program's subtype", "a program's",
         lambda data, _: put(data, 4, "2I", 0x01000007, 0x80000003)),
        ("processor", "a bundle", "file type 8", lambda data, _: put(data, 12, "I", 8)),
        ("processor", "a flat namespace", "flags", lambda data, image: put(data, 24, "I",
                                                                           image.flags & ~0x80)),
        ("version", "iOS", r"\(2, ", patch_command(macho.LC_BUILD_VERSION, 8, "I", 2)),
        ("version", "minimum macOS 12", str(12 << 16),
         patch_command(macho.LC_BUILD_VERSION, 12, "I", 12 << 16)),
        ("version", "a newer SDK", str(15 << 16),
         patch_command(macho.LC_BUILD_VERSION, 16, "I", 15 << 16)),
        ("identity", "an absolute name", "named", replace(b"@rpath/", b"/rpath/")),
        ("identity", "another run-time path", "run-time paths",
         replace(b"@executable_path/../lib", b"@executable_path/../LIB"), COMMAND),
        ("paths", "a path of this machine", "contains",
         lambda data, image: put(data, image.section("__TEXT", "__cstring").offset, "200s",
                                 str(source).encode())),
        ("paths", "a debug symbol", "debug symbol",
         lambda data, image: put(data, next(image.symbols()).place + 4, "B", 0x66)),
        ("exports", "a renamed export", "_mtlcap_adopt_devicX is exported",
         lambda data, image: patch_part(data, image, "exports", b"dopt_device", b"dopt_devicX")),
        ("exports", "an export that is private to linkers", "not in the table",
         lambda data, image: put(data, exported(image).place + 4, "B", 0x0E)),
        ("loads", "libobjc weak", "libobjc",
         lambda data, image: put(data, image.loads[0].place, "I", macho.LC_LOAD_WEAK_DYLIB)),
        ("loads", "another library", "libobjc.B", replace(b"libobjc.A", b"libobjc.B")),
        ("imports", "a function that is not in the list", "_strchX .*not allowed",
         lambda data, image: patch_part(data, image, "lazy binds", b"_strchr\0", b"_strchX\0")),
        ("imports", "a weak function of a library that is not", "is weak",
         lambda data, image: patch_part(data, image, "lazy binds", b"\x40_strchr", b"\x41_strchr")),
        ("imports", "a function of any library", "no certain library",
         lambda data, image: patch_part(data, image, "binds", b"\x12", b"\x3E")),
        ("signed", "one bit of the code", "^page ",
         lambda data, image: put(data, image.section("__TEXT", "__text").offset + 100, "I", 0)),
        ("signed", "one bit of the last page", "^page ",
         lambda data, image: put(data, signature.directory(image).code_limit - 1, "B", 0xFF)),
        ("signed", "hardened runtime", "flags",
         lambda data, image: put(data, signature.directory(image).place + 13, "B", 1)),
        ("signed", "no signature", "malformed: not signed",
         patch_command(macho.LC_CODE_SIGNATURE, 0, "I", macho.LC_DATA_IN_CODE)),
        ("signed", "a signature that ends early", "hashes for",
         lambda data, image: put(data, signature.directory(image).place + 31, "B", 1)),
        ("rules-of-dyld:identity", "a library without a name", "0 LC_ID_DYLIB",
         patch_command(macho.LC_ID_DYLIB, 0, "I", macho.LC_LOAD_DYLIB)),
        ("rules-of-dyld:uuid", "an empty UUID", "LC_UUID",
         patch_command(macho.LC_UUID, 8, "16s", bytes(16))),
        ("rules-of-dyld:text", "writable code", "protections",
         patch_segment("__TEXT", SEGMENT_INITPROT, "I", 7)),
        ("rules-of-dyld:linkedit", "a writable __LINKEDIT", "protections",
         patch_segment("__LINKEDIT", SEGMENT_INITPROT, "I", 3)),
        ("rules-of-dyld:linkedit-parts", "overlapping tables", "overlap",
         lambda data, image: put(data, field(image, macho.LC_SYMTAB, 8), "I",
                                 image.part("function starts")[1])),
        ("rules-of-dyld:linkedit-parts", "a table that is not aligned", "not aligned",
         lambda data, image: put(data, field(image, macho.LC_FUNCTION_STARTS, 8), "I",
                                 image.part("function starts")[1] + 4)),
        ("rules-of-dyld:data-const", "constants that stay writable", "flags 0x0",
         patch_segment("__DATA_CONST", SEGMENT_FLAGS, "I", 0)),
        ("rules-of-dyld:protections", "data that may be executed", "written and executed",
         patch_segment("__DATA", SEGMENT_MAXPROT, "I", 7)),
        ("rules-of-dyld:segments", "a segment that is not on a page", "not aligned",
         lambda data, image: put(data, image.segment("__DATA").place + SEGMENT_ADDRESS, "Q",
                                 image.segment("__DATA").address + 0x800)),
        ("rules-of-dyld:segments", "overlapping segments", "overlaps",
         lambda data, image: put(data, image.segment("__DATA_CONST").place + SEGMENT_VMSIZE, "Q",
                                 2 * image.segment("__DATA_CONST").vmsize)),
        ("rules-of-dyld:sections", "a section beyond its segment", "inside its segment",
         patch_section("__DATA", "__bss", SECTION_SIZE, "Q", 1 << 20)),
        ("rules-of-dyld:sections", "a section elsewhere in the file", "where its segment",
         patch_section("__DATA", "__data", SECTION_OFFSET, "I", 64)),
        ("rules-of-dyld:links", "no libSystem", "libSystem",
         replace(b"libSystem.B", b"libSystem.C")),
        ("rules-of-dyld:duplicates", "two segments of one name", "__DATA is there 2 times",
         patch_segment("__DATA_CONST", 8, "16s", b"__DATA")),
        ("rules-of-dyld:build-version", "the platform said in the old way", "LC_BUILD_VERSION",
         patch_command(macho.LC_BUILD_VERSION, 0, "I", macho.LC_VERSION_MIN_MACOSX)),
        ("rules-of-dyld:one-format", "chained fixups besides", "chained",
         patch_command(macho.LC_FUNCTION_STARTS, 0, "I", macho.LC_DYLD_CHAINED_FIXUPS)),
        ("rules-of-dyld:fixups", "fixups in what cannot be written", "no writable segment",
         patch_segment("__DATA", SEGMENT_INITPROT, "I", 1)),
        ("rules-of-dyld:fixups", "a pointer out of the image", "leads out",
         lambda data, image: put(data, image.place_of(linking.rebases(image)[0].address), "Q",
                                 1 << 40)),
        ("rules-of-dyld:symbols", "a symbol too many", "not three groups",
         lambda data, image: put(data, field(image, macho.LC_SYMTAB, 12), "I", 1)),
        ("rules-of-dyld:symbols", "old relocations", "relocations",
         patch_command(macho.LC_DYSYMTAB, 76, "I", 1)),
        ("rules-of-dyld:initialisers", "a function to run at exit", "at exit",
         patch_section("__DATA", "__data", SECTION_FLAGS, "I", macho.S_MOD_TERM_FUNC_POINTERS)),
        ("rules-of-dyld:initialisers", "an initialiser that is not code", "is not code",
         patch_section("__DATA", "__data", SECTION_FLAGS, "I", macho.S_MOD_INIT_FUNC_POINTERS)),
        ("rules-of-dyld:initialisers", "offsets that can be written", "can be written",
         patch_section("__DATA", "__data", SECTION_FLAGS, "I", macho.S_INIT_FUNC_OFFSETS)),
        ("rules-of-dyld:entry", "an entry in a library", "in a library",
         patch_command(macho.LC_UUID, 0, "I", macho.LC_MAIN)),
        ("rules-of-dyld:entry", "an entry outside the code", "not code",
         patch_command(macho.LC_MAIN, 8, "Q", 0), COMMAND),
        ("rules-of-dyld:signature-place", "a signature that is not aligned", "not aligned",
         lambda data, image: put(data, field(image, macho.LC_CODE_SIGNATURE, 8), "I",
                                 image.part("signature")[1] + 8)),
    ]:
        check, _, rule = name.partition(":")
        yield Case(check, rule, wrong, expected, file[0] if file else LIBRARY, spoil)


def cases_of_files():
    """Copies of a file for both processors."""
    second = 8 + 20
    yield "an arm64e slice", "not x86_64 and arm64", lambda data: struct.pack_into(
        ">I", data, second + 4, 0x80000002)
    yield "a slice that is not on a page", "not aligned", lambda data: struct.pack_into(
        ">I", data, second + 16, 12)
    yield "one bit of a slice", "not the file", lambda data: data.__setitem__(
        -1, data[-1] ^ 1)
    yield "something behind the last slice", "behind", lambda data: data.append(0)
    yield "overlapping slices", "overlaps", lambda data: struct.pack_into(
        ">I", data, second + 8, 0x4000)


class Results:
    def __init__(self):
        self.count = self.failed = 0

    def __call__(self, what, expected, complaints):
        """Among `complaints` must be one that `expected`, a regular expression, matches."""
        self.count += 1
        if not any(re.search(expected, complaint) for complaint in complaints):
            self.failed += 1
            print(f"FAIL {what}: no complaint matches {expected!r}: {complaints or 'none at all'}")


def complaints(check, data, product, context):
    try:
        return list(checks.CHECKS[check](macho.Image(bytes(data)), product, context))
    except macho.Malformed as problem:
        return [f"malformed: {problem}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--bundle", "--source", "--sdk", "--work"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    options = argparse.Namespace(**{
        name: path.resolve() for name, path in vars(parser.parse_args()).items()})
    context = checks.Context(options.source, options.bundle, options.sdk)
    meant = {product.file: product for product in products(options.source)}
    result, tried = Results(), set()

    for case in cases(options.source):
        tried.update((case.check, case.rule))
        for processor in macho.PAGE:
            data = bytearray((options.bundle / processor / case.file).read_bytes())
            case.spoil(data, macho.Image(bytes(data)))
            result(f"{case.check}, {case.rule}, {processor}: {case.wrong}",
                   (f"^({case.rule}: |malformed)" if case.rule else "") + f".*{case.expected}",
                   complaints(case.check, data, meant[case.file], context))

    thin = {processor: (options.bundle / processor / LIBRARY).read_bytes()
            for processor in macho.PAGE}
    (fat,) = options.bundle.glob(f"mtlcap-*-macos/{LIBRARY}")
    tried.update(("slices", "allow-list"))
    for wrong, expected, spoil in cases_of_files():
        data = bytearray(fat.read_bytes())
        spoil(data)
        result(f"slices: {wrong}", expected, list(checks.check_slices(bytes(data), thin)))

    options.work.mkdir(parents=True, exist_ok=True)
    unknown = options.work / "unknown.tbd"
    unknown.write_text((options.source / "cmake/darwin/libSystem.tbd").read_text()
                       .replace("_strchr,", "_strchX,"))
    result("allow-list: a function that nobody has", "_strchX is not in libSystem",
           list(checks.check_allow_list(unknown, options.sdk / "libSystem-apple.tbd")))

    for link in wrong_links.links(options):
        tried.add(link.check)
        found = complaints(link.check, link.data, link.product, context)
        if link.expected is None:
            result.count += 1
            if found:
                result.failed += 1
                print(f"FAIL {link.check}: {link.what}: {found}")
        else:
            result(f"{link.check}: {link.what}", link.expected, found)

    untried = {*checks.NAMES, *dyld.RULES} - tried
    if untried:
        sys.exit(f"broken: no case for {sorted(untried)}")
    print(f"{result.count} broken copies, {result.failed} not refused")
    sys.exit(result.failed != 0)


if __name__ == "__main__":
    main()
