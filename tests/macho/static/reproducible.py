"""The same sources give the same bytes: in another folder, with other settings, at another time.

    reproducible.py --bundle FOLDER --source FOLDER --sdk FOLDER --work FOLDER

--bundle is what scripts/macos.sh made of --source. Copies of the sources and of the SDK, elsewhere,
are built once more; and once more in the same place.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile


def build(source, output, sdk, epoch, **environment):
    environment = dict(os.environ, MTLCAP_DARWIN_SDK=str(sdk), SOURCE_DATE_EPOCH=str(epoch),
                       **environment)
    made = subprocess.run(
        ["sh", "-c", 'umask 077; exec sh "$0" "$1"', source / "scripts/macos.sh", output],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        sys.exit(made.stdout)


def differences(first, second):
    """Files that are not the same in both, by their bytes and modes."""
    def files(folder):
        return {path.relative_to(folder) for part in ("arm64", "x86_64", "mtlcap-*-macos*")
                for top in folder.glob(part) for path in (top, *top.rglob("*"))
                if path.is_file() and not path.name.endswith(".provenance.json")}
    for name in sorted(files(first) ^ files(second)):
        yield f"{name} is not in both"
    for name in sorted(files(first) & files(second)):
        one, other = first / name, second / name
        if one.read_bytes() != other.read_bytes() or one.stat().st_mode != other.stat().st_mode:
            yield f"{name} differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--bundle", "--source", "--sdk", "--work"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    options = parser.parse_args()
    (archive,) = options.bundle.glob("mtlcap-*-macos.tar.gz")
    with tarfile.open(archive) as packed:
        epoch = packed.next().mtime

    shutil.rmtree(options.work, ignore_errors=True)
    copy = options.work / "a folder" / "of sources"
    shutil.copytree(options.source, copy, symlinks=True, ignore=lambda folder, names: [
        name for name in (".git", "build") if pathlib.Path(folder) == options.source])
    shutil.copytree(options.sdk, options.work / "sdk")
    output = options.work / "output"
    build(copy, output, options.work / "sdk", epoch, HOME="/nowhere", LC_ALL="C", TZ="Asia/Tokyo",
          PYTHONDONTWRITEBYTECODE="1")
    found = [f"elsewhere: {text}" for text in differences(options.bundle, output)]
    kept = options.work / "kept"
    output.rename(kept)
    build(copy, output, options.work / "sdk", epoch)
    found += [f"once more: {text}" for text in differences(kept, output)]
    print(*found, sep="\n")
    sys.exit(len(found) != 0)


if __name__ == "__main__":
    main()
