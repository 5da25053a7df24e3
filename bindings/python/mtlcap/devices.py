"""Metal's devices, and the machine."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from . import order
from ._native import call, check, ffi, lib, new, text
from .errors import NoDeviceError, NotADeviceError

_LEAST_ADDRESS = 4096  # below it there is never an object
_ADDRESSES = 1 << 8 * ffi.sizeof("void *")


class Device(NamedTuple):
    """A Metal device. It lives as long as the process."""

    pointer: int
    """The ``id<MTLDevice>``, as an address."""
    name: str
    """Metal's ``name``: ``Apple Paravirtual device``."""
    class_name: str
    """The Objective-C class that answers, below any tool's wrapper."""
    paravirtual: bool
    """It is Apple's paravirtual device, of a virtual machine."""
    adopted: bool
    """It became known by `adopt`."""


AnyDevice = Union[Device, int, Any]
"""A `Device`, an address, or an object of PyObjC or ctypes that stands for an ``id<MTLDevice>``."""


class Machine(NamedTuple):
    """The machine as profiles and hazards see it. None: unknown."""

    memory: Optional[int]
    """Bytes of RAM."""
    virtual_machine: Optional[bool]
    apple_silicon: Optional[bool]
    chip: str
    """The processor's brand string: ``Apple M1 Ultra (Virtual)``; "" if unknown."""
    chip_family: Optional[int]
    """The Apple family of the chip's own GPU: 7, 8, ..."""
    model: str
    os_version: str
    """``26.5.2``; "" if unknown."""
    simulated: bool
    """The GPU is that of the simulated Metal."""


def to_pointer(device: Optional[AnyDevice]) -> Any:
    """The pointer that the C library takes: NULL, the first device, for None."""
    if device is None:
        return ffi.NULL
    if isinstance(device, Device):
        device = device.pointer
    elif hasattr(device, "__c_void_p__"):  # PyObjC
        device = device.__c_void_p__()
    value = getattr(device, "value", device)  # ctypes.c_void_p
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(
            f"device must be a mtlcap.Device, an address, or an object of PyObjC or ctypes, not "
            f"{type(device).__name__}"
        )
    if 0 <= value < _LEAST_ADDRESS:
        raise NotADeviceError(f"{value} is no device: write mtlcap.devices()[{value}]")
    if not 0 <= value < _ADDRESSES:
        raise NotADeviceError(f"{value} is no device: it is not an address")
    return ffi.cast("void *", value)


def devices() -> list[Device]:
    """Metal's devices, the first of them first, then those that were adopted.

    Raises:
        UnsupportedError: there is no Metal here.

    >>> [device.name for device in devices()]
    ['Apple Paravirtual device']
    """
    order.look()
    count = ffi.new("uint32_t *")
    call(lib.mtlcap_device_count, count)
    found = []
    for index in range(count[0]):
        info = new("device")
        try:
            call(lib.mtlcap_device_info, index, info)
        except NoDeviceError:  # one has gone since
            break
        found.append(
            Device(
                pointer=int(ffi.cast("uintptr_t", info.device)),
                name=text(info.name),
                class_name=text(info.class_name),
                paravirtual=bool(info.paravirtual),
                adopted=bool(info.adopted),
            )
        )
    return found


def adopt(device: AnyDevice) -> None:
    """Makes a device known that is not in Metal's list, or that has come since the last `apply`,
    and applies the profile in force to its class. The device is kept alive. Idempotent.

    Raises:
        NotADeviceError: it is no Metal device. An address that is no object may crash.
        Error: as `apply`.
    """
    order.look()
    call(lib.mtlcap_adopt_device, to_pointer(device))


def machine() -> Machine:
    """The machine as profiles and hazards see it.

    >>> machine().chip
    'Apple M1 Ultra (Virtual)'
    """
    info = new("machine")
    check(lib.mtlcap_machine_info(info))

    def known(value: int) -> Optional[bool]:
        return None if value == lib.MTLCAP_UNKNOWN else bool(value)

    return Machine(
        memory=info.memory or None,
        virtual_machine=known(info.virtual_machine),
        apple_silicon=known(info.apple_silicon),
        chip=text(info.chip),
        chip_family=info.chip_family or None,
        model=text(info.model),
        os_version=text(info.os_version),
        simulated=bool(info.simulated),
    )
