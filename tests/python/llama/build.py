"""Builds llama-cpp-python, unmodified, for the simulated Metal, and makes a model for it.

Usage: build.py CLIENTS

CLIENTS/llama-python/site gets the package with what it needs at run time, and model.gguf beside it
is the model. Run it with the Python of the tests' environment. What is done already is not done
again: presets share it. The variables TEST_CLANG, TEST_OBJC_INCLUDE, TEST_FOUNDATION_INCLUDE,
TEST_METAL_INCLUDE and TEST_LIBRARIES say what to build with.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLIENTS_TXT = HERE.parent.parent / "clients/requirements.txt"
NAME = "llama-cpp-python"
OPTIONS = [
    f"-DCMAKE_TOOLCHAIN_FILE={HERE / 'toolchain.cmake'}",
    "-DGGML_METAL=ON", "-DGGML_METAL_EMBED_LIBRARY=ON",
    # Not needed here, and long to compile.
    "-DGGML_OPENMP=OFF", "-DGGML_CCACHE=OFF", "-DGGML_NATIVE=OFF", "-DGGML_LLAMAFILE=OFF",
    "-DGGML_CPU_REPACK=OFF", "-DLLAVA_BUILD=OFF",
]


def run(*command, **options):
    print("+", *command, flush=True)
    if subprocess.run([str(part) for part in command], **options).returncode:
        sys.exit(f"build.py: {command[0]} failed")


def pip(*arguments, **options):
    run(sys.executable, "-m", "pip", *arguments, "--disable-pip-version-check", "--quiet",
        "--no-deps", "--require-hashes", **options)


def pinned():
    (line,) = re.findall(rf"^{NAME}==.*$", CLIENTS_TXT.read_text(), re.MULTILINE)
    return line + "\n"


def download_options(folders):
    """pip takes the sources from one of the folders, if it is there."""
    for folder in folders:
        if list(folder.glob(NAME.replace("-", "_") + "-*.tar.gz")):
            return ["--no-index", "--find-links", folder]
    return []


def state():
    """What the build depends on."""
    digest = hashlib.sha256(sys.version.encode())
    for file in (HERE / "requirements.txt", HERE / "toolchain.cmake", HERE / "assemble.sh",
                 HERE / "model.py", Path(__file__),
                 Path(os.environ["TEST_METAL_INCLUDE"], "dispatch/dispatch.h")):
        digest.update(file.read_bytes())
    digest.update((pinned() + os.environ["TEST_CLANG"]).encode())
    return digest.hexdigest()


def build(folder, downloads):
    site, work, wheels = folder / "site", folder / "work", folder / "wheels"
    for part in (site, work, wheels):
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
    requirement = work / "requirement.txt"
    requirement.write_text(pinned())
    environment = {**os.environ, "TEST_WORK": str(work), "CMAKE_ARGS": " ".join(OPTIONS),
                   "CMAKE_GENERATOR": "Ninja", "CMAKE_BUILD_PARALLEL_LEVEL": "2"}
    # Not into pip's cache: the wheel is for the simulation.
    pip("wheel", "--no-cache-dir", "--no-build-isolation", "--no-binary", NAME,
        *download_options(downloads), "--wheel-dir", wheels, "--requirement", requirement,
        env=environment)
    (wheel,) = wheels.glob("*.whl")
    pip("install", "--only-binary", ":all:", "--target", site, "--requirement",
        HERE / "requirements.txt")
    run(sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet",
        "--no-deps", "--no-index", "--target", site, wheel)
    run(sys.executable, HERE / "model.py", folder / "model.gguf",
        env={**os.environ, "PYTHONPATH": str(site)})
    shutil.rmtree(wheels)


def main():
    clients = Path(sys.argv[1])
    folder = clients / "llama-python"
    folder.mkdir(parents=True, exist_ok=True)
    elsewhere = filter(None, os.environ.get("MTLCAP_DOWNLOADS", "").split(":"))
    downloads = [clients / "downloads", *map(Path, elsewhere)]
    stamp = folder / "built-of"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (stamp.is_file() and stamp.read_text() == state()):
            stamp.unlink(missing_ok=True)
            build(folder, downloads)
            stamp.write_text(state())


main()
