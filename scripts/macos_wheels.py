"""Builds the Python package's wheels for a Mac, on Linux: one for arm64, one for x86_64, each for
macOS 11 and later and Python 3.9 and later.

    python3 scripts/macos_wheels.py [OUTPUT]          # default: build/macos-wheels

Run it with a Python that has pip, scikit-build-core, cffi and wheel; tests/python/requirements.txt
pins them. Otherwise needs what scripts/macos.sh needs. Environment: MTLCAP_DARWIN_SDK, a folder for
the headers of macOS (default: build/darwin-sdk), downloaded once.

The files are those of the ordinary build, cross-compiled and signed ad hoc; Python's stable ABI is
the same on both systems. Nothing is edited after it was linked, so signatures stay intact.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
PROCESSORS = ("arm64", "x86_64")


def run(*command, **options):
    if subprocess.run([str(part) for part in command], **options).returncode:
        sys.exit(f"macos_wheels: {' '.join(map(str, command))} failed")


def build(processor, sdk, output):
    work = output / "work" / processor
    shutil.rmtree(work, ignore_errors=True)
    defines = {
        "CMAKE_TOOLCHAIN_FILE": SOURCE / "cmake/darwin-cross.cmake",
        "MTLCAP_DARWIN_SDK": sdk,
        "MTLCAP_DARWIN_PROCESSOR": processor,
    }
    settings = ["cmake.build-type=MinSizeRel", "install.strip=false", f"build-dir={work / 'build'}"]
    settings += [f"cmake.define.{name}={value}" for name, value in defines.items()]
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-build-isolation", "--wheel-dir", work,
        *(f"--config-settings={setting}" for setting in settings), SOURCE)
    (wheel,) = work.glob("*.whl")
    run(sys.executable, "-m", "wheel", "tags", "--remove",
        f"--platform-tag=macosx_11_0_{processor}", wheel, stdout=subprocess.DEVNULL)
    (wheel,) = work.glob("*.whl")
    return shutil.copy(wheel, output / wheel.name)


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit("usage: python3 scripts/macos_wheels.py [OUTPUT]")
    output = Path(*sys.argv[1:] or [SOURCE / "build/macos-wheels"]).resolve()
    sdk = Path(os.environ.get("MTLCAP_DARWIN_SDK", SOURCE / "build/darwin-sdk")).resolve()
    output.mkdir(parents=True, exist_ok=True)
    run(sys.executable, SOURCE / "cmake/darwin/sdk.py", sdk)
    for processor in PROCESSORS:
        print(build(processor, sdk, output))


main()
