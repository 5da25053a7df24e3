"""Libraries that are linked wrong, each in one way, for the checks to refuse.

They are made of the static library of the bundle and a few lines of C, as the real ones are made.
"""

import subprocess
from collections import namedtuple

import checks
from products import products

Link = namedtuple("Link", "check what expected data product")  # expected: None if nothing is wrong

INTERPOSING = """
#define INTERPOSE(type, name, arguments) \\
    type name arguments WEAK; \\
    static type our_##name arguments { return 0; } \\
    __attribute__((used, section("__DATA,__interpose"))) static const struct { \\
        const void *ours, *theirs; \\
    } tuple_##name = {(const void *)our_##name, (const void *)name};
INTERPOSE(void *, MTLCreateSystemDefaultDevice, (void))
INTERPOSE(void *, MTLCopyAllDevices, (void))
"""
THIRD = "INTERPOSE(void *, MTLCopyAllDevicesWithObserver, (void *observer, void *handler))\n"
TUPLE = """__attribute__((used, section("__DATA,__interpose"))) static const void *const tuple[] = {
    (const void *)%s, (const void *)%s};
"""
TWICE = TUPLE % ("our_MTLCopyAllDevices", "MTLCopyAllDevices")
NOT_OURS = TUPLE % ("MTLCreateSystemDefaultDevice", "MTLCopyAllDevices")
WEAK, STRONG = "#define WEAK __attribute__((weak_import))\n", "#define WEAK\n"


def links(options):
    processor = "arm64"
    work = options.work
    (work / "libother.tbd").write_text(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\n"
        "install-name: /usr/lib/libother.dylib\nexports:\n  - targets: [ arm64-macos ]\n"
        "    symbols: [ _other ]\n...\n")
    meant = {product.file: product for product in products(options.source)}
    library, injected = meant["lib/libmtlcap.dylib"], meant["lib/libmtlcap-inject.dylib"]

    def link(source, *flags, exports=()):
        names = (options.source / "lib/exports.txt").read_text().split()
        (work / "exports").write_text("".join(f"_{name}\n" for name in [*names, *exports]))
        (work / "wrong.c").write_text(source)
        subprocess.run(
            ["clang-19", "-target", f"{processor}-apple-macos11", "-isysroot", options.sdk, "-Os",
             "-fuse-ld=lld", "-dynamiclib", "wrong.c", "-o", "libmtlcap.dylib",
             f"-Wl,-force_load,{options.bundle}/{processor}/lib/libmtlcap.a", "-lobjc",
             "-Wl,-exported_symbols_list,exports", f"-Wl,-install_name,{library.identity[0]}",
             "-L.", *flags], check=True, cwd=work)
        return (work / "libmtlcap.dylib").read_bytes()

    right = link("")
    for check in checks.CHECKS:
        yield Link(check, "nothing is wrong", None, right, library)
    yield Link("exports", "an extra export", "_extra is exported",
               link("void extra(void) {}", exports=["extra"]), library)
    yield Link("loads", "an extra library", "libother", link("", "-lother"), library)
    yield Link("imports", "an import from an extra library", "_other of .* not allowed",
               link("void other(void); void call(void) { other(); }", "-lother"), library)
    yield Link("initialisers", "an initialiser in the library", "1 initialisers",
               link("volatile int started;\n"
                    "__attribute__((constructor)) static void start(void) { started = 1; }"),
               library)
    yield Link("initialisers", "no initialiser in the injected library", "0 initialisers", right,
               injected)

    metal = "-Wl,-weak_framework,Metal"
    yield Link("interposing", "nothing is wrong", None, link(WEAK + INTERPOSING + THIRD, metal),
               injected)
    yield Link("interposing", "a missing tuple", "32 bytes", link(WEAK + INTERPOSING, metal),
               injected)
    yield Link("interposing", "no tuples", "0 bytes", right, injected)
    yield Link("interposing", "tuples in the plain library", "48 bytes",
               link(WEAK + INTERPOSING + THIRD, metal), library)
    yield Link("interposing", "Metal not weak", "weakly bound",
               link(STRONG + INTERPOSING + THIRD, "-framework", "Metal"), injected)
    yield Link("interposing", "one function twice", "replaces",
               link(WEAK + INTERPOSING + TWICE, metal), injected)
    yield Link("interposing", "a tuple that leads to Metal", "a function of ours",
               link(WEAK + INTERPOSING + NOT_OURS, metal), injected)
