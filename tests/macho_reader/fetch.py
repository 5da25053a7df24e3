"""Fetches the Mach-O files that tests read, and the reader that ours is compared with:  fetch.py FOLDER

FOLDER/files gets the Mach-O files of the wheels of wheels.txt, FOLDER/python the packages of
requirements.txt. pip checks every file against its hash. What is done already is not done again.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MAGICS = {bytes.fromhex(text) for text in ("cafebabe", "cffaedfe", "cefaedfe", "feedface")}


def pip(*arguments):
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check",
               "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    if subprocess.run(command).returncode:
        sys.exit(f"fetch.py: {' '.join(command)} failed")


def fetch_files(folder, requirements, scratch):
    pip("download", "--implementation", "cp", "--python-version", "3.12", "--platform",
        "macosx_14_0_arm64", "--dest", str(scratch), "--requirement", str(requirements))
    for path in sorted(scratch.glob("*.whl")):
        name = path.name.split("-")[0]
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                data = archive.read(member)
                if data[:4] in MAGICS:
                    target = folder / name / pathlib.PurePosixPath(member).name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    if target.exists():
                        target = target.with_name(hashlib.sha1(member.encode()).hexdigest()[:8] +
                                                  "-" + target.name)
                    target.write_bytes(data)
                    target.chmod(0o755)


def fetch_python(folder, requirements, _):
    pip("install", "--target", str(folder), "--requirement", str(requirements))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    root.mkdir(parents=True, exist_ok=True)
    for name, requirements, fetch in (("files", "wheels.txt", fetch_files),
                                      ("python", "requirements.txt", fetch_python)):
        requirements = HERE / requirements
        state = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
        folder, stamp = root / name, root / f"{name}.done"
        if stamp.is_file() and stamp.read_text() == state:
            continue
        with tempfile.TemporaryDirectory(dir=root) as scratch:
            new = pathlib.Path(scratch, "new")
            new.mkdir()
            fetch(new, requirements, pathlib.Path(scratch))
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
        stamp.write_text(state)


main()
