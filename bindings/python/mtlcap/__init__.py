"""Decide, per process, what Metal says about a GPU.

    import mtlcap

    mtlcap.apply("auto")                 # before the first Metal client asks
    print(mtlcap.query("apple"))         # apple: 7 (stock: 5; auto: apple.min=7)
    mtlcap.restore()                     # stock answers, for every caller

    with mtlcap.profile("apple.max=6"):  # the same, restored on leaving
        ...

    with mtlcap.trace() as t:            # who asks what, and gets what
        ...
    for question in t.questions:
        print(question)

A capability is one question that Metal answers about a device. What the device says by itself is
the stock answer; what callers get now is the effective answer. A profile is a list of rules that
turn stock answers into effective ones.

Every function may be called from any thread; a profile holds for the whole process. The GIL is
released while the C library works. What the library has to say goes to the logger ``mtlcap``.

Where there is no Metal, importing works, and what needs Metal raises `UnsupportedError`. Off a Mac
the variable MTLCAP_SIMMETAL names the simulated Metal, which is loaded by the import.
"""

from . import _interpreter as _interpreter  # first: may refuse
from .answers import Answer, Check, check, query
from .applying import apply, generation, is_active, profile, restore
from .devices import Device, Machine, adopt, devices, machine
from .errors import (
    STATUSES,
    ArgumentError,
    BusyError,
    CapabilityError,
    Error,
    HazardError,
    HookError,
    NoDeviceError,
    NoMemoryError,
    NotADeviceError,
    NotReachedError,
    OrderError,
    ProfileError,
    ProfileFileError,
    SlotsError,
    UnsupportedError,
    VersionError,
)
from .order import MtlcapOrderWarning
from .reports import Change, Explanation, Finding, Report, explain, report
from .tables import Capability, Hazard, Profile, capabilities, hazards, profiles, version
from .tracing import Event, Question, Trace, Unwatched, trace

__version__ = version()

__all__ = [
    "STATUSES",
    "Answer",
    "ArgumentError",
    "BusyError",
    "Capability",
    "CapabilityError",
    "Change",
    "Check",
    "Device",
    "Error",
    "Event",
    "Explanation",
    "Finding",
    "Hazard",
    "HazardError",
    "HookError",
    "Machine",
    "MtlcapOrderWarning",
    "NoDeviceError",
    "NoMemoryError",
    "NotADeviceError",
    "NotReachedError",
    "OrderError",
    "Profile",
    "ProfileError",
    "ProfileFileError",
    "Question",
    "Report",
    "SlotsError",
    "Trace",
    "UnsupportedError",
    "Unwatched",
    "VersionError",
    "adopt",
    "apply",
    "capabilities",
    "check",
    "devices",
    "explain",
    "generation",
    "hazards",
    "is_active",
    "machine",
    "profile",
    "profiles",
    "query",
    "report",
    "restore",
    "trace",
    "version",
]
