"""The reader's findings on real files, against LIEF's:  read_files.py DUMP FOLDER

DUMP prints what lib/macho finds (dump.c); FOLDER is fetch.py's. Compared: slices, segments,
sections, versions, the dynamic linker, one import, place and size of the signature. What LIEF does not
read is checked by the signatures themselves: all pages have the hashes that are signed, and the two
forms of entitlements say the same. Then bytes are changed, and it must be noticed.
"""

import pathlib
import subprocess
import sys
import tempfile

DUMP, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(FOLDER / "python"))
import lief  # noqa: E402

NAMES = {("X86_64", 3): "x86_64", ("ARM64", 0): "arm64"}


def packed(version):
    major, minor, patch = version
    return major << 16 | minor << 8 | patch


def expected(image, size):
    """The lines of dump.c that LIEF's reading of a slice leads to."""
    header = image.header
    processor = NAMES[(header.cpu_type.name, header.cpu_subtype & 0xFFFFFF)]
    dylinker = image.dylinker.name if image.has_dylinker else "-"
    yield (f" image {processor} at {image.fat_offset:#x} size {size:#x} type "
           f"{header.file_type.value} commands {header.nb_cmds} dylinker {dylinker}")
    if image.has_build_version:
        version = image.build_version
        yield (f"  version platform {version.platform.value} minimum {packed(version.minos):#x} sdk "
               f"{packed(version.sdk):#x}")
    if image.has_version_min:
        version = image.version_min
        yield (f"  version platform 1 minimum {packed(version.version):#x} sdk "
               f"{packed(version.sdk):#x}")
    for segment in image.segments:
        yield (f"  segment {segment.name} {segment.virtual_address:#x} {segment.virtual_size:#x} "
               f"{segment.file_offset:#x} {segment.file_size:#x}")
        # LIEF's sections are sorted by offset; ours stand as in the file.
        yield from sorted(
            f"  section {segment.name},{section.name} {section.virtual_address:#x} "
            f"{section.size:#x} {section.offset:#x}" for section in segment.sections)
    imports = any(symbol.name == "_malloc" for symbol in image.imported_symbols)
    yield f"  imports _malloc {int(imports)}"
    if image.has_code_signature:
        signature = image.code_signature
        yield f"  signature {signature.data_offset:#x} {signature.data_size:#x}"


def normal(text):
    """dump.c's lines, numbers in one spelling, sections of a segment sorted."""
    lines, sections = [], []
    for line in text.splitlines():
        words = ["0x0" if word == "0" and line.startswith(("  se", " image")) else word
                 for word in line.split(" ")]
        line = " ".join(words)
        if line.startswith("  section "):
            sections.append(line)
            continue
        lines += sorted(sections)
        sections = []
        lines.append(line)
    return lines + sorted(sections)


def dump(paths):
    return subprocess.run([DUMP, *map(str, paths)], check=True, capture_output=True,
                          text=True).stdout


def split(text):
    """The dump of each file."""
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in text.split("file ")[1:]}


def check_file(path, text):
    signed = ("  directory", "  pages", "  der", "  xml")
    found = [line for line in normal(text) if not line.startswith(signed)]
    wanted, size = [], path.stat().st_size
    fat = lief.MachO.parse(str(path))
    sizes = slice_sizes(path.read_bytes()) or [size]
    for image, slice_size in zip(fat, sizes):
        wanted += list(expected(image, slice_size))
    wanted = normal("\n".join(wanted))
    for ours, theirs in zip(found, wanted):
        if ours != theirs:
            yield f"ours:   {ours}\n    LIEF's: {theirs}"
    if len(found) != len(wanted):
        yield f"{len(found)} facts, LIEF has {len(wanted)}"
    if "malformed" in text:
        yield text
    entitlements = {form: [line[6:] for line in text.splitlines() if line.startswith(f"  {form} ")]
                    for form in ("der", "xml")}
    if sorted(entitlements["der"]) != sorted(entitlements["xml"]):
        yield f"the forms of entitlements differ: {entitlements}"
    for line in text.splitlines():
        if line.startswith("  pages") and not line.startswith("  pages checked 1 wrong 0 entitlements 0"):
            yield line


def slice_sizes(data):
    if data[:4] != b"\xca\xfe\xba\xbe":
        return []
    count = int.from_bytes(data[4:8], "big")
    return [int.from_bytes(data[20 + 20 * i:24 + 20 * i], "big") for i in range(count)]


def changed(path):
    """A byte of the code, and one of the entitlements."""
    data = path.read_bytes()
    image = lief.MachO.parse(str(path))[0]
    start = image.fat_offset
    code = start + image.get_segment("__TEXT").get_section("__text").offset
    yield code, "pages checked 1 wrong 1 entitlements 0"
    form = data.find(b"allow-dyld-environment", start + image.code_signature.data_offset)
    if form > 0:
        yield form, "pages checked 1 wrong 0 entitlements 1"


def check_changes(path):
    with tempfile.TemporaryDirectory() as folder:
        for place, wanted in changed(path):
            copy = pathlib.Path(folder, "copy")
            data = bytearray(path.read_bytes())
            data[place] ^= 1
            copy.write_bytes(data)
            if wanted not in dump([copy]):
                yield f"a byte at {place:#x} is changed, which is not noticed"


def main():
    paths = sorted(path for path in (FOLDER / "files").glob("*/*"))
    texts, failed, signed = split(dump(paths)), False, 0
    for path in paths:
        problems = [*check_file(path, texts[str(path)])]
        signed += "  pages" in texts[str(path)]
        if path.name in ("ruff", "cmake"):
            problems += check_changes(path)
        for problem in problems:
            print(f"{path}:\n    {problem}")
            failed = True
    print(f"{len(paths)} files, {signed} of them signed")
    sys.exit(failed or len(paths) < 100 or signed < 100)


main()
