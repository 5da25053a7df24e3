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
    (lambda: mtlcap.apply("au\0to"), ValueError),
    (lambda: mtlcap.apply(7), TypeError),
    (lambda: mtlcap.apply(None), TypeError),
    (lambda: mtlcap.apply("auto", allow=7), TypeError),
    (lambda: mtlcap.apply("auto", allow=[7]), TypeError),
    (lambda: mtlcap.query(b"apple"), TypeError),
    (lambda: mtlcap.apply("auto \ud83d"), ValueError),
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


def test_simulated_metal_that_cannot_be_loaded():
    python("""
        try:
            import mtlcap
            print("imported")
        except ImportError as error:
            assert "MTLCAP_SIMMETAL" in str(error) and "/nowhere.so" in str(error)
    """, machine=None, env={"MTLCAP_SIMMETAL": "/nowhere.so"})
