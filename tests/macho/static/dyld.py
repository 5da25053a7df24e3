"""The rules by which dyld takes or refuses an image, one function each: it yields complaints.

They are those of dyld's published sources (mach_o/Image.cpp, UnsafeHeader.cpp, Policy.cpp). Many
apply only to images that were linked for a newer SDK than ours; ours have to keep all of them, so
that a newer linker or SDK brings no surprise.
"""

from collections import Counter

import linking
import macho
import signature
from macho import EXECUTE, READ, WRITE

RULES = {}


def rule(function):
    RULES[function.__name__.replace("_", "-")] = function
    return function


@rule
def identity(image):
    """A library has one LC_ID_DYLIB, a program none."""
    if len(image.ids) != (image.filetype == macho.MH_DYLIB):
        yield f"{len(image.ids)} LC_ID_DYLIB"


@rule
def uuid(image):
    """There is one LC_UUID, and it is not empty."""
    command = image.one(macho.LC_UUID)
    if command is None or not any(image.fields(command, "16B")):
        yield "no LC_UUID, an empty one, or more than one"


@rule
def text(image):
    """__TEXT is read and executed, never written, and begins with the header and all commands."""
    segment = image.segment("__TEXT")
    if segment is None:
        yield "no __TEXT"
        return
    if (segment.initprot, segment.maxprot) != (READ | EXECUTE, READ | EXECUTE):
        yield f"__TEXT has protections {segment.initprot} and {segment.maxprot}, not r-x"
    end = 32 + image.commands_size
    first = min(section.offset for section in image.sections if section.segment == "__TEXT")
    if segment.offset or segment.size < end or first < end:
        yield "__TEXT does not begin with the header and its commands"


@rule
def linkedit(image):
    """__LINKEDIT is read only, and the last in file and memory."""
    segment = image.segment("__LINKEDIT")
    if segment is None:
        yield "no __LINKEDIT"
        return
    if (segment.initprot, segment.maxprot) != (READ, READ):
        yield f"__LINKEDIT has protections {segment.initprot} and {segment.maxprot}, not r--"
    if image.segments[-1] is not segment or segment.offset + segment.size != len(image.data):
        yield "__LINKEDIT is not the end of the file"


@rule
def linkedit_parts(image):
    """What is in __LINKEDIT is inside it, aligned, and does not overlap."""
    segment = image.segment("__LINKEDIT")
    end = segment.offset if segment else 0
    for part in sorted(image.parts(), key=lambda part: part.offset):
        if part.offset < end:
            yield f"{part.name} at {part.offset:#x} overlap what is before them"
        if part.offset % part.align:
            yield f"{part.name} at {part.offset:#x} are not aligned to {part.align}"
        end = part.offset + part.size
    if segment and end > segment.offset + segment.size:
        yield "__LINKEDIT ends before what is in it"


@rule
def data_const(image):
    """__DATA_CONST is writable until it is fixed up, and then read only."""
    segment = image.segment("__DATA_CONST")
    if segment and (segment.initprot, segment.maxprot, segment.flags) != (
            READ | WRITE, READ | WRITE, macho.SG_READ_ONLY):
        yield f"__DATA_CONST has protections {segment.initprot}, flags {segment.flags:#x}"


@rule
def protections(image):
    """Nothing is both writable and executable; what is allowed is no less than what is given."""
    for segment in image.segments:
        if segment.maxprot & WRITE and segment.maxprot & EXECUTE:
            yield f"{segment.name} can be written and executed"
        if segment.initprot & ~segment.maxprot:
            yield f"{segment.name} starts with more than it may have"


@rule
def segments(image):
    """Segments are aligned to pages, in order, and overlap neither in the file nor in memory."""
    page = macho.PAGE.get(image.processor, 1)
    address = offset = 0
    for segment in image.segments:
        size = 0 if segment.name == "__LINKEDIT" else segment.vmsize  # LLVM's linker rounds not
        if segment.address % page or size % page or segment.offset % page:
            yield f"{segment.name} is not aligned to pages"
        if segment.size > segment.vmsize:
            yield f"{segment.name} is larger in the file than in memory"
        if segment.address < address or (segment.size and segment.offset < offset):
            yield f"{segment.name} overlaps what is before it"
        if segment.offset + segment.size > len(image.data):
            yield f"{segment.name} ends outside the file"
        address = segment.address + segment.vmsize
        offset = max(offset, segment.offset + segment.size)


@rule
def sections(image):
    """Sections are inside their segments, in memory and in the file, and do not overlap."""
    ends = {}
    for section in image.sections:
        segment = image.segment(section.segment)
        if segment is None:
            yield f"{section.name} is of no segment: {section.segment}"
            continue
        if not (segment.address <= section.address
                and section.address + section.size <= segment.address + segment.vmsize):
            yield f"{section.segment},{section.name} is not inside its segment"
        if section.flags & 0xFF not in macho.ZERO_FILL and (
                section.offset - segment.offset != section.address - segment.address
                or section.offset + section.size > segment.offset + segment.size):
            yield f"{section.segment},{section.name} is not where its segment has it in the file"
        if section.address < ends.get(section.segment, 0):
            yield f"{section.segment},{section.name} overlaps what is before it"
        ends[section.segment] = section.address + section.size


@rule
def links(image):
    """It links something: libSystem at least."""
    if "/usr/lib/libSystem.B.dylib" not in [load.path for load in image.loads]:
        yield "does not link libSystem"


@rule
def duplicates(image):
    """No library, run-time path or segment is named twice."""
    for kind, names in (("library", [load.path for load in image.loads]),
                        ("run-time path", image.rpaths),
                        ("segment", [segment.name for segment in image.segments])):
        for name, count in Counter(names).items():
            if count > 1:
                yield f"{kind} {name} is there {count} times"


@rule
def build_version(image):
    """The platform is said once, in LC_BUILD_VERSION."""
    if image.one(macho.LC_BUILD_VERSION) is None or image.all(macho.LC_VERSION_MIN_MACOSX):
        yield "not one LC_BUILD_VERSION, or LC_VERSION_MIN_MACOSX"


@rule
def one_format(image):
    """Fixups are in one format: the tables of dyld, not the chains that macOS 11 does not know."""
    if image.one(macho.LC_DYLD_INFO_ONLY) is None or image.all(macho.LC_DYLD_INFO):
        yield "not one LC_DYLD_INFO_ONLY"
    if image.all(macho.LC_DYLD_CHAINED_FIXUPS) or image.all(macho.LC_DYLD_EXPORTS_TRIE):
        yield "chained fixups, which need macOS 12"


@rule
def fixups(image):
    """Fixups are aligned, in sections of writable segments, none is there twice, and pointers into
    the image stay there."""
    ends = [(segment.address, segment.address + segment.vmsize) for segment in image.segments
            if segment.initprot]
    seen = set()
    for fixup in linking.rebases(image) + linking.binds(image):
        # A lazy pointer is both: it leads to its helper until it is bound.
        lazy = getattr(fixup, "kind", "") == "lazy binds"
        section = image.section_at(fixup.address)
        segment = image.segment(section.segment) if section else None
        if segment is None or not segment.initprot & WRITE or fixup.address % 8:
            yield f"a fixup at {fixup.address:#x} is in no writable segment, or not aligned"
            continue
        if fixup.address in seen and not lazy:
            yield f"two fixups at {fixup.address:#x}"
        seen.add(fixup.address)
        if isinstance(fixup, linking.Rebase):
            (target,) = macho.unpack("<Q", image.data, image.place_of(fixup.address))
            if not any(start <= target < end for start, end in ends):
                yield f"the pointer at {fixup.address:#x} leads out of the image: {target:#x}"


@rule
def symbols(image):
    """The two tables of symbols agree, and nothing is relocated in the old way."""
    symtab, dysymtab = image.one(macho.LC_SYMTAB), image.one(macho.LC_DYSYMTAB)
    if symtab is None or dysymtab is None:
        yield "not one LC_SYMTAB and one LC_DYSYMTAB"
        return
    count = image.fields(symtab, "4I")[1]
    numbers = image.fields(dysymtab, "18I")
    local, locals_, external, externals, undefined, undefineds = numbers[:6]
    if (local, external, undefined, undefined + undefineds) != (
            0, locals_, external + externals, count):
        yield f"{numbers[:6]} are not three groups of {count} symbols"
    if numbers[15] or numbers[17]:
        yield "relocations besides fixups"


@rule
def initialisers(image):
    """Initialisers are pointers to code, or offsets of code that nobody can write."""
    code = image.section("__TEXT", "__text")
    for section in image.sections:
        kind = section.flags & 0xFF
        if kind == macho.S_MOD_TERM_FUNC_POINTERS:
            yield f"{section.name}: a function to run at exit"
        if kind not in (macho.S_MOD_INIT_FUNC_POINTERS, macho.S_INIT_FUNC_OFFSETS):
            continue
        size = 8 if kind == macho.S_MOD_INIT_FUNC_POINTERS else 4
        if size == 4 and image.segment(section.segment).maxprot & WRITE:
            yield f"{section.name} can be written"
        if section.address % size or section.size % size:
            yield f"{section.name} is not aligned to {size}"
            continue
        for place in range(section.offset, section.offset + section.size, size):
            (target,) = macho.unpack("<Q" if size == 8 else "<I", image.data, place)
            if size == 4:
                target += image.segment("__TEXT").address
            if code is None or not code.address <= target < code.address + code.size:
                yield f"{section.name}: {target:#x} is not code"


@rule
def entry(image):
    """A program has one LC_MAIN that leads to code, and is loaded by dyld; a library neither."""
    program = image.filetype == macho.MH_EXECUTE
    counts = [len(image.all(kind)) for kind in (macho.LC_MAIN, macho.LC_LOAD_DYLINKER)]
    if counts != [program, program]:
        yield "LC_MAIN or LC_LOAD_DYLINKER: not one each, or in a library"
    elif program:
        offset, _ = image.fields(image.one(macho.LC_MAIN), "2Q")
        code = image.section("__TEXT", "__text")
        if not code.offset <= offset < code.offset + code.size:
            yield f"LC_MAIN leads to {offset:#x}, which is not code"


@rule
def signature_place(image):
    """The signature is aligned to 16 and the last in the file, and covers all before it."""
    command = image.one(macho.LC_CODE_SIGNATURE)
    if command is None:
        yield "not signed, or more than once"
        return
    place, size = image.fields(command, "2I")
    if place % 16 or place + size != len(image.data):
        yield f"the signature at {place:#x} is not aligned, or not the last in the file"
    elif signature.directory(image).code_limit != place:
        yield f"the signature does not cover all up to {place:#x}"
