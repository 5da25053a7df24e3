"""The code signature of a Mach-O image, and its page hashes anew. All numbers are big-endian."""

import hashlib
from collections import namedtuple

from macho import LC_CODE_SIGNATURE, Malformed, text, unpack

SUPER_BLOB, CODE_DIRECTORY, REQUIREMENTS, CMS = 0xFADE0CC0, 0xFADE0C02, 0xFADE0C01, 0xFADE0B01
ADHOC, LINKER_SIGNED = 0x2, 0x20000
SHA256 = 2
EXECSEG_MAIN_BINARY = 1

Directory = namedtuple("Directory", "place size version flags identifier code_limit hash_type"
                       " hash_size page_size code_slots special_slots exec_base exec_limit"
                       " exec_flags hashes")


def blobs(image):
    """What the signature holds: (slot, magic, place, size) each, places in the image."""
    command = image.one(LC_CODE_SIGNATURE)
    if command is None:
        raise Malformed("not signed, or more than once")
    start, room = image.fields(command, "2I")
    magic, size, count = unpack(">3I", image.data, start)
    if magic != SUPER_BLOB or size > room or count > size // 8:
        raise Malformed(f"signature: magic {magic:#x}, {count} blobs in {size} of {room} bytes")
    found = []
    for i in range(count):
        slot, offset = unpack(">2I", image.data, start + 12 + 8 * i)
        kind, length = unpack(">2I", image.data, start + offset)
        if offset + length > size:
            raise Malformed(f"signature: blob {i} ends outside it")
        found.append((slot, kind, start + offset, length))
    return found


def directory(image):
    """The code directory."""
    found = [blob for blob in blobs(image) if blob[1] == CODE_DIRECTORY]
    if len(found) != 1:
        raise Malformed(f"signature: {len(found)} code directories, not one")
    _, _, place, size = found[0]
    (_, _, version, flags, hashes, identifier, special, code, limit, hash_size, hash_type, _,
     page) = unpack(">9I4B", image.data, place)
    if version < 0x20400:
        raise Malformed(f"signature: version {version:#x} has no executable segment")
    base, exec_limit, exec_flags = unpack(">3Q", image.data, place + 64)
    if hashes + code * hash_size > size:
        raise Malformed("signature: hashes end outside the code directory")
    name = text(image.data, place + identifier, place + size)
    return Directory(place, size, version, flags, name, limit, hash_type, hash_size, 1 << page,
                     code, special, base, exec_limit, exec_flags, place + hashes)


def wrong_pages(image, found):
    """The numbers of the pages whose bytes do not have the hash that is signed."""
    wrong = []
    for page in range(found.code_slots):
        start = page * found.page_size
        content = image.data[start:min(start + found.page_size, found.code_limit)]
        signed = found.hashes + page * found.hash_size
        if hashlib.sha256(content).digest() != image.data[signed:signed + found.hash_size]:
            wrong.append(page)
    return wrong
