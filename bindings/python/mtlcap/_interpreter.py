"""Refuses to be imported where it could not work: in a subinterpreter."""


def _is_main_interpreter() -> bool:
    try:
        import _interpreters as interpreters  # type: ignore[import-not-found] # Python 3.13
    except ImportError:
        try:
            import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]
        except ImportError:
            return True
    return bool(interpreters.get_current() == interpreters.get_main())


if not _is_main_interpreter():
    raise ImportError(
        "mtlcap cannot be imported in a subinterpreter: what Metal answers is one thing for the "
        "whole process. Import it, and apply the profile, in the main interpreter; it holds in all"
    )
