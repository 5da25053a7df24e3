"""Too late: warned of by what was asked, not by what was imported."""

import pytest

from conftest import python, run

# A client, as a module that may be imported without asking, and that asks when it is used.
CLIENT = """
import ctypes, sys, types, warnings
client = types.ModuleType("llama_cpp")
def use():
    metal = ctypes.CDLL(None)
    metal.MTLCreateSystemDefaultDevice.restype = ctypes.c_void_p
    return metal.MTLCreateSystemDefaultDevice()
client.use = use
import mtlcap
sys.modules["llama_cpp"] = client
def warned(action):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [(w.category.__name__, str(w.message), w.filename) for w in caught]
"""


def after(code, **options):
    return python(CLIENT + code, **options)


def test_imported_is_not_too_late():
    assert after("print(warned(lambda: mtlcap.apply('auto')))") == "[]\n"


def test_asked_is_too_late():
    after("""
client.use()
((category, message, file),) = warned(lambda: mtlcap.apply("auto"))
assert category == "MtlcapOrderWarning" and issubclass(mtlcap.MtlcapOrderWarning, RuntimeWarning)
assert "llama.cpp (llama_cpp)" in message, message
assert "mtlcap.apply()" in message and "python -m mtlcap run -p auto SCRIPT" in message
assert file == "<string>", file
assert mtlcap.query("apple").effective == 7, "it is applied all the same"
""")


def test_words_for_a_client_without_a_module():
    after("""
del sys.modules["llama_cpp"]
client.use()
((_, message, _),) = warned(lambda: mtlcap.apply("auto"))
assert "something in this process" in message, message
""")


def test_context_warns_at_the_callers_line():
    after("""
client.use()
def inside():
    with mtlcap.profile("auto"):
        pass
((category, _, file),) = warned(inside)
assert category == "MtlcapOrderWarning" and file == "<string>", file
decorated = mtlcap.profile("auto")(lambda: None)
((category, _, file),) = warned(decorated)
assert category == "MtlcapOrderWarning" and file == "<string>", file
""")


def test_late_error_applies_nothing():
    after("""
client.use()
try:
    mtlcap.apply("auto", late="error")
    print("nothing was raised")
except mtlcap.OrderError as error:
    assert isinstance(error, mtlcap.Error) and error.status == 0 and "llama_cpp" in str(error)
assert mtlcap.generation() == 0
""")


def test_warning_made_an_error_applies_nothing():
    after("""
client.use()
warnings.simplefilter("error")
try:
    mtlcap.apply("auto")
    print("nothing was raised")
except mtlcap.MtlcapOrderWarning:
    assert mtlcap.generation() == 0
""")


def test_late_ignore():
    after("""
client.use()
assert warned(lambda: mtlcap.apply("auto", late="ignore")) == []
assert mtlcap.query("apple").effective == 7
""")


@pytest.mark.parametrize("profile, machine", [("stock", "paravirt"), ("auto", "m3")])
def test_nothing_is_late_where_nothing_changes(profile, machine):
    after(f"""
client.use()
assert warned(lambda: mtlcap.apply({profile!r})) == []
""", machine=machine)


def test_what_mtlcap_itself_has_asked_is_not_too_late():
    after("""
mtlcap.devices(), mtlcap.query("apple"), mtlcap.explain("auto")
assert warned(lambda: mtlcap.apply("auto")) == []
assert warned(lambda: mtlcap.apply("apple.min=6")) == []
""")


@pytest.mark.parametrize("question", [
    "mtlcap.devices()", "mtlcap.query('apple')", "mtlcap.check('apple=5')",
    "mtlcap.explain('auto')", "mtlcap.apply('stock')", "mtlcap.adopt(mtlcap.devices()[0])"])
def test_asked_before_mtlcap_looked_is_remembered(question):
    after("""
client.use()
{question}
assert len(warned(lambda: mtlcap.apply("auto"))) == 1
""".format(question=question))


def test_refused_profile_is_refused_not_late():
    after("""
client.use()
warnings.simplefilter("error")
try:
    mtlcap.apply("apple.min=9")
except mtlcap.HazardError:
    pass
""")


def test_warning_as_a_user_sees_it(work):
    script = work / "late.py"
    script.write_text(CLIENT + "client.use()\nmtlcap.apply('auto')  # here\n")
    result = run(script)
    assert result.returncode == 0
    assert f"{script}:" in result.stderr and "# here" in result.stderr
