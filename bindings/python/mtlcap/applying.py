"""Profiles in force: apply, restore, and the context that does both."""

from __future__ import annotations

import os
import threading
from functools import wraps
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from typing import Any, Callable, Literal, Optional, TypeVar, cast, get_args

from . import order
from ._native import call, check, encode, ffi, lib, logged_afterwards, new
from .errors import ArgumentError, Error
from .reports import Allow, Report, allow_names, encode_allow, explain, options_for, report

Late = Literal["warn", "error", "ignore"]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_PROFILE_MAX = int(ffi.sizeof(ffi.new("struct mtlcap_report *").profile)) - 1


class _Layer:
    """A profile that was put in force, and what was in force before it."""

    def __init__(self, spec: bytes, allow: bytes, before: Optional[_Layer]) -> None:
        self.spec = spec
        self.allow = allow
        self.before = before
        self.left = False
        # C writes it: what is raised as soon as the call is over, by Ctrl-C, comes too late to lose it.
        self._generation = ffi.new("uint64_t *")

    @property
    def generation(self) -> int:
        return int(self._generation[0])

    def put_in_force(self) -> None:
        options, kept = options_for(self.allow)
        options.generation = self._generation
        call(lib.mtlcap_apply_profile, self.spec, options)
        del kept


# One at a time puts a profile in force or leaves one. No Python code of others runs under it.
_lock = threading.RLock()
_top: Optional[_Layer] = None  # what Python has put in force last


def _new_lock() -> None:
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_new_lock)


def _in_force() -> Optional[_Layer]:
    """What is in force now, whoever applied it."""
    generation = lib.mtlcap_generation()
    if generation == 0:
        return None
    if _top is not None and _top.generation == generation:
        return _top
    other = new("report")
    check(lib.mtlcap_report_info(other))
    spec = ffi.string(other.profile)  # bytes: a file's name need not be text
    if len(spec) >= _PROFILE_MAX:
        raise Error("the profile in force, which is not Python's, is too long to come back to")
    layer = _Layer(spec, ffi.string(other.allowed), None)
    layer._generation[0] = other.generation
    return layer


def _check_late(profile: str, allow: Allow, late: Late) -> None:
    if late not in get_args(Late):
        raise ArgumentError(f"late must be one of {', '.join(get_args(Late))}, not {late!r}")
    if late == "ignore" or not order.look():
        return
    explanation = explain(profile, allow=allow)
    # Nothing is late where nothing changes, and what is refused is refused by apply.
    if explanation.error is None and any(r.stock != r.effective for r in explanation.rules):
        order.complain(profile, late)


def _new_layer(profile: str, allow: Allow, late: Late) -> _Layer:
    allow = allow_names(allow)
    layer = _Layer(encode(profile, "profile"), encode_allow(allow), None)
    order.look()
    _check_late(profile, allow, late)
    return layer


def _enter(layer: _Layer, comes_back: bool) -> None:
    global _top
    with logged_afterwards(), _lock:
        layer.before = _in_force() if comes_back else None
        layer.put_in_force()
        _top = layer


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
    _enter(_new_layer(profile, allow, late), comes_back=False)
    return report()


def restore() -> None:
    """Stock answers at once, for every caller. Idempotent; safe where nothing was applied.

    What programs have remembered stays with them.
    """
    with logged_afterwards(), _lock:
        call(lib.mtlcap_restore)


class Context:
    """What `profile` gives: a context, or a decorator."""

    def __init__(self, profile: str, allow: Allow, late: Late) -> None:
        self._profile, self._allow, self._late = profile, allow, late
        self._layer: Optional[_Layer] = None

    def __enter__(self) -> Report:
        if self._layer is not None:
            raise RuntimeError("this context has been entered before: call mtlcap.profile() again")
        try:
            self._layer = _new_layer(self._profile, self._allow, self._late)
            _enter(self._layer, comes_back=True)
            return report()
        except BaseException:
            self.__exit__()
            self._layer = None
            raise

    def __exit__(self, *exception: object) -> None:
        try:
            if self._layer is not None:
                _leave(self._layer)
        except BaseException:  # Ctrl-C, say
            if self._layer is not None:
                _leave(self._layer)
            raise

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
    left in any order, and the last one to be left brings back what there was before all of them.

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


def _leave(layer: _Layer) -> None:
    """Once more changes nothing: when it was done, another generation is in force."""
    global _top
    with logged_afterwards(), _lock:
        layer.left = True
        if not layer.generation or lib.mtlcap_generation() != layer.generation:
            return
        before = layer.before
        while before is not None and before.left:
            before = before.before
        _top = before
        if before is None:
            call(lib.mtlcap_restore_generation, layer.generation)
            return
        try:
            before.put_in_force()
        except Error:
            call(lib.mtlcap_restore_generation, layer.generation)
            raise


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
