"""headers.py FOLDER: makes FOLDER/usr/include hold the headers of macOS, for clang's -isysroot.

They come out of the pinned Python package in requirements.txt, which pip downloads and checks;
nothing of it is installed or run. Does nothing if the folder is complete.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HEADERS = "ziglang/lib/libc/include/any-darwin-any/"


def main():
    folder = pathlib.Path(sys.argv[1])
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="darwin-", dir=folder.parent))
    try:
        # One platform's package, whatever this machine is: its checksum is the one that is pinned.
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir",
             "--platform", "manylinux_2_12_x86_64", "--only-binary", ":all:", "--require-hashes",
             "--requirement", str(pathlib.Path(__file__).with_name("requirements.txt")),
             "--dest", str(work)],
            check=True, env=dict(os.environ, TMPDIR=str(work)))
        (wheel,) = work.glob("*.whl")
        sdk = work / "sdk"
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.startswith(HEADERS) and not name.endswith("/"):
                    target = sdk / "usr" / "include" / name[len(HEADERS):]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(name))
        os.replace(sdk, folder)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
