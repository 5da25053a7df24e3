"""Profiles in force: apply, restore, and the context that does both."""

from __future__ import annotations

from functools import wraps
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from typing import Any, Callable, Literal, TypeVar, cast, get_args

from . import order
from ._native import call, encode, ffi, lib
from .errors import ArgumentError
from .reports import Allow, Report, allow_names, encode_allow, explain, options_for, report

Late = Literal["warn", "error", "ignore"]
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _check_late(profile: str, allow: Allow, late: Late) -> None:
    if late not in get_args(Late):
        raise ArgumentError(f"late must be one of {', '.join(get_args(Late))}, not {late!r}")
    if late == "ignore" or not order.look():
        return
    explanation = explain(profile, allow=allow)
    # Nothing is late where nothing changes, and what is refused is refused by apply.
    if explanation.error is None and any(r.stock != r.effective for r in explanation.rules):
        order.complain(profile, late)


def _apply(profile: str, allow: Allow, late: Late, generation: Any, nested: bool) -> None:
    """C writes `generation`: whatever is raised afterwards, by a log handler or Ctrl-C, it is there."""
    allow = allow_names(allow)
    spec = encode(profile, "profile")
    options, kept = options_for(encode_allow(allow))
    options.generation = generation
    options.nested = nested
    order.look()
    _check_late(profile, allow, late)
    call(lib.mtlcap_apply_profile, spec, options)
    del kept


def apply(profile: str = "auto", *, allow: Allow = (), late: Late = "warn") -> Report:
    """Applies a profile to every Metal device of this process, all of it or nothing.

    Call it before the first Metal client asks. Applying again replaces the profile in one step.

    Args:
        profile: ``auto``, ``apple.min=7``, ``auto,metal=off``, ``@FILE``, ...
        allow: hazards consented to: a name, several joined by ``+``, or an iterable of names.
        late: what to do if a client has asked Metal already, and answers would change: ``warn``
            (`MtlcapOrderWarning`), ``error`` (`OrderError`, nothing is applied) or ``ignore``.

    Returns:
        What was done.

    Raises:
        ProfileError: the profile is malformed.
        HazardError: it is refused because of a hazard that is not allowed.
        NoDeviceError: there is no device.
        UnsupportedError: there is no Metal here, or a device cannot be overridden as asked.
        Error: it could not be applied for another reason. What was in force stays in force.

    >>> print(apply("auto").changes[0])
    apple: 5 -> 7 (auto: apple.min=7)
    >>> query("apple").effective
    7
    >>> restore()
    >>> query("apple").effective
    5
    """
    _apply(profile, allow, late, ffi.NULL, nested=False)
    return report()


def restore() -> None:
    """Stock answers at once, for every caller. Idempotent; safe where nothing was applied.

    What programs have remembered stays with them.
    """
    call(lib.mtlcap_restore)


class Context:
    """What `profile` gives: a context, or a decorator."""

    def __init__(self, profile: str, allow: Allow, late: Late) -> None:
        self._profile, self._allow, self._late = profile, allow, late
        self._generation: Any = None  # uint64_t *; 0 is in it until the profile is in force

    def __enter__(self) -> Report:
        if self._generation is not None:
            raise RuntimeError("this context has been entered before: call mtlcap.profile() again")
        try:
            self._generation = ffi.new("uint64_t *")
            _apply(self._profile, self._allow, self._late, self._generation, nested=True)
            return report()
        except BaseException:
            self.__exit__()
            self._generation = None
            raise

    def __exit__(self, *exception: object) -> None:
        try:
            self._leave()
        except BaseException:  # Ctrl-C, say, before it was done
            self._leave()
            raise

    def _leave(self) -> None:
        if self._generation is not None and self._generation[0] != 0:
            call(lib.mtlcap_restore_generation, self._generation[0])

    def __call__(self, function: _Function) -> _Function:
        if isgeneratorfunction(function) or isasyncgenfunction(function):
            raise TypeError(
                f"{function.__qualname__} is a generator, which runs piece by piece: use "
                "`with mtlcap.profile(...)` inside it"
            )

        @wraps(function)
        def in_force(*arguments: Any, **keywords: Any) -> Any:
            with Context(self._profile, self._allow, self._late):
                return function(*arguments, **keywords)

        @wraps(function)
        async def in_force_until_done(*arguments: Any, **keywords: Any) -> Any:
            with Context(self._profile, self._allow, self._late):
                return await function(*arguments, **keywords)

        return cast(_Function, in_force_until_done if iscoroutinefunction(function) else in_force)


def profile(profile: str = "auto", *, allow: Allow = (), late: Late = "warn") -> Context:
    """A context, or a decorator, in which a profile is in force, for the whole process. It needs a
    `with`, or a function: by itself it does nothing.

    On leaving, what was in force on entering comes back: the profile of the context around this
    one, or of `apply`, or stock. If by then something else is in force (another `apply`, `restore`,
    or another thread's context that was entered later), leaving changes nothing; so contexts may be
    left in any order, also those of other languages, and the last one to be left brings back what
    there was before all of them.

    Arguments and errors are those of `apply`; an error comes when the context is entered.

    >>> with profile("apple.min=6"):
    ...     with profile("apple.min=7"):
    ...         print(query("apple").effective)
    ...     print(query("apple").effective)
    7
    6
    >>> query("apple").effective
    5
    """
    return Context(profile, allow_names(allow), late)


def is_active() -> bool:
    """Is any answer overridden in this process now, by any copy of this library?

    For benchmarks that must not run under an override. Never loads Metal.

    Ask after the first device: a profile that the process was started with (``mtlcap run``) is
    applied when a device is first asked for. Where none has been, call `devices` first.

    >>> is_active()
    False
    """
    return bool(lib.mtlcap_is_active())


def generation() -> int:
    """The number of the apply in force; 0: none."""
    return int(lib.mtlcap_generation())
