"""A reader of 64-bit Mach-O files: what the checks of this folder need, from the files' own bytes.

Image keeps where in the file each thing is, so that a test can break it there. Whatever does not
fit in the file raises Malformed. The format: Apple's <mach-o/loader.h>, <mach-o/nlist.h>.
"""

import struct
from collections import namedtuple

FAT_MAGIC = 0xCAFEBABE
MH_MAGIC_64 = 0xFEEDFACF
MH_EXECUTE, MH_DYLIB = 2, 6
CPU_SUBTYPE_LIB64 = 0x80000000  # of x86_64: a program
PROCESSORS = {  # any other is not ours: arm64e is 0x0100000C too, with subtype 2
    (0x01000007, 3): "x86_64", (0x01000007, 3 | CPU_SUBTYPE_LIB64): "x86_64",
    (0x0100000C, 0): "arm64",
}
PAGE = {"x86_64": 0x1000, "arm64": 0x4000}

LC_SYMTAB, LC_DYSYMTAB = 0x2, 0xB
LC_LOAD_DYLIB, LC_ID_DYLIB, LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB = 0xC, 0xD, 0x80000018, 0x8000001F
LC_LAZY_LOAD_DYLIB, LC_LOAD_UPWARD_DYLIB = 0x20, 0x80000023
LC_LOAD_DYLINKER, LC_SEGMENT_64, LC_UUID = 0xE, 0x19, 0x1B
LC_RPATH, LC_MAIN = 0x8000001C, 0x80000028
LC_CODE_SIGNATURE, LC_FUNCTION_STARTS, LC_DATA_IN_CODE = 0x1D, 0x26, 0x29
LC_DYLD_INFO, LC_DYLD_INFO_ONLY = 0x22, 0x80000022
LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION = 0x24, 0x32
LC_DYLD_EXPORTS_TRIE, LC_DYLD_CHAINED_FIXUPS = 0x80000033, 0x80000034
LOADS = {
    LC_LOAD_DYLIB: "", LC_LOAD_WEAK_DYLIB: "weak", LC_REEXPORT_DYLIB: "re-export",
    LC_LAZY_LOAD_DYLIB: "lazy", LC_LOAD_UPWARD_DYLIB: "upward",
}

SG_READ_ONLY = 0x10
READ, WRITE, EXECUTE = 1, 2, 4
ZERO_FILL = {0x1, 0xC, 0x12}  # types of sections without bytes in the file
S_MOD_INIT_FUNC_POINTERS, S_MOD_TERM_FUNC_POINTERS, S_INIT_FUNC_OFFSETS = 0x9, 0xA, 0x16
N_STAB, N_EXT = 0xE0, 0x01

Slice = namedtuple("Slice", "cputype cpusubtype offset size align place")
Command = namedtuple("Command", "kind place size")
Segment = namedtuple("Segment", "name address vmsize offset size maxprot initprot flags place")
Section = namedtuple("Section", "name segment address size offset align flags place")
Load = namedtuple("Load", "path kind current compatibility place")
Symbol = namedtuple("Symbol", "name type section description value place")
Part = namedtuple("Part", "name offset size align")


class Malformed(Exception):
    pass


def unpack(form, data, place):
    if place < 0 or place + struct.calcsize(form) > len(data):
        raise Malformed(f"{struct.calcsize(form)} bytes at {place:#x} are outside the file")
    return struct.unpack_from(form, data, place)


def text(data, place, end):
    """The string at `place`, which must end before `end`."""
    stop = data.find(b"\0", place, min(end, len(data)))
    if place < 0 or stop < 0:
        raise Malformed(f"the string at {place:#x} does not end")
    return data[place:stop].decode("utf-8", "replace")


def slices(data):
    """What a file for several processors holds, in its order."""
    magic, count = unpack(">2I", data, 0)
    if magic != FAT_MAGIC:
        raise Malformed(f"not a file for several processors: magic {magic:#x}")
    return [Slice(*unpack(">5I", data, 8 + 20 * i), 8 + 20 * i) for i in range(count)]


class Image:
    """One slice. `data` is all of it: places count from its start."""

    def __init__(self, data):
        self.data = data
        (self.magic, self.cputype, self.cpusubtype, self.filetype, self.command_count,
         self.commands_size, self.flags, _) = unpack("<8I", data, 0)
        if self.magic != MH_MAGIC_64:
            raise Malformed(f"not a 64-bit Mach-O file: magic {self.magic:#x}")
        self.processor = PROCESSORS.get((self.cputype, self.cpusubtype))
        self.commands = list(self._commands())
        self.segments, self.sections = [], []
        for command in self.all(LC_SEGMENT_64):
            self._segment(command)
        self.loads = [self._dylib(command) for command in self.commands if command.kind in LOADS]
        self.ids = [self._dylib(command) for command in self.all(LC_ID_DYLIB)]
        self.rpaths = [self._string(command) for command in self.all(LC_RPATH)]

    # ---- load commands ----

    def _commands(self):
        place, end = 32, 32 + self.commands_size
        for _ in range(self.command_count):
            kind, size = unpack("<2I", self.data, place)
            if size < 8 or size % 8 or place + size > end:
                raise Malformed(f"load command {kind:#x} at {place:#x} has size {size}")
            yield Command(kind, place, size)
            place += size
        if place != end:
            raise Malformed(f"load commands end at {place:#x}, their header says {end:#x}")

    def all(self, kind):
        return [command for command in self.commands if command.kind == kind]

    def one(self, kind):
        """The command of this kind; None if there is none, or more than one."""
        found = self.all(kind)
        return found[0] if len(found) == 1 else None

    def fields(self, command, form):
        """What follows the command's kind and size."""
        return unpack("<" + form, self.data, command.place + 8)

    def _segment(self, command):
        name, address, vmsize, offset, size, maxprot, initprot, count, flags = self.fields(
            command, "16s4Q4I")
        name = name.rstrip(b"\0").decode()
        self.segments.append(
            Segment(name, address, vmsize, offset, size, maxprot, initprot, flags, command.place))
        for i in range(count):
            place = command.place + 72 + 80 * i
            if place + 80 > command.place + command.size:
                raise Malformed(f"segment {name} has no room for {count} sections")
            section, segment, start, length, at, align, _, _, kind = unpack(
                "<16s16s2Q5I", self.data, place)
            self.sections.append(Section(
                section.rstrip(b"\0").decode(), segment.rstrip(b"\0").decode(), start, length, at,
                align, kind, place))

    def _dylib(self, command):
        offset, _, current, compatibility = self.fields(command, "4I")
        path = text(self.data, command.place + offset, command.place + command.size)
        return Load(path, LOADS.get(command.kind, ""), current, compatibility, command.place)

    def _string(self, command):
        (offset,) = self.fields(command, "I")
        return text(self.data, command.place + offset, command.place + command.size)

    # ---- memory ----

    def segment(self, name):
        return next((segment for segment in self.segments if segment.name == name), None)

    def section(self, segment, name):
        return next((section for section in self.sections
                     if (section.segment, section.name) == (segment, name)), None)

    def section_at(self, address):
        return next((section for section in self.sections
                     if section.address <= address < section.address + section.size), None)

    def place_of(self, address):
        """Where in the file the byte at `address` is."""
        for segment in self.segments:
            if segment.address <= address < segment.address + segment.size:
                return segment.offset + address - segment.address
        raise Malformed(f"nothing of the file is at address {address:#x}")

    # ---- link-edit data ----

    def parts(self):
        """All that lies in __LINKEDIT, in the order of the commands that name it."""
        parts = []
        for kind in (LC_DYLD_INFO, LC_DYLD_INFO_ONLY):
            for command in self.all(kind):
                numbers = self.fields(command, "10I")
                names = ("rebases", "binds", "weak binds", "lazy binds", "exports")
                parts += [Part(name, *numbers[2 * i:2 * i + 2], 8) for i, name in enumerate(names)]
        for command in self.all(LC_SYMTAB):
            symbols, count, strings, size = self.fields(command, "4I")
            parts += [Part("symbols", symbols, 16 * count, 8), Part("strings", strings, size, 1)]
        for command in self.all(LC_DYSYMTAB):
            indirect, count = self.fields(command, "18I")[12:14]
            parts.append(Part("indirect symbols", indirect, 4 * count, 4))
        for kind, name, align in ((LC_FUNCTION_STARTS, "function starts", 8),
                                  (LC_DATA_IN_CODE, "data in code", 8),
                                  (LC_DYLD_EXPORTS_TRIE, "exports", 8),
                                  (LC_DYLD_CHAINED_FIXUPS, "chained fixups", 8),
                                  (LC_CODE_SIGNATURE, "signature", 16)):
            parts += [Part(name, *self.fields(command, "2I"), align) for command in self.all(kind)]
        return [part for part in parts if part.size]

    def part(self, name):
        """The bytes of one part, and where they are; nothing if there is none."""
        for part in self.parts():
            if part.name == name:
                if part.offset + part.size > len(self.data):
                    raise Malformed(f"{name} end outside the file")
                return self.data[part.offset:part.offset + part.size], part.offset
        return b"", 0

    def symbols(self):
        command = self.one(LC_SYMTAB)
        if command is None:
            return
        start, count, strings, size = self.fields(command, "4I")
        for place in range(start, start + 16 * count, 16):
            name, kind, section, description, value = unpack("<I2BHQ", self.data, place)
            yield Symbol(text(self.data, strings + name, strings + size), kind, section,
                         description, value, place)
