"""Subinterpreters are refused, in words."""

from conftest import python

INSIDE = '''
try:
    import mtlcap
    print("imported")
except ImportError as error:
    print(error)
'''


def test_refused():
    assert "mtlcap cannot be imported in a subinterpreter" in python(f"""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        interpreters.run_string(interpreters.create(), {INSIDE!r})
    """)


def test_refused_where_the_gil_is_shared_too():
    """As in an embedding program (mod_wsgi): after the main interpreter has imported it."""
    output = python(f"""
        import mtlcap
        mtlcap.apply("auto")
        try:
            import _interpreters as interpreters
            other = interpreters.create("legacy")
        except ImportError:
            import _xxsubinterpreters as interpreters
            other = interpreters.create(isolated=False)
        interpreters.run_string(other, {INSIDE!r})
        print(mtlcap.query("apple").effective)
    """)
    assert "cannot be imported in a subinterpreter" in output
    assert "7" in output.splitlines() and "imported" not in output.splitlines()
