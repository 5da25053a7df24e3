"""pyobjc_table.py DUMP FOLDER: the table of capabilities agrees with PyObjC's description of Metal.

DUMP prints the table (dump_table.c). FOLDER keeps the description; if it does not have it, pip
downloads the pinned source package and checks it. MTLCAP_CLIENTS_DIR overrides FOLDER.

Checked, for both processors: each selector is a method of MTLDevice with the types that the row
says; each yes-or-no method of MTLDevice is a row; each constant that the methods take or return is
in the range of exactly one row, under the number in its name. Then the table is damaged in several
ways, and each time the checks must notice.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PACKAGE = "pyobjc-framework-Metal"
FILES = {"arm64": "arm64-26.5.fwinfo", "x86_64": "x86_64-26.5.fwinfo"}

# Types of the result and of the arguments, as PyObjC writes them: Z is BOOL.
SHAPES = {
    "ASK_BOOL": ("Z", []),
    "ASK_ID": ("Z", ["q"]),
    "ASK_COUNT": ("Z", ["Q"]),
    "ASK_WORD": ("Q", []),
    "ASK_WORD32": ("I", []),
    "ASK_SIZE3": ("{MTLSize=QQQ}", []),
    "ASK_OBJECT": ("@", []),
}

# Constants: which of them, and the key of the row that has them. The first group of the pattern is
# the number in the name, where there is one.
CONSTANTS = [
    (r"MTLGPUFamilyApple(\d+)", "apple"),
    (r"MTLGPUFamilyMac(\d+)", "mac"),
    (r"MTLGPUFamilyCommon(\d+)", "common"),
    (r"MTLGPUFamilyMacCatalyst(\d+)", "catalyst"),
    (r"MTLGPUFamilyMetal(\d+)", "metal"),
    (r"MTLFeatureSet_macOS_\w+", "feature_set"),
    (r"MTLArgumentBuffersTier(\d+)", "argument_buffers"),
    (r"MTLReadWriteTextureTier(\d+)", "read_write_texture"),
    (r"MTLReadWriteTextureTierNone", "read_write_texture"),
    (r"MTLCounterSamplingPointAtStageBoundary", "counter_sampling_stage"),
    (r"MTLCounterSamplingPointAtDrawBoundary", "counter_sampling_draw"),
    (r"MTLCounterSamplingPointAtDispatchBoundary", "counter_sampling_dispatch"),
    (r"MTLCounterSamplingPointAtTileDispatchBoundary", "counter_sampling_tile"),
    (r"MTLCounterSamplingPointAtBlitBoundary", "counter_sampling_blit"),
]
ENUMS = {"MTLGPUFamily", "MTLArgumentBuffersTier", "MTLReadWriteTextureTier",
         "MTLCounterSamplingPoint"}

Row = collections.namedtuple("Row", "key selector shape first last named")


def download(folder):
    """Leaves the files of FILES in `folder`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="pyobjc-", dir=folder.parent))
    try:
        # Off a Mac pip cannot go on to build the package, and fails; by then it has checked and
        # unpacked it.
        pip = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--no-clean",
             "--no-build-isolation", "--no-binary", PACKAGE, "--require-hashes",
             "--requirement", str(pathlib.Path(__file__).with_name("requirements.txt")),
             "--dest", str(work)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            env=dict(os.environ, TMPDIR=str(work)))
        result = work / "result"
        result.mkdir()
        for name in FILES.values():
            found = sorted(work.glob(f"pip-download-*/*/metadata/raw/{name}"))
            if not found:
                sys.exit(f"pip did not bring {name} of {PACKAGE}:\n{pip.stdout}")
            shutil.copy(found[0], result / name)
        try:
            os.replace(result, folder)
        except OSError:
            if not folder.is_dir():  # otherwise another run was faster
                raise
    finally:
        shutil.rmtree(work)


def load(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads("\n".join(line for line in lines if not line.lstrip().startswith("//")))


def check_methods(rows, methods):
    for row in rows:
        method = methods.get(row.selector)
        if method is None:
            yield f"{row.key}: MTLDevice has no {row.selector}"
            continue
        types = (method["retval"]["typestr"], [arg["typestr"] for arg in method["args"]])
        if types != SHAPES[row.shape]:
            yield f"{row.key}: {row.selector} is {types}, {row.shape} is {SHAPES[row.shape]}"
    known = {row.selector for row in rows}
    for selector, method in methods.items():
        if method["retval"]["typestr"] == "Z" and selector not in known:
            yield f"{selector} answers yes or no and is in no row"


def check_constants(rows, constants):
    by_key = {row.key: row for row in rows}
    values = collections.defaultdict(set)
    for name, constant in constants.items():
        for pattern, key in CONSTANTS:
            match = re.fullmatch(pattern, name)
            if match is None:
                continue
            row, value = by_key.get(key), constant["value"]
            if row is None:
                yield f"{name}: there is no {key}"
            elif not row.first <= value <= row.last:
                yield f"{name} = {value} is outside {key}, {row.first} to {row.last}"
            elif match.groups() and value + row.named != int(match[1]):
                yield f"{name} = {value} is {value + row.named} in {key}"
            values[key].add(value)
            break
        else:
            if constant.get("enum") in ENUMS:
                yield f"{name} is in no row"
    for key, found in values.items():
        row = by_key.get(key)
        if row is not None and found != set(range(row.first, row.last + 1)):
            yield f"{key} is {row.first} to {row.last}, Metal has {sorted(found)}"
    for _, key in CONSTANTS:
        if key not in values:
            yield f"no constant for {key}: the description has another form"


def check(rows, metal):
    definitions = metal["definitions"]
    methods = {method["selector"]: method
               for method in definitions["formal_protocols"]["MTLDevice"]["methods"]}
    if len(methods) < 100:
        return [f"only {len(methods)} methods of MTLDevice: the description has another form"]
    return [*check_methods(rows, methods), *check_constants(rows, definitions["enum"])]


def damaged(rows):
    """The table with one mistake, in several ways."""
    def change(key, **fields):
        return [row._replace(**fields) if row.key == key else row for row in rows]

    yield "a selector that Metal does not have", change("apple", selector="supportsFamilies:")
    yield "another type of argument", change("apple", shape="ASK_COUNT")
    yield "another type of result", change("threadgroup_memory", shape="ASK_WORD32")
    yield "a yes-or-no method left out", [row for row in rows if row.key != "raytracing"]
    yield "a family left out", change("apple", last=1009)
    yield "a family that Metal does not have", change("metal", last=5003)
    yield "the number in another name", change("metal", named=-5000)
    yield "two questions mixed up", change("counter_sampling_draw", first=2, last=2)


def main():
    dump, default = sys.argv[1:]
    folder = pathlib.Path(os.environ.get("MTLCAP_CLIENTS_DIR") or default) / "pyobjc-metal-12.2.2"
    if not folder.is_dir():
        download(folder)

    rows = []
    for line in subprocess.run([dump], check=True, stdout=subprocess.PIPE, text=True,
                               ).stdout.splitlines():
        key, selector, shape, first, last, named = line.split("\t")
        rows.append(Row(key, selector, shape, int(first), int(last), int(named)))

    failed = False
    for processor, name in FILES.items():
        metal = load(folder / name)
        for problem in check(rows, metal):
            print(f"{processor}: {problem}")
            failed = True
        for what, table in damaged(rows):
            if not check(table, metal):
                print(f"{processor}: {what} is not noticed")
                failed = True
        print(f"{processor}: {len(rows)} rows compared with {name}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
