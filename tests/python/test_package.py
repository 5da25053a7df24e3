"""The files: the source distribution, the wheel, and other ways to install."""

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import mtlcap
from conftest import environment, run

# Of the names that begin with an underscore, those that are in the stable ABI.
STABLE = {"_Py_Dealloc", "_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct"}
DIST = Path(os.environ["TEST_DIST"])


@pytest.fixture
def wheel():
    (path,) = DIST.glob("*.whl")
    return path


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist()
                if ".dist-info/" not in name and not name.endswith("/")}


def dynamic(path, tag):
    result = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True)
    return re.findall(rf"\({tag}\).*\[(.*)\]", result.stdout)


def test_source_distribution_has_what_the_wheel_is_built_from():
    (path,) = DIST.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tops == {"CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "bindings", "cmake",
                    "include", "lib", "pyproject.toml", "tools"}
    assert "include/mtlcap/mtlcap.h" in names and "bindings/python/mtlcap/py.typed" in names
    assert not [name for name in names if name.startswith("lib/simmetal")]


def test_one_wheel_for_all_pythons(wheel):
    assert re.fullmatch(r"mtlcap-[\d.]+-cp39-abi3-\w+\.whl", wheel.name)


def test_wheel_has_the_library_once(wheel):
    names = names_in(wheel)
    libraries = sorted(name for name in names if re.search(r"libmtlcap\.", name))
    assert libraries == ["mtlcap/lib/libmtlcap.so.0.1"]
    assert {"mtlcap/_mtlcap.abi3.so", "mtlcap/bin/mtlcap", "mtlcap/py.typed"} <= names
    assert all(name.startswith("mtlcap/") for name in names)
    has_inject = any(name.startswith("mtlcap/lib/libmtlcap-inject.") for name in names)
    assert has_inject == (os.environ["TEST_HAS_INJECT"] == "1")
    assert not [name for name in names if "objc" in name or "simmetal" in name]


def test_nothing_links_the_objective_c_runtime():
    """auditwheel would put a copy of it into the wheel, and two runtimes crash."""
    package = Path(mtlcap.__file__).parent
    files = [package / "_mtlcap.abi3.so", package / "lib/libmtlcap.so.0.1", package / "bin/mtlcap"]
    for file in files:
        assert not [name for name in dynamic(file, "NEEDED") if "objc" in name], file
    assert dynamic(files[0], "RUNPATH") == ["$ORIGIN/lib"]
    assert dynamic(files[2], "RUNPATH") == ["$ORIGIN/../lib"]
    assert "libmtlcap.so.0.1" in dynamic(files[0], "NEEDED")
    assert "libmtlcap.so.0.1" in dynamic(files[2], "NEEDED")


def test_only_the_stable_abi_is_used():
    package = Path(mtlcap.__file__).parent
    output = subprocess.run(["nm", "-D", "--undefined-only", package / "_mtlcap.abi3.so"],
                            capture_output=True, text=True, check=True).stdout
    used = set(re.findall(r"U (_?Py\w+)", output))
    assert used and not {name for name in used if name.startswith("_Py")} - STABLE


def test_auditwheel_repairs_it_without_adding_anything(wheel, work):
    tools = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    result = run("-m", "auditwheel", "repair", "--exclude", "libobjc.so.4", "-w", work, wheel,
                 machine=None, env=tools)
    assert result.returncode == 0, result.stderr
    (repaired,) = work.glob("*manylinux*.whl")
    assert names_in(repaired) == names_in(wheel)


def pip(python, *arguments):
    result = subprocess.run([python, "-m", "pip", "--disable-pip-version-check", *arguments],
                            capture_output=True, text=True, env=environment(None))
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture
def other_environment(work):
    """An environment that sees the tools of this one, but not this one's mtlcap."""
    folder = work / "venv"
    venv.create(folder, clear=True, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    tools = site / "tools.pth"
    tools.write_text(str(Path(sys.executable).parent.parent / site.relative_to(folder)) + "\n")
    return folder / "bin/python"


def test_editable(other_environment, source, work):
    pip(other_environment, "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
        "--ignore-installed", "--editable", str(source))
    result = subprocess.run(
        [other_environment, "-B", "-c", "import mtlcap; print(mtlcap.__file__)\n"
         "print(mtlcap.apply('auto').changes[0])"], capture_output=True, text=True,
        env=environment(), cwd=work)
    assert result.stderr == ""
    assert result.stdout == (f"{source}/bindings/python/mtlcap/__init__.py\n"
                             "apple: 5 -> 7 (auto: apple.min=7)\n")
    command = subprocess.run([other_environment, "-B", "-m", "mtlcap", "version"],
                             capture_output=True, text=True, env=environment(), cwd=work)
    assert command.returncode == 0 and mtlcap.__version__ in command.stdout, command.stderr
