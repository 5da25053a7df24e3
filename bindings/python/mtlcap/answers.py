"""Questions to a device: what it says, and what it would say by itself."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from . import _native, order
from ._native import encode, ffi, last_error, lib, new, text
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

    # An answer is neither a yes nor a number: it has two of them.
    def __bool__(self) -> bool:
        raise TypeError(self._which("if mtlcap.query({!r}).effective"))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, float, str)):
            raise TypeError(self._which("mtlcap.query({!r}).effective == " + repr(other)))
        return tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)

    def _which(self, right: str) -> str:
        right = right.format(self.capability)
        return f"an answer has .effective, what callers get now, and .stock: write {right}"

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


def _bools(answer: Any, _: list[str]) -> tuple[bool, bool]:
    return answer.stock != 0, answer.effective != 0


def _sizes(answer: Any, _: list[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(answer.stock_size), tuple(answer.effective_size)


def _texts(_: Any, words: list[str]) -> tuple[str, str]:
    return words[1], words[2]


_Read = Callable[[Any, list[str]], tuple[Any, Any]]

# By the C library's number of the kind: its name, and how stock and effective are read; None: they are
# numbers.
_KINDS: dict[int, tuple[str, Optional[_Read]]] = {
    lib.MTLCAP_KIND_FAMILY: ("family", None),
    lib.MTLCAP_KIND_COUNT: ("count", None),
    lib.MTLCAP_KIND_BOOL: ("bool", _bools),
    lib.MTLCAP_KIND_SIZE: ("size", None),
    lib.MTLCAP_KIND_TIER: ("tier", None),
    lib.MTLCAP_KIND_SIZE3: ("size3", _sizes),
    lib.MTLCAP_KIND_TEXT: ("text", _texts),
}

_query = lib.mtlcap_python_query
_NULL = ffi.NULL
_new = ffi.new_allocator(should_clear_after_alloc=False)
_TYPE = ffi.typeof("struct mtlcap_python_answer *")

# Structures to be filled, each with a view of its words: to make them takes as long as to ask. Taking
# one out and putting it back are atomic, so that each thread has its own.
_spare: list[tuple[Any, Any]] = []


def _make_spare() -> tuple[Any, Any]:
    answer = _new(_TYPE)
    return answer, ffi.buffer(answer.words)


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
    try:
        filled = _spare.pop()
    except IndexError:
        filled = _make_spare()
    answer, row = filled
    pointer = _NULL if device is None else to_pointer(device)
    status = _query(pointer, encode(capability, "capability"), answer)
    if status != 0:
        raise last_error(status)
    words = row[: answer.words_length].decode("utf-8", "replace").split("\0")
    key, stock_text, effective_text, rule, source = words
    kind, read = _KINDS[answer.kind]
    stock, effective = read(answer, words) if read else (answer.stock, answer.effective)
    known = answer.stock_known
    told = (
        key,
        kind,
        stock if known else None,
        effective,
        stock_text,
        effective_text,
        known,
        answer.overridden,
        answer.derived,
        rule,
        source,
    )
    _spare.append(filled)
    return Answer._make(told)


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
