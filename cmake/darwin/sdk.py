"""sdk.py FOLDER: makes FOLDER what clang's -isysroot wants in order to build for macOS.

The headers come out of the pinned Python package in requirements.txt, which pip downloads and
checks; nothing of it is installed or run. They are kept if they are there. What programs may link
is in the .tbd files beside this script: each lists what we use and macOS 11 has, and no more.
Apple's own list, of a newer macOS, is in FOLDER/libSystem-apple.tbd, for tests to compare.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = "ziglang/lib/libc/include/any-darwin-any/"
APPLE_LIST = "ziglang/lib/libc/darwin/libSystem.tbd"
LIBRARIES = {
    "libSystem.tbd": "usr/lib",
    "libobjc.tbd": "usr/lib",
    "Metal.tbd": "System/Library/Frameworks/Metal.framework",
}
# The linker stamps this version into what it makes, and dyld is the stricter the newer it is.
SETTINGS = {
    "CanonicalName": "macosx11.3",
    "Version": "11.3",
    "MaximumDeploymentTarget": "11.3.99",
}


def unpack_headers(include):
    """Makes the folder `include`, whole or not at all, also if two do this at once."""
    if include.is_dir():
        return
    include.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="include-", dir=include.parent))
    try:
        # One platform's package, whatever this machine is: its checksum is the one that is pinned.
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir",
             "--platform", "manylinux_2_12_x86_64", "--only-binary", ":all:", "--require-hashes",
             "--requirement", str(HERE / "requirements.txt"), "--dest", str(work)],
            check=True, env=dict(os.environ, TMPDIR=str(work)))
        (wheel,) = work.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.startswith(HEADERS) and not name.endswith("/"):
                    target = work / "include" / name[len(HEADERS):]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(name))
            write(include.parents[1] / "libSystem-apple.tbd", archive.read(APPLE_LIST).decode())
        try:
            os.replace(work / "include", include)
        except OSError:
            if not include.is_dir():  # not another's, either
                raise
    finally:
        shutil.rmtree(work)


def write(path, text):
    """Replaces a file in one step, and only if it differs: builds depend on its time."""
    if path.is_file() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(text)
    os.replace(temporary, path)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: sdk.py FOLDER")
    sdk = pathlib.Path(sys.argv[1])
    unpack_headers(sdk / "usr" / "include")
    for name, folder in LIBRARIES.items():
        write(sdk / folder / name, (HERE / name).read_text())
    write(sdk / "SDKSettings.json", json.dumps(SETTINGS) + "\n")


if __name__ == "__main__":
    main()
