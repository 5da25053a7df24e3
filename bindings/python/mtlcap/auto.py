"""Applies a profile by being imported: ``import mtlcap.auto``, before any Metal client asks.

The profile is that of the variable MTLCAP_PROFILE, with the hazards that MTLCAP_ALLOW consents to;
without it, ``auto``. Where there is no Metal device there is nothing to apply, which is not an
error unless MTLCAP_STRICT=1. With MTLCAP_DISABLE=1 nothing is done.
"""

import os

from ._native import ON, logger, simulated_problem
from .applying import apply
from .devices import devices
from .errors import NoDeviceError, UnsupportedError


def _has_device() -> bool:
    try:
        return bool(devices())
    except UnsupportedError:
        return False


def _apply() -> None:
    if os.environ.get("MTLCAP_DISABLE") in ON:
        return
    try:
        apply(os.environ.get("MTLCAP_PROFILE") or "auto", allow=os.environ.get("MTLCAP_ALLOW", ""))
    except (NoDeviceError, UnsupportedError) as error:
        if os.environ.get("MTLCAP_STRICT") in ON or simulated_problem or _has_device():
            raise
        logger.info("nothing to apply a profile to: %s", error)


_apply()
