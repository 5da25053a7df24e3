"""Threads: everything may be called at any time, and nothing holds up other Python code."""

import ctypes
import os
import threading

import mtlcap
from conftest import python


def test_queries_while_profiles_come_and_go():
    """With GCC's runtime the first apply comes before other threads ask."""
    mtlcap.apply("apple.max=4")
    mtlcap.apply("apple.min=6")
    mtlcap.restore()
    stop, seen, failures = threading.Event(), set(), []

    def ask():
        try:
            while not stop.is_set():
                answer = mtlcap.query("apple")
                seen.add(answer.effective)
                assert answer.stock == 5
                mtlcap.report()
        except BaseException as error:  # told below
            failures.append(error)

    def change(profile):
        try:
            for _ in range(150):
                with mtlcap.profile(profile):
                    mtlcap.query("apple")
        except BaseException as error:
            failures.append(error)

    askers = [threading.Thread(target=ask) for _ in range(2)]
    changers = [threading.Thread(target=change, args=[p]) for p in ("apple.max=4", "apple.min=6")]
    for thread in askers + changers:
        thread.start()
    for thread in changers:
        thread.join()
    stop.set()
    for thread in askers:
        thread.join()
    assert not failures and seen <= {4, 5, 6}
    assert mtlcap.generation() == 0, "the last context to be left brings back stock"


def test_errors_belong_to_their_thread():
    failures = []

    def fail(spec, column):
        for _ in range(200):
            try:
                mtlcap.explain(spec)
                failures.append("nothing was raised")
            except mtlcap.ProfileError as error:
                if error.column != column:
                    failures.append(error)

    threads = [threading.Thread(target=fail, args=["auto," * n + "x=1", 5 * n + 1])
               for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_gil_is_released_while_metal_works():
    """A device takes long to be made: meanwhile other threads run, as does apply's own waiting."""
    assert python("""
        import ctypes, os, threading
        import mtlcap
        blocker = ctypes.PyDLL(os.environ["TEST_BLOCKER"])  # keeps the GIL
        metal = ctypes.PyDLL(None)
        metal.simmetal_observe_initialisation(blocker.blocker_observe, None)
        thread = threading.Thread(target=lambda: mtlcap.apply("auto"))
        thread.start()
        while not blocker.blocker_blocked():
            pass
        print("running while apply is held up:", mtlcap.generation())
        blocker.blocker_pass()
        thread.join()
        print(mtlcap.query("apple").effective)
    """) == "running while apply is held up: 0\n7\n"
    assert os.path.exists(os.environ["TEST_BLOCKER"])


def test_hooked_methods_do_not_need_python():
    """Metal is asked by a thread that Python does not know, while Python holds the GIL."""
    mtlcap.apply("apple.min=7")
    metal = ctypes.PyDLL(None)  # keeps the GIL
    metal.simmetal_ask_with.restype = ctypes.c_uint64
    metal.simmetal_ask_with.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64]
    device = mtlcap.devices()[0].pointer
    assert metal.simmetal_ask_with(device, b"supportsFamily:", 1007) == 1
    assert metal.simmetal_ask_with(device, b"supportsFamily:", 1008) == 0
