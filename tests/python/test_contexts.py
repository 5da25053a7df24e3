"""`with mtlcap.profile(...)`: what is in force on leaving, in every order."""

import logging

import pytest

import mtlcap


def apple():
    return mtlcap.query("apple").effective


def test_restores_on_leaving():
    with mtlcap.profile("auto") as report:
        assert report.profile == "auto" and apple() == 7
    assert apple() == 5 and mtlcap.generation() == 0


def test_restores_after_an_exception():
    with pytest.raises(ZeroDivisionError):
        with mtlcap.profile("auto"):
            1 / 0
    assert apple() == 5


def test_nested():
    with mtlcap.profile("apple.min=6"):
        with mtlcap.profile("apple.max=4"):
            with mtlcap.profile("apple.min=7"):
                assert apple() == 7
            assert apple() == 4
            with mtlcap.profile("stock"):
                assert apple() == 5
            assert apple() == 4
        assert apple() == 6
    assert mtlcap.generation() == 0


def test_inside_an_apply():
    mtlcap.apply("apple.min=9", allow="beyond-hardware")
    with mtlcap.profile("apple.min=6"):
        assert apple() == 6
    report = mtlcap.report()
    assert apple() == 9
    assert (report.profile, report.allowed) == ("apple.min=9", ("beyond-hardware",))


def test_inside_an_apply_of_somebody_else():
    """Not through Python: as a C library in the same process would."""
    from mtlcap._native import ffi, lib

    assert lib.mtlcap_apply_profile(b"apple.max=3", ffi.NULL) == 0
    with mtlcap.profile("apple.min=6"):
        assert apple() == 6
    assert apple() == 3


def test_somebody_else_restores_what_has_come_back():
    from mtlcap._native import ffi, lib

    assert lib.mtlcap_apply_profile(b"apple.min=6", ffi.NULL) == 0
    generation = lib.mtlcap_generation()
    with mtlcap.profile("apple.max=4"):
        with mtlcap.profile("auto"):
            assert apple() == 7
    assert apple() == 6
    assert lib.mtlcap_restore_generation(generation) == 0
    assert apple() == 5


def test_somebody_else_restores_inside():
    from mtlcap._native import ffi, lib

    assert lib.mtlcap_apply_profile(b"apple.min=6", ffi.NULL) == 0
    generation = lib.mtlcap_generation()
    with mtlcap.profile("apple.max=4"):
        assert lib.mtlcap_restore_generation(generation) == 0
        assert apple() == 4
    assert apple() == 5


def test_long_profile_comes_back():
    mtlcap.apply(",".join(["apple.max=3"] * 50))
    with mtlcap.profile("apple.min=6"):
        assert apple() == 6
    assert apple() == 3


def test_left_in_another_order():
    outer, inner = mtlcap.profile("apple.min=6"), mtlcap.profile("apple.min=7")
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert apple() == 7
    inner.__exit__(None, None, None)
    assert apple() == 5 and mtlcap.generation() == 0


def test_apply_inside_stays():
    with mtlcap.profile("apple.min=6"):
        mtlcap.apply("apple.min=7")
    assert apple() == 7


def test_restore_inside_stays():
    with mtlcap.profile("apple.min=6"):
        with mtlcap.profile("apple.min=7"):
            mtlcap.restore()
            assert apple() == 5
        assert apple() == 5
    assert apple() == 5


def test_refused_context_changes_nothing():
    with mtlcap.profile("apple.min=6"):
        with pytest.raises(mtlcap.HazardError):
            with mtlcap.profile("apple.min=9"):
                pytest.fail("the body must not run")
        assert apple() == 6
    assert apple() == 5


def test_file_is_not_read_again(work):
    file = work / "profile"
    file.write_text("apple.min=6")
    with mtlcap.profile(f"@{file}"):
        with mtlcap.profile("apple.min=7"):
            file.unlink()
        assert apple() == 6
    assert apple() == 5 and mtlcap.generation() == 0


def test_exception_in_a_log_handler_while_entering():
    """Raised after C has put the profile in force, as by Ctrl-C then."""

    def fail(record):
        raise ZeroDivisionError

    logger = logging.getLogger("mtlcap")
    logger.setLevel("INFO")
    logger.addFilter(fail)
    try:
        with pytest.raises(ZeroDivisionError):
            with mtlcap.profile("apple.min=6"):
                pytest.fail("the body must not run")
    finally:
        logger.removeFilter(fail)
        logger.setLevel("NOTSET")
    assert apple() == 5 and mtlcap.generation() == 0


def test_decorator():
    @mtlcap.profile("apple.min=6")
    def inside():
        return apple()

    assert (inside(), apple(), inside(), apple()) == (6, 5, 6, 5)


def test_a_context_is_entered_once():
    context = mtlcap.profile("apple.min=6")
    with context:
        assert apple() == 6
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"call mtlcap\.profile\(\) again"):
            with context:
                pytest.fail("the body must not run")
    assert apple() == 5
