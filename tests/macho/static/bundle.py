"""What users download, used as its README says: checked, unpacked, and linked with.

    bundle.py --bundle FOLDER --source FOLDER --sdk FOLDER --work FOLDER
"""

import argparse
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import macho
from products import products

FAILED = []


def check(what, right, detail=""):
    if not right:
        FAILED.append(what)
        print(f"FAIL {what}: {detail}")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_sums(folder, archive):
    sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    provenance = archive.with_name(archive.name.replace(".tar.gz", ".provenance.json"))
    check("SHA256SUMS has the archive and its provenance", sums == {
        path.name: digest(path) for path in (archive, provenance)}, sums)
    told = json.loads(provenance.read_text())
    check("the provenance is the archive's", told["archive"] == {
        "name": archive.name, "sha256": digest(archive)}, told["archive"])
    check("the provenance names tools and inputs", all(told["tools"].values())
          and all(told["inputs"].values()) and "ziglang==" in told["inputs"]["package"], told)


def unpack(archive, work):
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            name = pathlib.PurePosixPath(member.name)
            check("nothing in the archive leads out of it",
                  not name.is_absolute() and ".." not in name.parts
                  and (member.isdir() or member.isfile() or member.issym())
                  and "/" not in member.linkname, member.name)
            check("all in the archive is nobody's", (member.uid, member.gid, member.uname) ==
                  (0, 0, ""), member.name)
        if FAILED:
            sys.exit(1)
        packed.extractall(work)
        return work / packed.getnames()[0]


def check_files(prefix, options):
    readme = (prefix / "README.md").read_text()
    named = re.findall(r"`((?:bin|lib|include|share)/[\w./-]+)`", readme)
    check("README names files", len(named) >= 5, named)
    for name in [*named, "LICENSE", *(product.file for product in products(options.source))]:
        check(f"{name} is in the archive", (prefix / name).exists())
    check("README has no variable left", "@" not in re.sub(r"\S+@\S+", "", readme)
          and prefix.name in readme)
    check("LICENSE is ours", digest(prefix / "LICENSE") == digest(options.source / "LICENSE"))
    for path in prefix.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            for folder in (options.source, options.bundle, options.sdk):
                check(f"{path.name} does not name this machine's folders",
                      str(folder).encode() not in data, folder)


def build_examples(prefix, options, processor, static):
    """The examples, with find_package, in the folder that the archive happens to be unpacked in."""
    folder = options.work / f"examples-{processor}-{static}"
    # They use more of libSystem than the libraries may.
    for command in (
            ["cmake", "-G", "Ninja", "-S", options.source / "examples", "-B", folder, "--toolchain",
             options.source / "cmake/darwin-cross.cmake", f"-DMTLCAP_DARWIN_SDK={options.sdk}",
             f"-DMTLCAP_DARWIN_PROCESSOR={processor}", f"-Dmtlcap_DIR={prefix}/lib/cmake/mtlcap",
             "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -Wl,-undefined,dynamic_lookup",
             f"-DMTLCAP_EXAMPLES_STATIC={static}"],
            ["cmake", "--build", folder, "--parallel", "2"]):
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            check(f"examples for {processor}, static library {static}", False,
                  made.stdout + made.stderr)
            return
    (library, *_) = products(options.source)
    image = macho.Image((folder / "apply").read_bytes())
    loaded = library.identity[0] in [load.path for load in image.loads]
    check(f"an example for {processor} loads the library unless it is static: {static}",
          loaded == (static == "OFF") and image.processor == processor, image.loads)


def check_pkg_config(prefix):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "--static", "mtlcap"], check=True,
                           capture_output=True, text=True,
                           env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": prefix / "lib/pkgconfig"})
    folders = [pathlib.Path(flag[2:]).resolve() for flag in flags.stdout.split()
               if flag[:2] in ("-I", "-L")]
    check("pkg-config finds the folders", sorted(folders) == [prefix / "include", prefix / "lib"],
          flags.stdout)
    check("pkg-config names the libraries", "-lmtlcap" in flags.stdout and "-lobjc" in flags.stdout,
          flags.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--bundle", "--source", "--sdk", "--work"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work = options.work.resolve()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)

    (archive,) = options.bundle.glob("mtlcap-*-macos.tar.gz")
    check_sums(options.bundle, archive)
    prefix = unpack(archive, options.work)
    check_files(prefix, options)
    check_pkg_config(prefix)
    for processor in macho.PAGE:
        for static in ("OFF", "ON"):
            build_examples(prefix, options, processor, static)
    sys.exit(len(FAILED) != 0)


if __name__ == "__main__":
    main()
