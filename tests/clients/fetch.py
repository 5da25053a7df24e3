"""Fetches the clients of requirements.txt and unpacks what the tests use.

Usage: fetch.py FOLDER [--only CLIENT]... [--downloads FOLDER]...

Without --only, all clients. FOLDER gets downloads/ (the files, by pip, each checked against its hash), llama.cpp/ and tinygrad/
(unpacked). A file with the right hash that is there already, in FOLDER/downloads or in one of
--downloads, or in those of MTLCAP_DOWNLOADS (separated by colons), is used instead. What is done
already is not done again.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENT = re.compile(r"^([\w-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$")

# What is unpacked from each, and as what.
PARTS = {
    "llama-cpp-python": ("llama.cpp", [
        r"[^/]+/vendor/llama\.cpp/(ggml/CMakeLists\.txt|ggml/include/.*|ggml/src/[^/]+"
        r"|ggml/src/ggml-metal/.*|ggml/src/ggml-cpu/[^/]+\.h|tests/test-backend-ops\.cpp"
        r"|LICENSE)"]),
    "tinygrad": ("tinygrad", [r"(tinygrad/.*|.*\.dist-info/.*)"]),
}


def requirements():
    """Yields name, version and hash of each client."""
    for line in (HERE / "requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            match = REQUIREMENT.match(line)
            if not match:
                sys.exit(f"fetch.py: requirements.txt: bad line: {line}")
            yield match.groups()


def has_hash(path, sha256):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest() == sha256


def already_there(name, version, sha256, folders):
    """A file of this name, version and hash in one of the folders, or None."""
    stem = re.sub(r"[-_]+", "[-_]", f"{name}-{version}")
    for folder in folders:
        for path in sorted(folder.glob("*")) if folder.is_dir() else []:
            if re.match(stem + r"[-.]", path.name) and has_hash(path, sha256):
                return path
    return None


def download(name, version, sha256, folder):
    """Lets pip download one file and check its hash."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
        sys.exit(f"fetch.py: {sys.executable} has no pip, which downloads the clients "
                 "(Debian: python3-pip)")
    folder.mkdir(parents=True, exist_ok=True)
    print(f"fetching {name} {version}", flush=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        file = pathlib.Path(scratch, "requirement.txt")
        file.write_text(f"{name}=={version} --hash=sha256:{sha256}\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                   "--require-hashes", "--disable-pip-version-check", "--no-cache-dir",
                   "--dest", scratch, "--requirement", str(file)]
        if name == "llama-cpp-python":
            command += ["--no-binary", name]
        # pip asks a source distribution for its metadata, which builds on a Mac only; the file has
        # been downloaded and checked by then.
        result = subprocess.run(command, capture_output=True, text=True)
        path = already_there(name, version, sha256, [pathlib.Path(scratch)])
        if path is None:
            sys.exit(f"fetch.py: pip could not download {name} {version}:\n{result.stderr}")
        return pathlib.Path(shutil.move(path, folder / path.name))


def members(path):
    """Yields name and content of the files in a wheel or a source distribution."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if not name.endswith("/"):
                    yield name, lambda name=name: archive.read(name)
    else:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    yield member.name, lambda member=member: archive.extractfile(member).read()


def unpack(path, folder, patterns):
    """Unpacks what matches; the first group of a pattern is the name inside the folder."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        for name, read in members(path):
            match = next(filter(None, (re.fullmatch(p, name) for p in patterns)), None)
            if match and ".." not in pathlib.PurePosixPath(match.group(1)).parts:
                target = pathlib.Path(scratch, "new", match.group(1))
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(read())
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(pathlib.Path(scratch, "new"), folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--downloads", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    downloads = options.folder.resolve() / "downloads"
    elsewhere = [pathlib.Path(part) for part in os.environ.get("MTLCAP_DOWNLOADS", "").split(":")
                 if part]
    for name, version, sha256 in requirements():
        if options.only and name not in options.only:
            continue
        part, patterns = PARTS[name]
        folder = downloads.parent / part
        stamp, state = folder / ".unpacked", f"{sha256} {patterns}"
        if stamp.is_file() and stamp.read_text() == state:
            continue
        path = already_there(name, version, sha256, [downloads, *options.downloads, *elsewhere])
        path = path or download(name, version, sha256, downloads)
        print(f"unpacking {path.name}", flush=True)
        unpack(path, folder, patterns)
        stamp.write_text(state)


main()
