"""Exceptions: one class a kind of failure, all of them `mtlcap.Error`.

The C library's table of statuses is the source: `STATUSES` is read from it, and each of its rows
has a class here.
"""

from __future__ import annotations

from ._mtlcap import ffi, lib


def _read_statuses() -> dict[str, int]:
    statuses = {}
    row = lib.mtlcap_python_status(0)
    while row != ffi.NULL:
        statuses[ffi.string(row.name).decode()] = int(row.number)
        row = lib.mtlcap_python_status(len(statuses))
    return statuses


STATUSES: dict[str, int] = _read_statuses()
"""The statuses of the C library by name: ``{"OK": 0, "E_ARGUMENT": -1, ...}``."""


class Error(Exception):
    """Something could not be done; what was in force before still is.

    ``str()`` of it is a sentence: what is wrong, where, and what would be right.

    Attributes:
        status: the C library's status, such as -5; 0 if only Python's part refused.
        item: of a malformed profile: the item; otherwise "".
        line: of a malformed profile file: the line, from 1; otherwise 0.
        column: of a malformed profile: the column in bytes, from 1; otherwise 0.
        hazard: of a refused profile: the hazard's name, as ``allow=`` takes it; otherwise "".
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        item: str = "",
        line: int = 0,
        column: int = 0,
        hazard: str = "",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.item = item
        self.line = line
        self.column = column
        self.hazard = hazard


class ArgumentError(Error, ValueError):
    """An argument is not one that the function takes."""


class NoMemoryError(Error, MemoryError):
    """Out of memory."""


class UnsupportedError(Error):
    """Not supported here: no Objective-C runtime, no Metal, or the device has no such question."""


class NoDeviceError(Error):
    """There is no Metal device, or none of that index."""


class ProfileError(Error, ValueError):
    """A profile is malformed: see `item`, `line` and `column`."""


class HazardError(Error):
    """A profile is known to break programs: see `hazard`, the first that is met. ``allow=`` overrides
    it; the message ends in the names that it takes."""


class CapabilityError(Error, LookupError):
    """There is no such capability."""


class NotADeviceError(Error, ValueError):
    """A pointer is not a Metal device."""


class SlotsError(Error):
    """Too many answers are overridden at once."""


class NotReachedError(Error):
    """A hook was installed, but Metal's callers do not reach it; nothing was changed."""


class ProfileFileError(Error):
    """A profile's file cannot be read."""


class VersionError(Error):
    """Another copy of the library in this process is too old."""


class BusyError(Error):
    """Another apply is in progress."""


class HookError(Error):
    """The Objective-C runtime refused a hook."""


class OrderError(Error):
    """It is too late: a client has asked Metal already. Raised with ``late="error"``."""


_CLASSES: dict[str, type[Error]] = {
    "E_ARGUMENT": ArgumentError,
    "E_NO_MEMORY": NoMemoryError,
    "E_UNSUPPORTED": UnsupportedError,
    "E_NO_DEVICE": NoDeviceError,
    "E_PROFILE": ProfileError,
    "E_HAZARD": HazardError,
    "E_CAPABILITY": CapabilityError,
    "E_NOT_A_DEVICE": NotADeviceError,
    "E_SLOTS": SlotsError,
    "E_NOT_REACHED": NotReachedError,
    "E_FILE": ProfileFileError,
    "E_VERSION": VersionError,
    "E_BUSY": BusyError,
    "E_RUNTIME": HookError,
}
_BY_STATUS = {number: _CLASSES.get(name, Error) for name, number in STATUSES.items()}


def error_class(status: int) -> type[Error]:
    """The class of exceptions that stands for a status."""
    return _BY_STATUS.get(status, Error)
