"""refused.py LOADER LIBRARY WORK: what the loader must not load, it refuses with a sentence."""

import pathlib
import struct
import subprocess
import sys

LC_DYLD_INFO_ONLY = 0x80000022


def command(data, wanted):
    place = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        found, size = struct.unpack_from("<II", data, place)
        if found == wanted:
            return place
        place += size
    raise LookupError(hex(wanted))


def put(data, place, number):
    struct.pack_into("<I", data, place, number)


def edit(name):
    """The edits, by what the loader must say about the result."""
    def decorate(function):
        edits.append((name, function))
        return function
    edits = edit.all
    return decorate


edit.all = []


@edit("is too short")
def empty(data):
    del data[:]


@edit("is no Mach-O file")
def other(data):
    data[:4] = b"\x7fELF"


@edit("is for another processor")
def other_processor(data):
    put(data, 4, 0x0100000C)


@edit("is of type 1")
def object_file(data):
    put(data, 12, 1)


@edit("ends inside of segment")
def truncated(data):
    del data[len(data) // 2:]


@edit("malformed load command")
def short_command(data):
    put(data, 36, 4)


@edit("a load command 0x800000ff, which this loader does not know")
def unknown_command(data):
    put(data, command(data, LC_DYLD_INFO_ONLY), 0x800000FF)


@edit("malformed rebase opcodes")
def rebase_opcode(data):
    data[struct.unpack_from("<I", data, command(data, LC_DYLD_INFO_ONLY) + 8)[0]] = 0xF0


@edit("outside of its writable segments")
def rebase_elsewhere(data):
    place = struct.unpack_from("<I", data, command(data, LC_DYLD_INFO_ONLY) + 8)[0]
    data[place:place + 4] = b"\x11\x20\x00\x51"  # the first segment, which is code


@edit("malformed bind opcodes")
def bind_opcode(data):
    data[struct.unpack_from("<I", data, command(data, LC_DYLD_INFO_ONLY) + 16)[0]] = 0xF0


@edit("imports _colloc from /usr/lib/libSystem.B.dylib, which tests/macho/load/imports.def does not")
def unknown_import(data):
    place = data.index(b"\0@_calloc\0" if b"\0@_calloc\0" in data else b"_calloc\0")
    place = data.index(b"_calloc\0", place)
    while place >= 0:
        data[place:place + 8] = b"_colloc\0"
        place = data.find(b"_calloc\0", place)


def main():
    loader, library, work = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    original = pathlib.Path(library).read_bytes()
    cases = [("cannot be opened", work / "missing.dylib"), ("is not a regular file", work),
             ("is no program", pathlib.Path(library))]
    for said, function in edit.all:
        data = bytearray(original)
        function(data)
        path = work / f"{function.__name__}.dylib"
        path.write_bytes(data)
        cases.append((said, path))
    wrong = 0
    for said, path in cases:
        result = subprocess.run([loader, str(path)], capture_output=True, text=True, timeout=60)
        if result.returncode != 1 or f"{path}: " not in result.stderr or said not in result.stderr:
            wrong += 1
            print(f"{path.name}: should say '{said}': {result.returncode}, {result.stderr!r}")
    print(f"{len(cases)} files, {wrong} not refused as they should be")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
