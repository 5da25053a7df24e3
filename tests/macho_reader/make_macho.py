"""Makes Mach-O files, and edits and signs such files and real ones, so that a test differs from what
is right in one thing. The formats: Apple's <mach-o/loader.h>, <mach-o/fat.h>, <kern/cs_blobs.h>.
"""

import hashlib
import struct

X86_64, ARM64 = 0x01000007, 0x0100000C
PROCESSORS = {"x86_64": (X86_64, 3), "arm64": (ARM64, 0), "arm64e": (ARM64, 0x80000002)}
MH_EXECUTE, MH_DYLIB = 2, 6
LC_SYMTAB, LC_LOAD_DYLINKER, LC_SEGMENT_64, LC_CODE_SIGNATURE = 0x2, 0xE, 0x19, 0x1D
LC_BUILD_VERSION = 0x32

ADHOC, HARD, KILL, RESTRICT, REQUIRE_LV = 0x2, 0x100, 0x200, 0x800, 0x2000
RUNTIME, LINKER_SIGNED = 0x10000, 0x20000
SHA1, SHA256, SHA256_TRUNCATED, SHA384 = 1, 2, 3, 4
HASHES = {SHA1: (hashlib.sha1, 20), SHA256: (hashlib.sha256, 32),
          SHA256_TRUNCATED: (hashlib.sha256, 20), SHA384: (hashlib.sha384, 48)}

ALLOW_DYLD = "com.apple.security.cs.allow-dyld-environment-variables"
DISABLE_LV = "com.apple.security.cs.disable-library-validation"
GET_TASK_ALLOW = "com.apple.security.get-task-allow"
APP_SANDBOX = "com.apple.security.app-sandbox"


def align(size, to):
    return -(-size // to) * to


# ---- entitlements --------------------------------------------------------------------------


def xml(entitlements):
    lines = "".join(f"\t<key>{key}</key>\n\t<{'true' if value else 'false'}/>\n"
                    for key, value in entitlements.items())
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC '
            '"-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
            f'<plist version="1.0">\n<dict>\n{lines}</dict>\n</plist>\n').encode()


def element(tag, content):
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    size = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(size)]) + size + content


def der(entitlements, early=False):
    """`early`: the first form of it, a SET."""
    entries = b"".join(
        element(0x30, element(0x0C, key.encode()) + element(0x01, b"\xff" if value else b"\0"))
        for key, value in sorted(entitlements.items()))
    if early:
        return element(0x31, entries)
    return element(0x70, element(0x02, b"\1") + element(0xB0, entries))


# ---- signatures ------------------------------------------------------------------------------


def blob(magic, content):
    return struct.pack(">2I", magic, 8 + len(content)) + content


def directory(code, hash_type, special, flags, identifier, team, platform, page_shift, version):
    """A code directory; `special` has the blobs of special slots, by number."""
    make, size = HASHES[hash_type]

    def digest(data):
        return make(data).digest()[:size]

    fixed = {0x20001: 44, 0x20100: 48, 0x20200: 52, 0x20300: 64, 0x20400: 88, 0x20500: 96}[version]
    names = identifier.encode() + b"\0" + (team.encode() + b"\0" if team else b"")
    count = max(special, default=0)
    hashes = b"".join(digest(special[slot]) if slot in special else bytes(size)
                      for slot in range(count, 0, -1))
    step = 1 << page_shift if page_shift else max(len(code), 1)
    pages = [digest(code[at:at + step]) for at in range(0, len(code), step)]
    at = fixed + len(names) + count * size
    content = struct.pack(">7I4BI", version, flags, at, fixed, count, len(pages), len(code), size,
                          hash_type, platform, page_shift, 0)
    content += struct.pack(">2I", 0, fixed + len(identifier.encode()) + 1 if team else 0)
    content += struct.pack(">IQ3Q2I", 0, 0, 0, len(code), 1, 0, 0)
    return blob(0xFADE0C02, content[:fixed - 8] + names + hashes + b"".join(pages))


def signature(code, *, flags=ADHOC, identifier="test", team="", platform=0, hash_types=(SHA256,),
              entitlements=None, der_entitlements=None, forms="xml der", page_shift=12,
              version=0x20500, cms=False, early_der=False):
    """A SuperBlob. der_entitlements: what the DER form says, if it is to differ."""
    blobs = {2: blob(0xFADE0C01, struct.pack(">I", 0))}
    if entitlements is not None and "xml" in forms:
        blobs[5] = blob(0xFADE7171, xml(entitlements))
    if entitlements is not None and "der" in forms:
        told = entitlements if der_entitlements is None else der_entitlements
        blobs[7] = blob(0xFADE7172, der(told, early_der))
    slots = dict(blobs)
    for i, hash_type in enumerate(hash_types):
        slots[0x1000 + i - 1 if i else 0] = directory(
            code, hash_type, blobs, flags, identifier, team, platform, page_shift, version)
    slots[0x10000] = blob(0xFADE0B01, b"not a certificate" if cms else b"")
    index, content, at = b"", b"", 12 + 8 * len(slots)
    for slot, data in sorted(slots.items()):
        index += struct.pack(">2I", slot, at + len(content))
        content += data
    return struct.pack(">3I", 0xFADE0CC0, at + len(content), len(slots)) + index + content


def commands(image):
    """(kind, offset, size) of each load command."""
    count, at = struct.unpack_from("<I", image, 16)[0], 32
    for _ in range(count):
        kind, size = struct.unpack_from("<2I", image, at)
        yield kind, at, size
        at += size


def unsigned(image):
    """A 64-bit slice without its signature."""
    image = bytearray(image)
    found = [(at, size) for kind, at, size in commands(image) if kind == LC_CODE_SIGNATURE]
    if not found:
        return bytes(image)
    (at, size), = found
    start, = struct.unpack_from("<I", image, at + 8)
    count, total = struct.unpack_from("<2I", image, 16)
    end = 32 + total
    image[at:end] = image[at + size:end] + bytes(size)
    struct.pack_into("<2I", image, 16, count - 1, total - size)
    del image[start:]
    set_linkedit(image)
    return bytes(image)


def set_linkedit(image):
    """__LINKEDIT goes to the end of the slice."""
    for kind, at, _ in commands(image):
        if kind == LC_SEGMENT_64 and image[at + 8:at + 18] == b"__LINKEDIT":
            address_size = align(len(image), 0x4000)
            offset, = struct.unpack_from("<Q", image, at + 40)
            struct.pack_into("<Q", image, at + 32, align(address_size - offset, 0x4000))
            struct.pack_into("<Q", image, at + 48, len(image) - offset)


def restricted(image):
    """A 64-bit slice, unsigned, with a section __RESTRICT,__restrict."""
    image = bytearray(unsigned(image))
    added = segment("__RESTRICT", 1 << 40, 0, 0, 0, [("__restrict", 0, 0)])
    count, total = struct.unpack_from("<2I", image, 16)
    end = 32 + total
    assert not any(image[end:end + len(added)]), "no room for a load command"
    image[end:end + len(added)] = added
    struct.pack_into("<2I", image, 16, count + 1, total + len(added))
    return bytes(image)


def directories(data):
    """Where the code directories of a file are."""
    at = data.find(b"\xfa\xde\x0c\x02")
    while at >= 0:
        yield at
        at = data.find(b"\xfa\xde\x0c\x02", at + 1)


def with_flags(data, add=0, remove=0):
    """A file with other flags in its code directories, and nothing else changed."""
    data = bytearray(data)
    for at in directories(data):
        flags, = struct.unpack_from(">I", data, at + 12)
        struct.pack_into(">I", data, at + 12, flags & ~remove | add)
    return bytes(data)


def with_platform(data, platform):
    data = bytearray(data)
    for at in directories(data):
        data[at + 38] = platform
    return bytes(data)


def with_processor(image, name):
    """A slice that says that it is for another processor."""
    return image[:4] + struct.pack("<2I", *PROCESSORS[name]) + image[12:]


def sign(image, **options):
    """A 64-bit slice with the signature that is asked for, in the place of its own."""
    image = bytearray(unsigned(image))
    image += bytes(-len(image) % 16)
    start = len(image)
    count, total = struct.unpack_from("<2I", image, 16)
    struct.pack_into("<2I", image, 16, count + 1, total + 16)
    size = align(len(signature(bytes(image), **options)), 16)
    struct.pack_into("<4I", image, 32 + total, LC_CODE_SIGNATURE, 16, start, size)
    image += bytes(size)
    set_linkedit(image)
    made = signature(bytes(image[:start]), **options)
    image[start:start + len(made)] = made
    return bytes(image)


# ---- files --------------------------------------------------------------------------------------


def segment(name, address, size, offset, length, sections=(), protection=1):
    content = struct.pack("<16s4Q4I", name.encode(), address, size, offset, length, protection,
                          protection, len(sections), 0)
    for section, at, count in sections:
        content += struct.pack("<16s16s2Q8I", section.encode(), name.encode(), at, count, at, 0, 0,
                               0, 0, 0, 0, 0)
    return struct.pack("<2I", LC_SEGMENT_64, 8 + len(content)) + content


def thin(processor="arm64", file_type=MH_EXECUTE, platform=1, minimum=0xB0000, sdk=0xE0000,
         dylinker="/usr/lib/dyld", restrict=False, imports=(), strings=(), header_size=0x1000,
         size=0x2000):
    """An unsigned image of `size` bytes and link-edit data, which does nothing."""
    cpu_type, cpu_subtype = PROCESSORS[processor]
    names, symbols = b"\0", b""
    for name in imports:
        symbols += struct.pack("<I2BHQ", len(names), 1, 0, 0x100, 0)
        names += name.encode() + b"\0"
    text = b"".join(string.encode() + b"\0" for string in strings)
    linkedit = size
    parts = [segment("__TEXT", 0, size, 0, size, [("__cstring", header_size, len(text))], 5)]
    if restrict:
        parts.append(segment("__RESTRICT", size, 0, 0, 0, [("__restrict", 0, 0)]))
    parts.append(segment("__LINKEDIT", 0x10000, 0x4000, linkedit, len(symbols) + len(names)))
    parts.append(struct.pack("<6I", LC_SYMTAB, 24, linkedit, len(imports),
                             linkedit + len(symbols), len(names)))
    if dylinker:
        name = dylinker.encode() + b"\0"
        length = align(12 + len(name), 8)
        parts.append(struct.pack("<3I", LC_LOAD_DYLINKER, length, 12) +
                     name.ljust(length - 12, b"\0"))
    if platform:
        parts.append(struct.pack("<6I", LC_BUILD_VERSION, 24, platform, minimum, sdk, 0))
    header = struct.pack("<8I", 0xFEEDFACF, cpu_type, cpu_subtype, file_type, len(parts),
                         sum(map(len, parts)), 0x85, 0)
    image = (header + b"".join(parts)).ljust(header_size, b"\0") + text
    return image.ljust(size, b"\0") + symbols + names


def fat(slices, wide=False, page=0x4000):
    """A file of slices; each begins at a page."""
    entry = 32 if wide else 20
    headers, content, at = b"", b"", align(8 + entry * len(slices), page)
    for image in slices:
        cpu_type, cpu_subtype = struct.unpack_from("<2I", image, 4)
        headers += struct.pack(">2I2Q2I" if wide else ">5I", cpu_type, cpu_subtype, at, len(image),
                               14, *([0] if wide else []))
        content += image.ljust(align(len(image), page), b"\0")
        at += align(len(image), page)
    magic = 0xCAFEBABF if wide else 0xCAFEBABE
    return (struct.pack(">2I", magic, len(slices)) + headers).ljust(
        align(8 + entry * len(slices), page), b"\0") + content


def slices(data):
    """The slices of a file, by processor."""
    magic, count = struct.unpack_from(">2I", data)
    if magic != 0xCAFEBABE:
        return {name_of(data): data}
    found = {}
    for i in range(count):
        _, _, at, size, _ = struct.unpack_from(">5I", data, 8 + 20 * i)
        found[name_of(data[at:at + size])] = data[at:at + size]
    return found


def name_of(image):
    processor = struct.unpack_from("<2I", image, 4)
    return next(name for name, numbers in PROCESSORS.items()
                if numbers[0] == processor[0] and numbers[1] & 0xFF == processor[1] & 0xFF)
