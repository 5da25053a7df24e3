"""`with mtlcap.trace()`: what clients ask, here by ctypes."""

import ctypes
import os
import threading

import pytest

import mtlcap
from conftest import SIMMETAL, python

metal = ctypes.CDLL(SIMMETAL)


def ask(selector="supportsFamily:", argument=1007):
    device = ctypes.c_void_p(mtlcap.devices()[0].pointer)
    return metal.simmetal_ask_with(device, selector.encode(), ctypes.c_int64(argument)) & 0xFF


def test_a_question():
    with mtlcap.trace() as t:
        ask()
        ask()
    (question,) = t.questions
    assert (question.capability, question.selector) == ("apple", "supportsFamily:")
    assert (question.argument, question.argument_name) == (1007, "MTLGPUFamilyApple7")
    assert (question.answer, question.stock, question.stock_known) == ("no", "no", True)
    assert (question.overridden, question.derived) == (False, False)
    assert (question.times, question.thread_count, t.asked, t.dropped) == (2, 1, 2, 0)
    assert question.class_name == "AppleParavirtDevice"
    assert question.device_name == mtlcap.devices()[0].name
    assert question.image and question.caller
    assert 0 < question.first < 60
    assert str(question) == "apple(MTLGPUFamilyApple7): no, 2 times"
    assert t.events == () and t.unwatched == ()


def test_before_and_under_a_profile():
    with mtlcap.trace() as t:
        ask()
        with mtlcap.profile("auto"):
            ask()
    assert [(q.answer, q.overridden, q.stock) for q in t.questions] == [
        ("no", False, "no"), ("yes", True, "no")]
    assert str(t.questions[1]) == "apple(MTLGPUFamilyApple7): yes (stock: no), 1 times"


def test_without_an_argument_and_unknown():
    with mtlcap.trace() as t:
        ask("maxThreadgroupMemoryLength")
        ask(argument=1021)
    memory, family = t.questions
    assert (memory.argument, memory.argument_name, memory.answer) == (None, "", "32768")
    assert str(memory) == "threadgroup_memory: 32768, 1 times"
    assert family.argument_name.startswith("1021, no family")


def test_live_and_afterwards():
    with mtlcap.trace() as t:
        assert t.questions == ()
        ask()
        assert t.questions[0].times == 1
        ask()
        assert t.questions[0].times == 2
    ask()
    assert t.questions[0].times == 2
    with mtlcap.trace() as other:
        assert other.questions == ()
    assert t.questions[0].times == 2  # it is another one
    with t:  # and may begin anew
        assert t.questions == ()


def test_events():
    with mtlcap.trace(events=3) as t:
        for family in (1001, 1002, 1001, 1002):
            ask(argument=family)
    assert [event.question.argument for event in t.events] == [1001, 1002, 1001]
    assert t.events_dropped == 1
    assert t.events[0].time <= t.events[1].time and t.events[0].thread == 0


def test_threads():
    with mtlcap.trace() as t:
        threads = [threading.Thread(target=lambda: [ask() for _ in range(100)]) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (t.questions[0].times, t.questions[0].thread_count) == (300, 3)


def test_in_a_file(work):
    file = work / "trace"
    with mtlcap.trace(file):
        ask()
    assert file.read_bytes().startswith(b"mtlcap trace")
    with mtlcap.trace(os.fspath(file)) as t:  # is replaced
        pass
    assert t.questions == ()
    (work / "other").write_text("precious")
    with pytest.raises(mtlcap.ProfileFileError, match="remove it, or name another"):
        mtlcap.trace(work / "other").__enter__()
    assert (work / "other").read_text() == "precious"


def test_one_at_a_time():
    with mtlcap.trace() as t:
        ask()
        with pytest.raises(mtlcap.BusyError, match="a trace is on"):
            mtlcap.trace().__enter__()
        ask()
    assert t.asked == 2


def test_left_by_an_exception():
    with pytest.raises(ZeroDivisionError):
        with mtlcap.trace() as t:
            ask()
            1 / 0
    assert t.asked == 1
    ask()
    assert t.asked == 1


def test_bad_arguments():
    with pytest.raises(TypeError):
        mtlcap.trace(events="many")
    with pytest.raises(TypeError):
        mtlcap.trace(7)
    with pytest.raises(mtlcap.ArgumentError):
        mtlcap.trace(events=-1)
    with pytest.raises(mtlcap.ArgumentError, match="1048576"):
        mtlcap.trace(events=1 << 21)
    with pytest.raises(mtlcap.ArgumentError):
        mtlcap.trace("").__enter__()
    with pytest.raises(ValueError):
        mtlcap.trace("a\0b")


def test_without_metal():
    assert python("""
        import mtlcap
        try:
            mtlcap.trace().__enter__()
        except mtlcap.UnsupportedError:
            print("unsupported")
    """, machine=None) == "unsupported\n"
