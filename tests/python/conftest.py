"""What the tests share. They run in the environment that install.py makes, with the variables
TEST_SIMMETAL (the simulated Metal), TEST_SOURCE (the repository), TEST_BLOCKER (blocker.c, built)
and TEST_WORK (a folder)."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SIMMETAL = os.environ["TEST_SIMMETAL"]
os.environ["MTLCAP_SIMMETAL"] = SIMMETAL  # before mtlcap is imported

# What a user's shell may have set, and what must not decide a test.
FOREIGN = re.compile(r"^(MTLCAP|SIMMETAL|LUME|TART|LUNCHPAIL|VEERTU|METAL|MTL|LD_|PYTHON)")


def environment(machine="paravirt", **extra):
    result = {key: value for key, value in os.environ.items() if not FOREIGN.match(key)}
    if machine:
        result.update(MTLCAP_SIMMETAL=SIMMETAL, SIMMETAL_DEVICES=machine)
    result.update(extra)
    return result


def run(*arguments, machine="paravirt", env=None, **options):
    """Runs Python in a process of its own; machine None: without Metal."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=120,
        env=environment(machine, **(env or {})), **options)


def python(code, **options):
    """Runs code in a process of its own, which must end well and say nothing on stderr."""
    result = run("-W", "error", "-c", textwrap.dedent(code), **options)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def source():
    return Path(os.environ["TEST_SOURCE"])


@pytest.fixture
def work(request):
    folder = Path(os.environ["TEST_WORK"], request.node.name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def stock():
    """Every test starts, and leaves, with nothing in force."""
    import mtlcap

    mtlcap.restore()
    yield
    mtlcap.restore()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Nothing that can run here may be left out in silence."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: skipped: {report.longrepr}"
