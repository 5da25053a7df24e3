"""Fork: a child has what its parent had, and a life of its own."""

import os

import pytest

import mtlcap
from conftest import python, run


def in_child(action):
    """Runs in a forked child; what it returns, or the name of what it raised."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            result = str(action())
        except BaseException as error:
            result = type(error).__name__
        os.write(writer, result.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        result = file.read()
    os.waitpid(child, 0)
    return result


def apple():
    return mtlcap.query("apple").effective


def test_child_inherits_the_profile():
    mtlcap.apply("auto")
    assert in_child(apple) == "7"


def test_child_is_independent():
    mtlcap.apply("auto")

    def change():
        mtlcap.restore()
        with mtlcap.profile("apple.min=6"):
            return apple()

    assert in_child(change) == "6"
    assert apple() == 7


def test_context_left_in_the_child():
    with mtlcap.profile("auto"):
        pid = os.getpid()

        def leave():
            with mtlcap.profile("apple.min=6"):
                pass
            return apple(), os.getpid() != pid

        assert in_child(leave) == "(7, True)"
        assert apple() == 7


def test_fork_while_another_thread_applies():
    assert python("""
        import ctypes, os, threading, warnings
        warnings.simplefilter("ignore")  # Python 3.12 warns of forks with threads
        import mtlcap
        blocker = ctypes.CDLL(os.environ["TEST_BLOCKER"])
        ctypes.CDLL(None).simmetal_observe_initialisation(blocker.blocker_observe, None)
        thread = threading.Thread(target=lambda: mtlcap.apply("auto"))
        thread.start()
        while not blocker.blocker_blocked():
            pass
        child = os.fork()
        if child == 0:
            mtlcap.restore()  # waits for no thread of the parent
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        blocker.blocker_pass()
        thread.join()
    """) == "7\n"


@pytest.mark.parametrize("first, expected", [("import mtlcap", 5), ("import mtlcap.auto", 7)])
def test_workers_that_are_spawned_start_stock(work, first, expected):
    """As the README says: unless the module that they import applies."""
    (work / "spawned.py").write_text(f"""
{first}
import mtlcap, multiprocessing
def apple(_):
    return mtlcap.query("apple").effective
if __name__ == "__main__":
    mtlcap.apply("auto", late="ignore")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(apple, [0]))
""")
    result = run(work / "spawned.py")
    assert result.stdout == f"[{expected}]\n", result.stderr
