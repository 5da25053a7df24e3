"""What a Mach-O image exports and imports: dyld's compressed tables, as macOS 11 reads them."""

from collections import namedtuple

from macho import Malformed, text

Rebase = namedtuple("Rebase", "address")
Bind = namedtuple("Bind", "address symbol library weak kind")  # library: its number, from 1

BIND_SYMBOL_FLAGS_WEAK_IMPORT = 1


def uleb(data, place):
    """A number of variable length, and where the next byte is."""
    value = shift = 0
    while True:
        if place >= len(data) or shift > 63:
            raise Malformed("a number runs out of its table")
        value |= (data[place] & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if not data[place - 1] & 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, place


def sleb(data, place):
    start = place
    value, place = uleb(data, place)
    bits = 7 * (place - start)
    return (value - (1 << bits) if value >> (bits - 1) & 1 else value), place


def exports(image):
    """Exported names, each with its address in the image, out of the tree of names."""
    trie, _ = image.part("exports")
    found, nodes, seen = {}, [(0, "")] if trie else [], set()
    while nodes:
        place, name = nodes.pop()
        if place in seen:
            raise Malformed("exports: a branch leads back")
        seen.add(place)
        size, place = uleb(trie, place)
        if size:
            flags, at = uleb(trie, place)
            if flags & ~3:
                raise Malformed(f"exports: {name} has flags {flags:#x}, not those of a definition")
            found[name], _ = uleb(trie, at)
        place += size
        if place >= len(trie):
            raise Malformed("exports: a node runs out of the table")
        count, place = trie[place], place + 1
        for _ in range(count):
            edge = text(trie, place, len(trie))
            child, place = uleb(trie, place + len(edge.encode()) + 1)
            nodes.append((child, name + edge))
    return found


def rebases(image):
    """Pointers into the image itself, which move with it."""
    data, _ = image.part("rebases")
    place, address, found = 0, 0, []
    while place < len(data):
        opcode, immediate, place = data[place] & 0xF0, data[place] & 0x0F, place + 1
        count, step = 0, 0
        if opcode == 0x00:  # done
            break
        if opcode == 0x10:  # kind of what follows
            if immediate != 1:
                raise Malformed(f"rebases: kind {immediate} is not a pointer")
        elif opcode == 0x20:  # segment and offset
            offset, place = uleb(data, place)
            address = _segment(image, immediate).address + offset
        elif opcode == 0x30:
            offset, place = uleb(data, place)
            address += offset
        elif opcode == 0x40:
            address += 8 * immediate
        elif opcode == 0x50:
            count = immediate
        elif opcode == 0x60:
            count, place = uleb(data, place)
        elif opcode == 0x70:
            count = 1
            step, place = uleb(data, place)
        elif opcode == 0x80:
            count, place = uleb(data, place)
            step, place = uleb(data, place)
        else:
            raise Malformed(f"rebases: opcode {opcode:#x}")
        if count > len(image.data):
            raise Malformed(f"rebases: {count} in one go")
        for _ in range(count):
            found.append(Rebase(address))
            address += 8 + step
    return found


def binds(image):
    """Pointers to what other libraries define: at load, and at first call."""
    return _binds(image, "binds") + _binds(image, "lazy binds") + _binds(image, "weak binds")


def _binds(image, kind):
    data, _ = image.part(kind)
    place, address, library, symbol, weak, found = 0, 0, 0, "", False, []
    mask = 0xFFFFFFFFFFFFFFFF
    while place < len(data):
        opcode, immediate, place = data[place] & 0xF0, data[place] & 0x0F, place + 1
        count, step = 0, 0
        if opcode == 0x00:  # done, or, of lazy binds, this one is
            if kind != "lazy binds":
                break
        elif opcode == 0x10:
            library = immediate
        elif opcode == 0x20:
            library, place = uleb(data, place)
        elif opcode == 0x30:  # 0: this image, -1: the program, -2: any
            library = immediate - 16 if immediate else 0
        elif opcode == 0x40:
            symbol = text(data, place, len(data))
            place += len(symbol.encode()) + 1
            weak = bool(immediate & BIND_SYMBOL_FLAGS_WEAK_IMPORT)
        elif opcode == 0x50:
            if immediate != 1:
                raise Malformed(f"{kind}: kind {immediate} is not a pointer")
        elif opcode == 0x60:
            addend, place = sleb(data, place)
            if addend:
                raise Malformed(f"{kind}: {symbol} has an addend")
        elif opcode == 0x70:
            offset, place = uleb(data, place)
            address = _segment(image, immediate).address + offset
        elif opcode == 0x80:
            offset, place = uleb(data, place)
            address = (address + offset) & mask
        elif opcode == 0x90:
            count = 1
        elif opcode == 0xA0:
            count = 1
            step, place = uleb(data, place)
        elif opcode == 0xB0:
            count, step = 1, 8 * immediate
        elif opcode == 0xC0:
            count, place = uleb(data, place)
            step, place = uleb(data, place)
        else:
            raise Malformed(f"{kind}: opcode {opcode:#x}")
        if count > len(image.data):
            raise Malformed(f"{kind}: {count} in one go")
        for _ in range(count):
            found.append(Bind(address, symbol, library, weak, kind))
            address = (address + 8 + step) & mask
    return found


def _segment(image, index):
    if index >= len(image.segments):
        raise Malformed(f"there is no segment {index}")
    return image.segments[index]
