"""Profiles in force: apply, restore, and the context that does both."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import Iterator, Optional

from . import order
from ._native import call, encode, ffi, lib, logged_afterwards
from .errors import ArgumentError, Error
from .reports import Allow, Report, encode_allow, explain, options_for, report

_LATE = ("warn", "error", "ignore")
_PROFILE_MAX = int(ffi.sizeof(ffi.new("struct mtlcap_report *").profile)) - 1


class _Layer:
    """A profile that was put in force, and what was in force before it."""

    def __init__(self, spec: bytes, allow: bytes, before: Optional[_Layer]) -> None:
        self.spec = spec
        self.allow = allow
        self.before = before
        self.left = False
        self.generation = 0

    def put_in_force(self) -> None:
        options, kept = options_for(self.allow)
        generation = ffi.new("uint64_t *")
        options.generation = generation
        call(lib.mtlcap_apply_profile, self.spec, options)
        del kept
        self.generation = generation[0]


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
    other = report()
    if len(os.fsencode(other.profile)) >= _PROFILE_MAX:
        raise Error("the profile in force, which is not Python's, is too long to come back to")
    layer = _Layer(os.fsencode(other.profile), "+".join(other.allowed).encode(), None)
    layer.generation = other.generation
    return layer


def _check_late(profile: str, allow: Allow, late: str) -> None:
    if late not in _LATE:
        raise ArgumentError(f"late must be one of {', '.join(_LATE)}, not {late!r}")
    if late == "ignore" or not order.look():
        return
    explanation = explain(profile, allow=allow)
    # Nothing is late where nothing changes, and what is refused is refused by apply.
    if explanation.error is None and any(r.stock != r.effective for r in explanation.rules):
        order.complain(profile, late)


def _apply(profile: str, allow: Allow, late: str, comes_back: bool) -> _Layer:
    global _top
    allow = [allow] if isinstance(allow, str) else list(allow)
    spec, names = encode(profile, "profile"), encode_allow(allow)
    order.look()
    _check_late(profile, allow, late)
    with logged_afterwards(), _lock:
        layer = _Layer(spec, names, _in_force() if comes_back else None)
        layer.put_in_force()
        _top = layer
    return layer


def apply(profile: str = "auto", *, allow: Allow = (), late: str = "warn") -> Report:
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
    _apply(profile, allow, late, comes_back=False)
    return report()


def restore() -> None:
    """Stock answers at once, for every caller. Idempotent; safe where nothing was applied.

    What programs have remembered stays with them.
    """
    with _lock:
        lib.mtlcap_restore()


@contextmanager
def profile(profile: str = "auto", *, allow: Allow = (), late: str = "warn") -> Iterator[Report]:
    """A context, or a decorator, in which a profile is in force, for the whole process.

    On leaving, what was in force on entering comes back: the profile of the context around this
    one, or of `apply`, or stock. If by then something else is in force (another `apply`, `restore`,
    or another thread's context that was entered later), leaving changes nothing; so contexts may be
    left in any order, and the last one to be left brings back what there was before all of them.

    Arguments and errors are those of `apply`.

    >>> with profile("apple.min=6"):
    ...     with profile("apple.min=7"):
    ...         print(query("apple").effective)
    ...     print(query("apple").effective)
    7
    6
    >>> query("apple").effective
    5
    """
    layer = _apply(profile, allow, late, comes_back=True)
    try:
        yield report()
    finally:
        _leave(layer)


def _leave(layer: _Layer) -> None:
    global _top
    with logged_afterwards(), _lock:
        layer.left = True
        if lib.mtlcap_generation() != layer.generation:
            return
        before = layer.before
        while before is not None and before.left:
            before = before.before
        if before is None:
            lib.mtlcap_restore_generation(layer.generation)
            return
        try:
            before.put_in_force()
        except Error:
            lib.mtlcap_restore_generation(layer.generation)
            raise
        _top = before


def is_active() -> bool:
    """Is any answer overridden in this process now, by any copy of this library?

    For benchmarks that must not run under an override. Never loads Metal.

    >>> is_active()
    False
    """
    return bool(lib.mtlcap_is_active())


def generation() -> int:
    """The number of the apply in force; 0: none."""
    return int(lib.mtlcap_generation())
