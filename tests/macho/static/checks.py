"""What the macOS files must be, slice by slice: a function a check, which yields complaints.

    checks.py --list
    checks.py NAME --bundle FOLDER --source FOLDER --sdk FOLDER

--bundle is what scripts/macos.sh made, --source the repository, --sdk what cmake/darwin/sdk.py
made.
"""

import argparse
import pathlib
import re
import sys
from dataclasses import dataclass

import dyld
import linking
import macho
import signature
from products import LIBRARIES, METAL, names, products

CHECKS = {}
MACOS, MINIMUM = 1, 11 << 16  # versions are packed as xxxx.yy.zz
# MH_NOUNDEFS, MH_DYLDLINK, MH_TWOLEVEL, and MH_NO_REEXPORTED_DYLIBS or MH_PIE; a library with
# variables of threads says so.
FLAGS = {macho.MH_DYLIB: 0x100085, macho.MH_EXECUTE: 0x200085}
MH_HAS_TLV_DESCRIPTORS = 0x800000
# dyld is more lenient with files of an older SDK; of the program's, Metal makes something.
SDK, PROGRAM_SDK = 11 << 16 | 3 << 8, 14 << 16


def check(function):
    CHECKS[function.__name__.replace("_", "-")] = function
    return function


@dataclass
class Context:
    """What else a check may look at."""
    source: pathlib.Path
    bundle: pathlib.Path
    sdk: pathlib.Path


# ---- what it is -------------------------------------------------------------

@check
def processor(image, product, _):
    """Plain arm64 or x86_64, a library or a program, as its header says."""
    if image.processor is None:
        yield (f"processor {image.cputype:#x}, subtype {image.cpusubtype:#x}: neither x86_64 nor "
               "plain arm64 (an arm64e slice needs Apple's linker)")
    if image.cpusubtype & macho.CPU_SUBTYPE_LIB64 and image.filetype != macho.MH_EXECUTE:
        yield f"subtype {image.cpusubtype:#x} is a program's"
    if image.filetype != product.filetype:
        yield f"file type {image.filetype}, not {product.filetype}"
    if image.flags & ~MH_HAS_TLV_DESCRIPTORS != FLAGS[product.filetype]:
        yield f"flags {image.flags:#x}, not {FLAGS[product.filetype]:#x}"


@check
def version(image, product, _):
    """For macOS 11, with the SDK that is meant."""
    command = image.one(macho.LC_BUILD_VERSION)
    found = image.fields(command, "3I") if command else ()
    program = product.filetype == macho.MH_EXECUTE
    right = MACOS, MINIMUM, PROGRAM_SDK if program else SDK
    if found != right:
        yield f"LC_BUILD_VERSION (platform, minimum, SDK) is {found}, not {right}"


@check
def identity(image, product, _):
    """Its own name, and where it looks for libraries, work wherever the folder is."""
    if [load.path for load in image.ids] != product.identity:
        yield f"named {[load.path for load in image.ids]}, not {product.identity}"
    if image.rpaths != product.rpaths:
        yield f"run-time paths {image.rpaths}, not {product.rpaths}"


@check
def paths(image, _product, context):
    """No trace of the machine that it was built on, and no debug map."""
    for path in (context.source, context.bundle, pathlib.Path.home()):
        if len(path.parts) > 1 and str(path).encode() in image.data:
            yield f"contains {path}"
    for symbol in image.symbols():
        if symbol.type & macho.N_STAB:
            yield f"debug symbol {symbol.name}"


# ---- what it gives and takes ------------------------------------------------

@check
def exports(image, product, _):
    """Exports what its list says, in the tree that dyld reads and in the table of linkers."""
    tree = linking.exports(image)
    table = {symbol.name for symbol in image.symbols()
             if symbol.type & macho.N_EXT and symbol.section and not symbol.type & macho.N_STAB}
    for name in sorted(product.exports ^ set(tree)):
        yield f"{name} is {'exported' if name in tree else 'not exported'}"
    for name in sorted(product.exports ^ table):
        yield f"{name} is {'in' if name in table else 'not in'} the table of symbols"
    for name, address in tree.items():
        address += image.segment("__TEXT").address
        if name != "__mh_execute_header" and not image.is_code(address):
            yield f"{name} at {address:#x} is not code"


@check
def loads(image, product, _):
    """Loads the libraries it may, and Metal only if it is there."""
    found = {load.path: load.kind for load in image.loads}
    for path in sorted(found.keys() | product.loads.keys()):
        if found.get(path) != product.loads.get(path):
            yield f"{path}: {found.get(path)!r}, not {product.loads.get(path)!r}"


@check
def imports(image, product, context):
    """Takes from each library what its list says macOS 11 has, by name and library."""
    allowed = {path: allow_list(context.source / "cmake/darwin" / tbd, f"{image.processor}-macos")
               for path, tbd in LIBRARIES.items()}
    own = names(context.source / "lib/exports.txt")
    bound = set()
    for bind in linking.binds(image):
        bound.add(bind.symbol)
        if not 0 < bind.library <= len(image.loads):
            yield f"{bind.symbol} comes from no certain library: {bind.library}"
            continue
        load = image.loads[bind.library - 1]
        if bind.symbol not in allowed.get(load.path, own):
            yield f"{bind.symbol} of {load.path} is not allowed"
        if bind.weak != (load.kind == "weak"):
            yield f"{bind.symbol} is {'' if bind.weak else 'not '}weak"
    undefined = {symbol.name for symbol in image.symbols()
                 if not symbol.type & (0x0E | macho.N_STAB) and symbol.type & macho.N_EXT}
    for name in sorted(bound ^ undefined):
        yield f"{name} is {'bound' if name in bound else 'undefined'} only"


def allow_list(path, target):
    """The symbols that a .tbd file has for a target."""
    found = set()
    for targets, symbols in re.findall(
            r"- targets:\s*\[([^]]*)\]\s*symbols:\s*\[([^]]*)\]", path.read_text()):
        if target in targets.replace(",", " ").split():
            symbols = re.sub(r"#.*", "", symbols)
            found.update(symbol.strip(" '\n") for symbol in symbols.split(","))
    return found


# ---- what it does when it is loaded -----------------------------------------

@check
def interposing(image, product, _):
    """The tuples of dyld's interposing: ours, and what it takes the place of, bound weakly."""
    section = image.section("__DATA", "__interpose")
    size = section.size if section else 0
    if size != 16 * len(product.interposed):
        yield f"__interpose has {size} bytes, not those of {len(product.interposed)} tuples"
        return
    rebased = {rebase.address for rebase in linking.rebases(image)}
    bound = {bind.address: bind for bind in linking.binds(image)}
    found = []
    for address in range(section.address, section.address + size, 16) if section else ():
        (ours,) = macho.unpack("<Q", image.data, image.place_of(address))
        if address not in rebased or not image.is_code(ours):
            yield f"the tuple at {address:#x} does not lead to a function of ours"
        bind = bound.get(address + 8)
        if bind is None or not bind.weak or image.loads[bind.library - 1].path != METAL:
            yield f"the tuple at {address:#x} does not replace a function of Metal, weakly bound"
        else:
            found.append(bind.symbol)
    if sorted(found) != sorted(product.interposed):
        yield f"replaces {sorted(found)}, not {sorted(product.interposed)}"


@check
def initialisers(image, product, _):
    """Runs nothing when it is loaded, unless it is there to."""
    kinds = {macho.S_MOD_INIT_FUNC_POINTERS: 8, macho.S_INIT_FUNC_OFFSETS: 4}
    count = sum(section.size // kinds[section.flags & 0xFF] for section in image.sections
                if section.flags & 0xFF in kinds)
    if count != product.initialisers:
        yield f"{count} initialisers, not {product.initialisers}"


@check
def signed(image, product, _):
    """Signed ad hoc, by the linker, without entitlements; each page has the hash that is signed."""
    blobs = signature.blobs(image)
    if [magic for _, magic, _, _ in blobs] != [signature.CODE_DIRECTORY]:
        yield f"holds {[hex(magic) for _, magic, _, _ in blobs]}, not a code directory alone"
    found = signature.directory(image)
    if found.flags != signature.ADHOC | signature.LINKER_SIGNED:
        yield f"flags {found.flags:#x} are not those of an ad-hoc signature by a linker"
    if (found.hash_type, found.hash_size, found.page_size) != (signature.SHA256, 32, 4096):
        yield f"hash {found.hash_type} of {found.hash_size} bytes for {found.page_size}"
    if found.code_slots != -(-found.code_limit // found.page_size) or found.special_slots:
        yield f"{found.code_slots} hashes for {found.code_limit} bytes"
    text = image.segment("__TEXT")
    program = signature.EXECSEG_MAIN_BINARY if product.filetype == macho.MH_EXECUTE else 0
    if (found.exec_base, found.exec_limit, found.exec_flags) != (text.offset, text.size, program):
        yield "the executable segment is not __TEXT"
    for page in signature.wrong_pages(image, found):
        yield f"page {page} is not what was signed"


@check
def rules_of_dyld(image, _product, _):
    """What dyld asks of an image: dyld.py."""
    for name, rule in dyld.RULES.items():
        try:
            for complaint in rule(image):
                yield f"{name}: {complaint}"
        except macho.Malformed as problem:
            yield f"{name}: malformed: {problem}"


# ---- files ------------------------------------------------------------------

def check_slices(data, thin):
    """A file for both processors: two slices, aligned, each the very file that was linked."""
    slices = macho.slices(data)
    found = [macho.PROCESSORS.get((s.cputype, s.cpusubtype)) for s in slices]
    if found != ["x86_64", "arm64"]:
        have = [(hex(s.cputype), hex(s.cpusubtype)) for s in slices]
        yield f"slices {have}: not x86_64 and arm64"
        return
    end = 8 + 20 * len(slices)
    for processor, s in zip(found, slices):
        if s.offset < end or s.offset + s.size > len(data):
            yield f"{processor}: overlaps, or ends outside the file"
        if s.offset % (1 << s.align) or (1 << s.align) < macho.PAGE[processor]:
            yield f"{processor}: not aligned to pages"
        if data[s.offset:s.offset + s.size] != thin[processor]:
            yield f"{processor}: not the file that was linked"
        end = s.offset + s.size
    if end != len(data):
        yield "something is behind the last slice"


def check_allow_list(ours, apple):
    """What we allow of libSystem, Apple's list of a newer macOS has too."""
    for target, theirs in (("x86_64-macos", "x86_64-macos"), ("arm64-macos", "arm64e-macos")):
        allowed = allow_list(ours, target)
        if not allowed:
            yield f"{target}: empty"
        for name in sorted(allowed - allow_list(apple, theirs)):
            yield f"{target}: {name} is not in libSystem"


def complaints(name, context):
    """What a check has to say about all files: text a complaint."""
    if name == "allow-list":
        yield from check_allow_list(context.source / "cmake/darwin/libSystem.tbd",
                                    context.sdk / "libSystem-apple.tbd")
        return
    (fat,) = [path for path in context.bundle.glob("mtlcap-*-macos") if path.is_dir()]
    for product in products(context.source):
        thin = {processor: (context.bundle / processor / product.file).read_bytes()
                for processor in macho.PAGE}
        if name == "slices":
            for complaint in check_slices((fat / product.file).read_bytes(), thin):
                yield f"{product.file}: {complaint}"
            continue
        for processor, data in thin.items():
            try:
                for complaint in CHECKS[name](macho.Image(data), product, context):
                    yield f"{product.file}, {processor}: {complaint}"
            except macho.Malformed as problem:
                yield f"{product.file}, {processor}: malformed: {problem}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", choices=NAMES)
    parser.add_argument("--list", action="store_true")
    for option in ("--bundle", "--source", "--sdk"):
        parser.add_argument(option, type=pathlib.Path)
    options = parser.parse_args()
    if options.list:
        print(*NAMES, sep="\n")
        return
    context = Context(options.source, options.bundle, options.sdk)
    found = list(complaints(options.name, context))
    print(*found, sep="\n")
    if found:
        sys.exit(f"checks: {options.name}: {len(found)} complaints")


NAMES = ["slices", "allow-list", *CHECKS]

if __name__ == "__main__":
    main()
