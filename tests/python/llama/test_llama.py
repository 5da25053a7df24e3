"""The real llama_cpp package and tinygrad, unmodified, with `import mtlcap` in the same process:
what they do on a simulated virtual machine stock, under `auto`, after restore, too late, and on the
bare machine.

Variables, beside those of conftest.py: TEST_LLAMA (what build.py made), TEST_CLIENTS (the clients'
folder, with tinygrad)."""

import functools
import json
import os
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent.parent / "clients"))

from conftest import SIMMETAL, run  # noqa: E402
from runs import MACHINES  # noqa: E402

LLAMA = Path(os.environ["TEST_LLAMA"])
TINYGRAD_SHIM = HERE.parent.parent / "clients/tinygrad"
GENERATE = ("generate", str(LLAMA / "model.gguf"))
# An M5's tensor path needs the real device's name and Metal4, which stay the VM's.
BARE = {"m5-max": {"GGML_METAL_TENSOR_DISABLE": "1"}}


class Run:
    """One process of client.py: what llama.cpp placed where, and what was dispatched."""

    def __init__(self, machine, *steps):
        folder = Path(os.environ["TEST_WORK"])
        folder.mkdir(parents=True, exist_ok=True)
        trace = folder / f"{machine}-{abs(hash(steps))}.txt"
        trace.unlink(missing_ok=True)
        libraries = [TINYGRAD_SHIM, LLAMA / "site", Path(os.environ["TEST_CLIENTS"], "tinygrad")]
        result = run(HERE / "client.py", *steps, machine=machine, env={
            "LD_LIBRARY_PATH": str(Path(SIMMETAL).parent), "SIMMETAL_TRACE": str(trace),
            "PYTHONPATH": os.pathsep.join(map(str, libraries)), "TEST_SIMMETAL": SIMMETAL,
            "METAL_PATH": SIMMETAL, "MTLCOMPILER_PATH": SIMMETAL, "CACHELEVEL": "0",
            "PARALLEL": "0", "XDG_CACHE_HOME": str(folder), **BARE.get(machine, {})})
        assert result.returncode == 0, result.stderr
        self.told, self.log = json.loads(result.stdout), result.stderr
        self.dispatches = trace.read_text().splitlines() if trace.exists() else []
        trace.unlink(missing_ok=True)
        splits = re.findall(r"graph: nodes = \d+, splits = (\d+)", self.log)
        self.splits = int(splits[0]) if splits else None
        self.weights = re.findall(r"load_tensors: +(\S+ model buffer size = .*)$", self.log,
                                  re.MULTILINE)

    @property
    def everything(self):
        return (self.splits, self.weights, self.dispatches)


run_once = functools.lru_cache(maxsize=None)(Run)


def test_stock_is_slow():
    """Otherwise nothing below would show anything."""
    stock, bare = run_once("paravirt", *GENERATE), run_once("m1-ultra", *GENERATE)
    assert (stock.splits, bare.splits) == (23, 2)
    assert stock.weights != bare.weights and len(stock.dispatches) < len(bare.dispatches)


@pytest.mark.parametrize("machine", MACHINES)
def test_auto_is_as_the_bare_machine(machine):
    auto = run_once(machine, "apply", "auto", *GENERATE)
    bare = run_once(MACHINES[machine][0], *GENERATE)
    assert auto.told["warnings"] == []
    assert auto.splits == bare.splits == 2
    assert auto.weights == bare.weights and auto.dispatches == bare.dispatches


def test_another_family_is_not_as_the_bare_machine():
    """The comparison is able to fail."""
    bare = run_once("m3-pro", *GENERATE)
    assert run_once("paravirt-m3", "apply", "apple.min=6", *GENERATE).dispatches != bare.dispatches


def test_imported_is_not_too_late():
    late = run_once("paravirt", "import", "apply", "auto", *GENERATE)
    assert late.told["warnings"] == []
    assert late.everything == run_once("paravirt", "apply", "auto", *GENERATE).everything


def test_asked_is_too_late():
    late = run_once("paravirt", "import", "ask", "apply", "auto", *GENERATE)
    (warning,) = late.told["warnings"]
    assert warning.startswith("MtlcapOrderWarning: ") and "llama.cpp (llama_cpp)" in warning
    assert late.everything == run_once("paravirt", *GENERATE).everything


def test_restored_is_stock():
    restored = run_once("paravirt", "apply", "auto", "restore", *GENERATE)
    assert restored.everything == run_once("paravirt", *GENERATE).everything


def test_lowering_a_bare_machine():
    lowered = run_once("m1-ultra", "apply", "apple.max=5,metal=off", *GENERATE)
    stock = run_once("paravirt", *GENERATE)
    assert (lowered.splits, lowered.dispatches) == (stock.splits, stock.dispatches)


def test_tinygrad():
    assert run_once("paravirt", "tinygrad").told["tinygrad"] == ["Apple5", 0]
    auto = run_once("paravirt", "apply", "auto", "tinygrad")
    bare = run_once("m1-ultra", "tinygrad")
    assert auto.told["warnings"] == [] and auto.told["tinygrad"] == bare.told["tinygrad"]
    assert auto.told["tinygrad"][0] == "Apple7" and auto.dispatches == bare.dispatches
    late = run_once("paravirt", "tinygrad", "apply", "auto")
    assert "tinygrad (tinygrad.runtime.ops_metal)" in late.told["warnings"][0]


@pytest.mark.parametrize("steps", [("tinygrad", *GENERATE), (*GENERATE, "tinygrad")])
def test_both_in_one_process(steps):
    both, bare = run_once("paravirt", "apply", "auto", *steps), run_once("m1-ultra", *steps)
    assert both.everything == bare.everything and both.told["tinygrad"] == bare.told["tinygrad"]
    llama = run_once("paravirt", "apply", "auto", *GENERATE)
    assert both.splits == 2 and len(both.dispatches) > len(llama.dispatches)
