"""Exceptions: one class a status, what they tell, and that nothing is left half done."""

import pickle
import re

import pytest

import mtlcap
from conftest import python
from mtlcap import errors


def test_every_status_of_the_c_library_has_a_class():
    names = set(mtlcap.STATUSES) - {"OK"}
    assert names == set(errors._CLASSES), "add a class to errors.py, and to __init__.py"
    assert len(set(errors._CLASSES.values())) == len(names)
    for name, cls in errors._CLASSES.items():
        assert errors.error_class(mtlcap.STATUSES[name]) is cls
        assert getattr(mtlcap, cls.__name__) is cls and cls.__name__ in mtlcap.__all__
        assert issubclass(cls, mtlcap.Error) and cls.__doc__


def test_statuses_are_those_of_the_header(source):
    header = (source / "include/mtlcap/mtlcap.h").read_text()
    rows = re.findall(r'^ +X\((\w+), (-?\d+), "', header, re.MULTILINE)
    assert mtlcap.STATUSES == {name: int(number) for name, number in rows}


def test_unknown_status():
    assert errors.error_class(-9999) is mtlcap.Error


def test_malformed_profile():
    with pytest.raises(mtlcap.ProfileError) as caught:
        mtlcap.apply("auto,appel.min=7")
    error = caught.value
    assert (error.status, error.item, error.column, error.line) == (-5, "appel.min=7", 6, 0)
    assert "did you mean 'apple'?" in str(error) and isinstance(error, ValueError)


def test_malformed_profile_file(work):
    (work / "bad.profile").write_text("auto\napple.min=\n")
    with pytest.raises(mtlcap.ProfileError) as caught:
        mtlcap.apply(f"@{work / 'bad.profile'}")
    assert caught.value.line == 2


def test_hazard():
    with pytest.raises(mtlcap.HazardError) as caught:
        mtlcap.apply("apple.min=9")
    assert caught.value.hazard == "beyond-hardware" and caught.value.status == -6
    assert mtlcap.apply("apple.min=9", allow=caught.value.hazard).changes


def test_failure_leaves_what_was_in_force():
    report = mtlcap.apply("auto")
    for wrong in ("", "nonsense", "apple.min=9", "@/nowhere/at/all"):
        with pytest.raises(mtlcap.Error):
            mtlcap.apply(wrong)
    assert mtlcap.report() == report


@pytest.mark.parametrize("action, cls", [
    (lambda: mtlcap.query("nonsense"), mtlcap.CapabilityError),
    (lambda: mtlcap.query("apple", 8), mtlcap.NotADeviceError),
    (lambda: mtlcap.adopt(8), mtlcap.NotADeviceError),
    (lambda: mtlcap.apply("@/nowhere/at/all"), mtlcap.ProfileFileError),
    (lambda: mtlcap.apply(""), mtlcap.ProfileError),
    (lambda: mtlcap.apply("auto", allow="no-such-hazard"), mtlcap.ArgumentError),
    (lambda: mtlcap.apply("auto", late="maybe"), mtlcap.ArgumentError),
    (lambda: mtlcap.explain("auto,,"), mtlcap.ProfileError),
    (lambda: mtlcap.query("apple", 2**64), mtlcap.NotADeviceError),
    (lambda: mtlcap.query("apple", -8), mtlcap.NotADeviceError),
    (lambda: mtlcap.apply("au\0to"), ValueError),
    (lambda: mtlcap.apply("au\0to"), mtlcap.ArgumentError),
    (lambda: mtlcap.apply(7), TypeError),
    (lambda: mtlcap.apply(None), TypeError),
    (lambda: mtlcap.apply("auto", allow=7), TypeError),
    (lambda: mtlcap.apply("auto", allow=[7]), TypeError),
    (lambda: mtlcap.query(b"apple"), TypeError),
    (lambda: mtlcap.apply("auto \ud83d"), ValueError),
    (lambda: mtlcap.query("auto \ud83d"), mtlcap.ArgumentError),
])
def test_kinds(action, cls):
    with pytest.raises(cls) as caught:
        action()
    assert str(caught.value)
    assert not mtlcap.is_active()


def test_pickle():
    with pytest.raises(mtlcap.ProfileError) as caught:
        mtlcap.apply("auto,x=1")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is mtlcap.ProfileError and copy.args == caught.value.args
    assert vars(copy) == vars(caught.value)


def test_no_device():
    assert python("""
        import mtlcap
        assert mtlcap.devices() == []
        for action in (lambda: mtlcap.apply("auto"), lambda: mtlcap.query("apple")):
            try:
                action()
            except mtlcap.NoDeviceError as error:
                print(error.status)
    """, machine="none") == "-4\n-4\n"


def test_without_metal_everything_imports_and_says_so():
    assert python("""
        import mtlcap
        needs_metal = [mtlcap.devices, mtlcap.apply, lambda: mtlcap.query("apple"),
                       lambda: mtlcap.adopt(4096), lambda: mtlcap.profile().__enter__()]
        for action in needs_metal:
            try:
                action()
                print("nothing was raised")
            except mtlcap.UnsupportedError as error:
                assert error.status == -3 and "libobjc" in str(error), error
        mtlcap.restore()
        assert isinstance(mtlcap.explain("auto").error, mtlcap.UnsupportedError)
        assert not mtlcap.is_active() and mtlcap.generation() == 0
        assert mtlcap.report().changes == () and len(mtlcap.capabilities()) > 50
        assert mtlcap.profiles() and mtlcap.hazards() and not mtlcap.machine().simulated
        try:
            mtlcap.apply("nonsense")
        except mtlcap.ProfileError:
            print("still checked")
    """, machine=None) == "still checked\n"


def test_without_metal_it_says_how_to_have_one():
    python("""
        import mtlcap
        try:
            mtlcap.apply()
        except mtlcap.UnsupportedError as error:
            assert "set MTLCAP_SIMMETAL=PREFIX/lib/libsimmetal.so.0" in str(error), error
            assert "LD_PRELOAD" not in str(error) and "Install" in str(error), error
    """, machine=None)


def test_simulated_metal_that_cannot_be_loaded():
    python("""
        import mtlcap
        for action in (mtlcap.devices, lambda: __import__("mtlcap.auto")):
            try:
                action()
                print("nothing was raised")
            except mtlcap.UnsupportedError as error:
                assert "MTLCAP_SIMMETAL must be the file libsimmetal.so.0" in str(error), error
                assert "'/nowhere.so' is not: " in str(error), error
    """, machine=None, env={"MTLCAP_SIMMETAL": "/nowhere.so"})


@pytest.mark.parametrize("index", [0, 1, 4095])
def test_a_device_is_not_an_index(index):
    for action in (lambda: mtlcap.query("apple", index), lambda: mtlcap.check("apple=5", index)):
        with pytest.raises(mtlcap.NotADeviceError, match=rf"write mtlcap\.devices\(\)\[{index}\]"):
            action()


@pytest.mark.parametrize("wrong", [None, True, 7])
def test_allow_of_a_wrong_type_is_named(wrong):
    for action in (mtlcap.apply, mtlcap.explain, mtlcap.profile):
        with pytest.raises(TypeError, match="allow must be a str or an iterable of them, not "):
            action("auto", allow=wrong)


def test_an_answer_is_no_yes_and_no_number():
    answer = mtlcap.query("raytracing")
    for action in (lambda: bool(answer), lambda: not answer, lambda: answer == 0,
                   lambda: answer != False, lambda: answer == "no"):  # noqa: E712
        with pytest.raises(TypeError, match=r"mtlcap\.query\('raytracing'\)\.effective"):
            action()
    assert answer == mtlcap.query("raytracing") and answer != mtlcap.query("apple")
    assert len({answer, mtlcap.query("raytracing")}) == 1
