"""move.py FILE ADDRESSES OFFSETS: moves a Mach-O library with chained fixups to where the linker never
puts it, away from 0, and writes it twice: with DYLD_CHAINED_PTR_64, whose targets are addresses, and
with DYLD_CHAINED_PTR_64_OFFSET, which the linker does not write, whose targets count from the header.
"""

import pathlib
import struct
import sys

LC_SEGMENT_64, LC_DYLD_CHAINED_FIXUPS = 0x19, 0x80000034
PTR_64, PTR_64_OFFSET, NONE = 2, 6, 0xFFFF
BASE = 0x180000000


def add(data, place, number):
    struct.pack_into("<Q", data, place, struct.unpack_from("<Q", data, place)[0] + number)


def move_segments(data):
    """Returns the segments' places in the file, and that of the fixups."""
    segments, fixups, place = [], None, 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, size = struct.unpack_from("<II", data, place)
        if command == LC_SEGMENT_64:
            segments.append(struct.unpack_from("<Q", data, place + 40)[0])
            add(data, place + 24, BASE)
            for section in range(struct.unpack_from("<I", data, place + 64)[0]):
                add(data, place + 72 + 80 * section + 32, BASE)
        if command == LC_DYLD_CHAINED_FIXUPS:
            fixups = struct.unpack_from("<I", data, place + 8)[0]
        place += size
    return segments, fixups


def fix_segment(data, at, file_offset, pointer_format):
    """Returns how many pointers into the image itself there are."""
    page_size, found = struct.unpack_from("<HH", data, at + 4)
    assert found == PTR_64, found
    struct.pack_into("<H", data, at + 6, pointer_format)
    pages = struct.unpack_from("<H", data, at + 20)[0]
    rebased = 0
    for page, start in enumerate(struct.unpack_from(f"<{pages}H", data, at + 22)):
        place, more = file_offset + page * page_size + start, start != NONE
        while more:
            pointer = struct.unpack_from("<Q", data, place)[0]
            if not pointer >> 63:
                rebased += 1
                if pointer_format == PTR_64:
                    add(data, place, BASE)
            more = pointer >> 51 & 0xFFF
            place += 4 * more
    return rebased


def main():
    for output, pointer_format in ((sys.argv[2], PTR_64), (sys.argv[3], PTR_64_OFFSET)):
        data = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
        segments, fixups = move_segments(data)
        starts = fixups + struct.unpack_from("<I", data, fixups + 4)[0]
        rebased = 0
        for index, file_offset in enumerate(segments):
            offset = struct.unpack_from("<I", data, starts + 4 + 4 * index)[0]
            if offset:
                rebased += fix_segment(data, starts + offset, file_offset, pointer_format)
        assert rebased, "there is no pointer that moves"
        pathlib.Path(output).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(output).write_bytes(data)


if __name__ == "__main__":
    main()
