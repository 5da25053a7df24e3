"""Questions to a device: what it says, and what it would say by itself."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from . import _native, order
from ._native import encode, lib, new, text
from .devices import AnyDevice, to_pointer


class Answer(NamedTuple):
    """What a device answers.

    The type of ``stock`` and ``effective`` goes by `kind`: family, count, size and tier: int (for a
    family the number in its name, 0 if every one is answered no); bool: bool; size3: a tuple of
    width, height and depth; text: str. A size's unit is its `Capability`'s.
    """

    capability: str
    """Its key."""
    kind: str
    stock: Any
    """What the device says by itself; None if that cannot be known (see `stock_known`)."""
    effective: Any
    """What callers get now."""
    stock_text: str
    """For people: ``7``, ``off``, ``32768``, ``1024x1024x1024``, ``yes``, a name."""
    effective_text: str
    stock_known: bool
    """False: the device was first seen while a profile was in force, or is below another's shim."""
    overridden: bool
    """The profile in force has a rule for it on this device."""
    derived: bool
    """It has no rule of its own, and Metal computes it from one that has."""
    rule: str
    """What decides: ``apple.min=7``, ``auto: apple.min=7``; "" if it is not overridden."""
    source: str
    """Where the stock answer comes from: ``Metal``, or the path of another's shim."""

    def __str__(self) -> str:
        if self.stock_text == self.effective_text:
            return f"{self.capability}: {self.effective_text}"
        why = self.rule or ("derived" if self.derived else self.source)
        return f"{self.capability}: {self.effective_text} (stock: {self.stock_text}; {why})"


class Check(NamedTuple):
    """An answer, compared with what is expected of it. It is true if it is met."""

    met: bool
    capability: str
    """Its key."""
    expected: str
    """``>=7``, ``=32K``: as given."""
    found: str
    """What callers get, for people; "" if the device does not have the method."""
    message: str
    """``expected apple>=7, found 5``."""

    def __bool__(self) -> bool:
        return self.met

    def __str__(self) -> str:
        return self.message


def _size3(value: Any) -> tuple[int, int, int]:
    return (value.number[0], value.number[1], value.number[2])


def _number(value: Any) -> int:
    return int(value.number[0])


def _text(value: Any) -> str:
    return text(value.text)


# By the C library's number of the kind.
_KINDS = {
    lib.MTLCAP_KIND_FAMILY: ("family", _number),
    lib.MTLCAP_KIND_COUNT: ("count", _number),
    lib.MTLCAP_KIND_BOOL: ("bool", lambda value: value.number[0] != 0),
    lib.MTLCAP_KIND_SIZE: ("size", _number),
    lib.MTLCAP_KIND_TIER: ("tier", _number),
    lib.MTLCAP_KIND_SIZE3: ("size3", _size3),
    lib.MTLCAP_KIND_TEXT: ("text", _text),
}


def query(capability: str, device: Optional[AnyDevice] = None) -> Answer:
    """Asks a device, as any caller would, and tells what it would say by itself.

    Args:
        capability: a key (``apple``, ``threadgroup_memory``), or Metal's name for it
            (``maxThreadgroupMemoryLength``).
        device: None: the first of `devices`.

    Raises:
        CapabilityError: there is no such capability.
        NoDeviceError: there is no device.
        UnsupportedError: there is no Metal here, or the device cannot be asked that.
        NotADeviceError: `device` is none.

    >>> query("apple").effective
    5
    >>> query("threadgroup_memory").effective  # bytes
    32768
    >>> query("raytracing").effective
    False
    """
    order.look()
    answer = new("answer")
    _native.check(lib.mtlcap_query(to_pointer(device), encode(capability, "capability"), answer))
    kind, read = _KINDS[answer.kind]
    known = answer.stock_known != 0
    return Answer(
        text(answer.capability),
        kind,
        read(answer.stock) if known else None,
        read(answer.effective),
        text(answer.stock.text),
        text(answer.effective.text),
        known,
        answer.overridden != 0,
        answer.derived != 0,
        text(answer.rule),
        text(answer.source),
    )


def check(expectation: str, device: Optional[AnyDevice] = None) -> Check:
    """Asks a device as any caller would, and compares the answer with what is expected of it.

    Args:
        expectation: a key, ``=``, ``!=``, ``>=`` or ``<=``, and a value as in a profile:
            ``apple>=7``, ``metal=off``, ``threadgroup_memory=32K``.
        device: None: the first of `devices`. One that cannot be asked meets no expectation.

    Raises:
        ArgumentError: the expectation is malformed.
        CapabilityError: there is no such capability.
        NoDeviceError: there is no device.
        UnsupportedError: there is no Metal here.
        NotADeviceError: `device` is none.

    >>> print(check("apple>=7"))
    expected apple>=7, found 5
    >>> bool(check("apple=5"))
    True
    """
    order.look()
    row = new("check")
    _native.check(lib.mtlcap_check_answer(to_pointer(device), encode(expectation, "expectation"), row))
    return Check(
        row.met != 0, text(row.capability), text(row.expected), text(row.found), text(row.message)
    )
