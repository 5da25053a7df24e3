"""The files of the bundle, and what each is meant to be."""

import re
from dataclasses import dataclass, field

import macho

LIBSYSTEM = "/usr/lib/libSystem.B.dylib"
LIBOBJC = "/usr/lib/libobjc.A.dylib"
METAL = "/System/Library/Frameworks/Metal.framework/Versions/A/Metal"
INTERPOSED = ["_MTLCreateSystemDefaultDevice", "_MTLCopyAllDevices",
              "_MTLCopyAllDevicesWithObserver"]
LIBRARIES = {LIBSYSTEM: "libSystem.tbd", LIBOBJC: "libobjc.tbd", METAL: "Metal.tbd"}


@dataclass
class Product:
    """What one file is meant to be."""
    file: str
    filetype: int
    exports: set
    loads: dict  # path: "" or "weak"
    identity: list = field(default_factory=list)
    rpaths: list = field(default_factory=list)
    interposed: list = field(default_factory=list)
    initialisers: int = 0


def names(path):
    return {"_" + name for name in path.read_text().split()}


def products(source):
    header = (source / "include/mtlcap/mtlcap.h").read_text()
    major, minor = re.findall(r"^#define MTLCAP_VERSION_(?:MAJOR|MINOR) (\d+)$", header, re.M)
    library = f"@rpath/libmtlcap.{major}.{minor}.dylib"
    return [
        Product("lib/libmtlcap.dylib", macho.MH_DYLIB, names(source / "lib/exports.txt"),
                {LIBOBJC: "", LIBSYSTEM: ""}, identity=[library]),
        # Nothing of the injected library is looked up by name.
        Product("lib/libmtlcap-inject.dylib", macho.MH_DYLIB, set(),
                {METAL: "weak", LIBOBJC: "", LIBSYSTEM: ""},
                identity=["@rpath/libmtlcap-inject.dylib"], interposed=INTERPOSED, initialisers=1),
        Product("bin/mtlcap", macho.MH_EXECUTE, {"__mh_execute_header"},
                {library: "", LIBSYSTEM: ""}, rpaths=["@executable_path/../lib"]),
    ]
