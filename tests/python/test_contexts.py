"""`with mtlcap.profile(...)`: what is in force on leaving, in every order."""

import asyncio
import itertools
import logging
import sys

import pytest

import mtlcap
from conftest import python


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


def test_comes_back_to_a_file_whose_name_is_not_text(work):
    from mtlcap._native import ffi, lib

    file = bytes(work) + b"/\xff.mtlcap"
    with open(file, "w") as profile:
        profile.write("apple.min=6")
    assert lib.mtlcap_apply_profile(b"@" + file, ffi.NULL) == 0
    with mtlcap.profile("apple.max=4"):
        assert apple() == 4
    assert apple() == 6


def test_comes_back_to_what_the_locale_cannot_say(work):
    (work / "\u00e9.mtlcap").write_text("apple.min=6")
    assert python(f"""
        import mtlcap
        from mtlcap._native import ffi, lib
        assert lib.mtlcap_apply_profile("@{work}/\\u00e9.mtlcap".encode(), ffi.NULL) == 0
        with mtlcap.profile("apple.max=4"):
            print(mtlcap.query("apple").effective)
        print(mtlcap.query("apple").effective)
    """, env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}) == "4\n6\n"


def test_interrupted_anywhere():
    """What is raised at any line of entering and leaving, by Ctrl-C say, leaves no profile in force."""
    from mtlcap import applying

    lines = []

    def interrupt_at(number):
        del lines[:]

        def trace(frame, event, _):
            if frame.f_code.co_filename != applying.__file__:
                return None
            if event == "line" and frame.f_code.co_name not in ("profile", "__init__"):
                lines.append((frame.f_code.co_name, frame.f_lineno))
                # Before the `try` of __exit__ Python runs no handler of signals.
                first = lines[-1] == ("__exit__", frame.f_code.co_firstlineno + 1)
                if len(lines) > number and not first and not raised:
                    raised.append(lines[-1])
                    raise KeyboardInterrupt
            return trace

        raised = []
        sys.settrace(trace)
        try:
            with mtlcap.profile("apple.min=6"):
                with mtlcap.profile("apple.min=7"):
                    pass
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        return raised

    for number in itertools.count():
        raised = interrupt_at(number)
        assert mtlcap.generation() == 0, raised
        if not raised:
            break
    assert number > 20


def test_decorator_of_a_coroutine():
    @mtlcap.profile("apple.min=6")
    async def inside():
        await asyncio.sleep(0)
        return apple()

    assert (asyncio.run(inside()), apple(), asyncio.run(inside())) == (6, 5, 6)


def test_decorator_of_a_generator_is_refused():
    def generator():
        yield apple()

    async def asynchronous():
        yield apple()

    for function in generator, asynchronous:
        with pytest.raises(TypeError, match=f"{function.__name__} is a generator.*inside it"):
            mtlcap.profile("auto")(function)
