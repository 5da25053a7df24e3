"""The hooks' functions have no tables for unwinding on arm64 (lib/CMakeLists.txt): none of them calls.

Usage: hook_frames.py --bundle FOLDER

A function that jumps to what it calls has no frame, and an exception passes without it.
"""

import argparse
import pathlib
import struct
import sys

import macho


def slice_of(data, processor):
    """A part of a universal file."""
    count = struct.unpack_from(">I", data, 4)[0]
    for i in range(count):
        kind = struct.unpack_from(">5I", data, 8 + 20 * i)
        if macho.PROCESSORS.get(kind[:2]) == processor:
            return data[kind[2]:kind[2] + kind[3]]
    sys.exit(f"hook_frames: no {processor} in the library")


def members(archive):
    """Names and contents, with names as BSD's ar writes them."""
    place = len(b"!<arch>\n")
    while place < len(archive):
        name, size = archive[place:place + 16].decode().strip(), int(archive[place + 48:place + 58])
        content = archive[place + 60:place + 60 + size]
        if name.startswith("#1/"):
            length = int(name[3:])
            name, content = content[:length].rstrip(b"\0").decode(), content[length:]
        yield name.rstrip("/"), content
        place += 60 + size + size % 2


def calls(content):
    """How many instructions of an object's code are BL or BLR."""
    place, count = 32, 0
    for _ in range(struct.unpack_from("<I", content, 16)[0]):
        kind, size = struct.unpack_from("<2I", content, place)
        if kind == macho.LC_SEGMENT_64:
            for section in range(struct.unpack_from("<I", content, place + 64)[0]):
                name, _, _, length, offset = struct.unpack_from("<16s16s2QI", content,
                                                                place + 72 + 80 * section)
                if name.rstrip(b"\0") == b"__text":
                    words = struct.unpack_from(f"<{length // 4}I", content, offset)
                    count += sum(word >> 26 == 0x25 or word & 0xFFFFFC1F == 0xD63F0000
                                 for word in words)
        place += size
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bundle", type=pathlib.Path)
    bundle = parser.parse_known_args()[0].bundle
    library = next(bundle.glob("mtlcap-*/lib/libmtlcap.a")).read_bytes()
    found = {name.removesuffix(".o").removesuffix(".c"): calls(content)
             for name, content in members(slice_of(library, "arm64")) if name.startswith("hook")}
    print("calls:", found)
    if found.get("hook_functions") != 0:
        sys.exit("hook_frames: a hook's function calls: it needs its tables for unwinding")
    if not found.get("hook_path"):
        sys.exit("hook_frames: no call is seen in hook_path.c either: they are not found here")


main()
