"""The wheels for a Mac, built here: their tags, what is in them, and each file of theirs as
tests/macho/static checks those of the bundle."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SOURCE = Path(os.environ["TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/macho/static"))

import checks  # noqa: E402
import linking  # noqa: E402
import macho  # noqa: E402
from products import INTERPOSED, LIBOBJC, LIBSYSTEM, METAL, Product, names  # noqa: E402

import mtlcap  # noqa: E402
from conftest import environment  # noqa: E402

PROCESSORS = ("arm64", "x86_64")
MH_BUNDLE = 8
FLAT_LOOKUP = -2
LIBRARY = "@rpath/libmtlcap." + ".".join(mtlcap.__version__.split(".")[:2]) + ".dylib"
checks.FLAGS[MH_BUNDLE] = 0x85  # MH_NOUNDEFS, MH_DYLDLINK, MH_TWOLEVEL

EXPORTS = names(SOURCE / "lib/exports.txt")
PRODUCTS = [
    Product(LIBRARY.replace("@rpath", "mtlcap/lib"), macho.MH_DYLIB, EXPORTS,
            {LIBOBJC: "", LIBSYSTEM: ""}, identity=[LIBRARY]),
    Product("mtlcap/lib/libmtlcap-inject.dylib", macho.MH_DYLIB, set(),
            {METAL: "weak", LIBOBJC: "", LIBSYSTEM: ""},
            identity=["@rpath/libmtlcap-inject.dylib"], interposed=INTERPOSED, initialisers=1),
    Product("mtlcap/bin/mtlcap", macho.MH_EXECUTE, {"__mh_execute_header"},
            {LIBRARY: "", LIBSYSTEM: ""}, rpaths=["@loader_path/../lib"]),
    Product("mtlcap/_mtlcap.abi3.so", MH_BUNDLE, {"_PyInit__mtlcap"},
            {LIBRARY: "", LIBSYSTEM: ""}, rpaths=["@loader_path/lib"]),
]


@pytest.fixture(scope="session")
def wheels():
    folder = Path(os.environ["TEST_WORK"], "wheels")
    result = subprocess.run(
        [sys.executable, SOURCE / "scripts/macos_wheels.py", folder], capture_output=True,
        text=True, env=environment(None))
    assert result.returncode == 0, result.stdout + result.stderr
    return {processor: next(folder.glob(f"*_{processor}.whl")) for processor in PROCESSORS}


@pytest.fixture(params=PROCESSORS)
def wheel(request, wheels):
    return wheels[request.param]


@pytest.fixture(params=PRODUCTS, ids=lambda product: product.file)
def product(request):
    return request.param


@pytest.fixture
def image(wheel, product):
    with zipfile.ZipFile(wheel) as archive:
        return macho.Image(archive.read(product.file))


def test_tags(wheel):
    tag = re.fullmatch(r"mtlcap-[\d.]+-(cp39-abi3-macosx_11_0_(arm64|x86_64))\.whl", wheel.name)[1]
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith("/WHEEL")]
        lines = archive.read(metadata).decode().splitlines()
    assert [line for line in lines if line.startswith("Tag: ")] == [f"Tag: {tag}"]
    assert "Root-Is-Purelib: false" in lines


def test_contents(wheel):
    """The same as here, with the libraries' names of a Mac."""
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        found = {name for name in archive.namelist()
                 if name.startswith("mtlcap/") and not name.endswith((".py", ".pyi", "/py.typed"))}
        programs = [name for name in archive.namelist()
                    if archive.getinfo(name).external_attr >> 16 & 0o111]
    assert found == {product.file for product in PRODUCTS}
    assert "mtlcap/bin/mtlcap" in programs


def test_python_is_the_same(wheel):
    (here,) = Path(os.environ["TEST_DIST"]).glob("*.whl")
    with zipfile.ZipFile(here) as one, zipfile.ZipFile(wheel) as other:
        for name in one.namelist():
            if name.endswith((".py", ".pyi")):
                assert one.read(name) == other.read(name)


@pytest.mark.parametrize("name", sorted(checks.CHECKS))
def test_as_in_the_bundle(image, product, name, tmp_path):
    if product.filetype == MH_BUNDLE and name == "imports":
        return  # below
    context = checks.Context(SOURCE, tmp_path, SOURCE / "build/darwin-sdk")
    assert list(checks.CHECKS[name](image, product, context)) == []


def test_what_the_extension_takes(wheel):
    """Python's functions from whoever has them; all else from libraries by name."""
    with zipfile.ZipFile(wheel) as archive:
        image = macho.Image(archive.read("mtlcap/_mtlcap.abi3.so"))
    assert {load.path for load in image.loads} == {LIBRARY, LIBSYSTEM}
    flat = {bind.symbol for bind in linking.binds(image) if bind.library == FLAT_LOOKUP}
    assert flat and all(re.match(r"_(Py|_Py)[A-Z_]", name) for name in flat), flat
    ours = {bind.symbol for bind in linking.binds(image)
            if bind.library > 0 and image.loads[bind.library - 1].path == LIBRARY}
    assert ours <= EXPORTS and "_mtlcap_apply_profile" in ours


def test_delocate_changes_nothing(wheel, tmp_path):
    """As pyproject.toml has it: no library is put into the wheel, and no file's signature is lost."""
    for tool in ("otool", "lipo"):  # Apple's otool has -m, for names with parentheses
        (tmp_path / tool).write_text(f"""#!/bin/sh
for word; do
  shift
  [ "$word" = -m ] || set -- "$@" "$word"
done
exec llvm-{tool}-19 "$@"
""")
        (tmp_path / tool).chmod(0o755)
    configured = re.search(r'^macos\.repair-wheel-command = "(.*)"$',
                           (SOURCE / "pyproject.toml").read_text(), re.MULTILINE)[1]
    processor = re.search(r"(arm64|x86_64)\.whl$", wheel.name)[1]
    words = configured.format(delocate_archs=processor, dest_dir=tmp_path / "out", wheel=wheel).split()
    tools = Path(sys.executable).parent
    result = subprocess.run([tools / words[0], *words[1:]], capture_output=True, text=True,
                            env=environment(None, PATH=f"{tmp_path}:{tools}:{os.environ['PATH']}"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "excluded because of exclude 'libmtlcap'" in result.stdout + result.stderr
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(tmp_path / "out" / wheel.name) as other:
        files = {name for name in one.namelist() if not name.endswith("/")}
        assert files == {name for name in other.namelist() if not name.endswith("/")}
        assert {name for name in files if one.read(name) != other.read(name)} == {
            name for name in files if name.endswith((".dist-info/RECORD", ".dist-info/WHEEL"))}
