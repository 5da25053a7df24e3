"""Makes the environment of the tests: what requirements.txt pins, and mtlcap as a user gets it.

Usage: install.py FOLDER SOURCE

FOLDER/venv is a virtual environment; FOLDER/dist gets the source distribution of SOURCE and the
wheel that is built from it, which is installed.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(*command):
    print("+", *command, flush=True)
    if subprocess.run([str(part) for part in command]).returncode:
        sys.exit(f"install.py: {command[0]} failed")


def make_venv(folder, requirements):
    """Anew only if what it is made of has changed."""
    digest = hashlib.sha256(sys.version.encode() + requirements.read_bytes()).hexdigest()
    stamp, python = folder / "made-of", folder / "bin/python"
    if not (stamp.is_file() and stamp.read_text() == digest):
        shutil.rmtree(folder, ignore_errors=True)
        run(sys.executable, "-m", "venv", folder)
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", "--require-hashes", "--requirement", requirements)
        stamp.write_text(digest)
    return python


def main():
    folder, source = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    python = make_venv(folder / "venv", HERE / "requirements.txt")
    dist = folder / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(python, "-m", "build", "--no-isolation", "--outdir", dist, source)
    (wheel,) = dist.glob("mtlcap-*.whl")
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-index", "--force-reinstall", wheel)


main()
