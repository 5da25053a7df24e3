"""In a process into which the library is injected: one engine, that of the copy that came first."""

import os

from conftest import python
from mtlcap.__main__ import inject_library

CLIENT = """
import ctypes, warnings
warnings.simplefilter("error")
metal = ctypes.CDLL("libsimmetal.so.0", mode=ctypes.RTLD_GLOBAL)
create = ctypes.CDLL(None).MTLCreateSystemDefaultDevice  # as a program that links Metal finds it
create.restype = ctypes.c_void_p
"""


def injected(code, profile="auto", **variables):
    simmetal = os.environ["TEST_SIMMETAL"]
    return python(CLIENT + code, env={
        "LD_PRELOAD": f"{inject_library()}:{simmetal}", "MTLCAP_PROFILE": profile, **variables})


def test_what_was_injected_is_seen():
    injected("""
import mtlcap
assert mtlcap.generation() == 0, "nobody has asked for a device yet"
device = create()
assert mtlcap.is_active() and mtlcap.generation() != 0
answer = mtlcap.query("apple", device)
assert (answer.effective, answer.stock) == (7, 5), answer
assert mtlcap.report().profile == "auto", mtlcap.report()
""")


def test_a_profile_of_ones_own_is_not_too_late():
    """The injected library was in time, and holds the class in its hands."""
    injected("""
device = create()
import mtlcap
with mtlcap.profile("apple.min=6"):
    assert mtlcap.query("apple", device).effective == 6
assert mtlcap.query("apple", device).effective == 7
mtlcap.restore()
assert mtlcap.query("apple", device).effective == 5
""")


def test_its_log_stays_where_it_was_told(work):
    log = work / "log"
    log.unlink(missing_ok=True)
    injected("""
create()
import logging
logging.disable(logging.CRITICAL)
import mtlcap
mtlcap.apply("auto")
""", profile="stock", MTLCAP_LOG=f"warning:{log}", SIMMETAL_DEVICES="paravirt-old-sdk")
    assert "old-sdk-bf16" in log.read_text()


def test_variable_of_the_package_is_no_mistake():
    """The injected library warns of variables that look like its own."""
    injected("create()", MTLCAP_LOG="warning")


def test_children_start_without_it():
    assert injected("""
import subprocess, sys
print(subprocess.run([sys.executable, "-c", "import os; print(os.environ.get('LD_PRELOAD'))"],
                     capture_output=True, text=True).stdout.count("mtlcap-inject"))
""") == "0\n"
