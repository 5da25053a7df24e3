"""What this library knows: capabilities, built-in profiles, hazards. Read from the C library."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from ._native import check, ffi, lib, new, text

KINDS: dict[int, str] = {
    int(getattr(lib, name)): name[len("MTLCAP_KIND_") :].lower()
    for name in dir(lib)
    if name.startswith("MTLCAP_KIND_")
}
"""Kinds of answers by the C library's number: family, count, bool, size, tier, size3, text."""


class Capability(NamedTuple):
    """One question that Metal answers about a device."""

    key: str
    """In profiles: ``threadgroup_memory``."""
    selector: str
    """Metal's name: ``maxThreadgroupMemoryLength``."""
    kind: str
    """``family``, ``count``, ``bool``, ``size``, ``tier``, ``size3`` or ``text``."""
    unit: str
    """``bytes``, ``threads``, ...; "" if it has none."""
    can_lower: bool
    """A profile may lower it."""
    can_raise: bool
    """A profile may raise it; its hazard may ask for consent."""
    hazard: str
    """Name of the hazard of raising it; "" if there is none."""
    summary: str
    """One sentence."""


class Profile(NamedTuple):
    """A built-in profile."""

    name: str
    rules: str
    """What it stands for; for ``auto`` and ``stock`` words in parentheses."""
    summary: str
    """What it is for."""
    source: str
    """Where its numbers come from; "" if it has none."""


class Hazard(NamedTuple):
    """Something that is known to break programs."""

    name: str
    """As ``allow=`` takes it."""
    when: str
    breaks: str
    source: str
    """Who saw it."""
    refuses: bool
    """True: refused unless allowed. False: a warning is logged unless allowed."""


def _rows(kind: str, count: int, info: Callable[[int, Any], int]) -> list[Any]:
    rows = []
    for index in range(count):
        row = new(kind)
        check(info(index, row))
        rows.append(row)
    return rows


def capabilities() -> list[Capability]:
    """Every capability that this library knows, whether or not a device has it.

    >>> [c.key for c in capabilities() if c.unit == "bytes" and c.can_raise]
    ['threadgroup_memory', 'working_set', 'buffer_length']
    """
    return [
        Capability(
            key=text(row.key),
            selector=text(row.selector),
            kind=KINDS.get(row.kind, str(row.kind)),
            unit=text(row.unit),
            can_lower=bool(row.change & lib.MTLCAP_CAN_LOWER),
            can_raise=bool(row.change & lib.MTLCAP_CAN_RAISE),
            hazard=text(row.hazard),
            summary=text(row.summary),
        )
        for row in _rows("capability", lib.mtlcap_capability_count(), lib.mtlcap_capability_info)
    ]


def profiles() -> list[Profile]:
    """The built-in profiles.

    >>> profiles()[1].name
    'auto'
    """
    return [
        Profile(text(row.name), text(row.rules), text(row.summary), text(row.source))
        for row in _rows("profile", lib.mtlcap_profile_count(), lib.mtlcap_profile_info)
    ]


def hazards() -> list[Hazard]:
    """The hazards.

    >>> next(h.refuses for h in hazards() if h.name == "beyond-hardware")
    True
    """
    return [
        Hazard(
            text(row.name), text(row.when), text(row.breaks), text(row.source), bool(row.refuses)
        )
        for row in _rows("hazard", lib.mtlcap_hazard_count(), lib.mtlcap_hazard_info)
    ]


def version() -> str:
    """The version of the C library in use, such as ``0.1.0``.

    >>> version().count(".")
    2
    """
    return text(ffi.cast("const char *", lib.mtlcap_version()))
