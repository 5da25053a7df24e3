"""What the library says goes to `logging`; what it says to others goes where it went."""

import logging

import mtlcap
from conftest import python, run

# Warns of the hazard old-sdk-bf16.
OLD = {"machine": "paravirt-old-sdk"}


def test_warning_goes_to_the_logger():
    output = python("""
        import logging
        records = []
        class Handler(logging.Handler):
            def emit(self, record):
                records.append(record)
        logging.getLogger("mtlcap").addHandler(Handler())
        logging.getLogger("mtlcap").propagate = False
        import mtlcap
        report = mtlcap.apply("auto")
        assert [f.hazard for f in report.findings] == ["old-sdk-bf16"], report
        (record,) = records
        print(record.levelname, record.name, "old-sdk-bf16" in record.getMessage())
        mtlcap.apply("auto", allow="old-sdk-bf16")
        print(len(records))
    """, **OLD)
    assert output == "WARNING mtlcap True\n1\n"


def test_warning_is_seen_without_any_setup():
    result = run("-c", "import mtlcap; mtlcap.apply('auto')", **OLD)
    assert result.returncode == 0 and "old-sdk-bf16" in result.stderr and result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_warning_can_be_silenced():
    result = run("-c", "import logging, mtlcap\n"
                 "logging.getLogger('mtlcap').setLevel(logging.ERROR)\nmtlcap.apply('auto')", **OLD)
    assert (result.returncode, result.stderr) == (0, "")


def test_calls_from_elsewhere_go_to_stderr():
    result = run("-c", "import logging, mtlcap\nfrom mtlcap._native import ffi, lib\n"
                 "logging.getLogger('mtlcap').setLevel(logging.CRITICAL)\n"
                 "lib.mtlcap_apply_profile(b'auto', ffi.NULL)", **OLD)
    assert result.stderr.startswith("mtlcap: ") and "old-sdk-bf16" in result.stderr


def test_handler_may_call_the_library():
    output = python("""
        import logging
        class Handler(logging.Handler):
            def emit(self, record):
                import mtlcap
                print(mtlcap.query("apple").effective, mtlcap.generation() != 0)
        logging.getLogger("mtlcap").addHandler(Handler())
        logging.getLogger("mtlcap").propagate = False
        import mtlcap
        mtlcap.apply("auto")
    """, **OLD)
    assert output == "7 True\n"


def test_handler_that_fails_does_not_undo_the_apply():
    output = python("""
        import logging
        class Handler(logging.Handler):
            def emit(self, record):
                raise RuntimeError("handler")
        logging.getLogger("mtlcap").addHandler(Handler())
        logging.getLogger("mtlcap").propagate = False
        import mtlcap
        try:
            mtlcap.apply("auto")
        except RuntimeError as error:
            print(error, mtlcap.is_active())
    """, **OLD)
    assert output == "handler True\n"


def test_handler_that_fails_leaves_no_context_in_force():
    assert python("""
        import logging
        import mtlcap
        log = logging.getLogger("mtlcap")
        log.setLevel("INFO")
        log.addFilter(lambda record: 1 / 0)
        try:
            with mtlcap.profile("apple.min=6"):
                print("entered")
        except ZeroDivisionError:
            print(mtlcap.generation())
    """) == "0\n"


def test_handler_may_wait_for_another_thread_that_applies():
    """No lock of the package is held while a handler runs."""
    output = python("""
        import logging, threading
        import mtlcap
        class Handler(logging.Handler):
            def emit(self, record):
                thread = threading.Thread(target=lambda: mtlcap.apply("apple.max=4"))
                thread.start()
                thread.join(30)
                print(thread.is_alive(), mtlcap.query("apple").effective)
        logging.getLogger("mtlcap").addHandler(Handler())
        logging.getLogger("mtlcap").propagate = False
        mtlcap.apply("auto")
    """, **OLD)
    assert output == "False 4\n"


def test_applies_and_restores_are_logged(caplog):
    with caplog.at_level(logging.DEBUG, "mtlcap"):
        mtlcap.apply("auto")
        mtlcap.query("apple")
        mtlcap.restore()
        mtlcap.restore()
        with mtlcap.profile("stock"):
            mtlcap.explain("auto")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("INFO", "applied auto: 10 answers differ from stock, 9 of them derived"),
        ("INFO", "restored stock answers: auto is no longer in force"),
        ("INFO", "applied stock: 0 answers differ from stock, 0 of them derived"),
        ("INFO", "restored stock answers: stock is no longer in force"),
    ]


def test_nothing_is_seen_at_rest():
    assert python("import mtlcap; mtlcap.apply(); mtlcap.restore()") == ""
