"""Is it too late? Clients ask Metal once, early, and remember the answers.

What counts is whether a Metal device has been made in this process before mtlcap first looked at
the devices: a client that has only been imported has asked nothing yet. Which modules are imported
gives the words of the warning only.
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Optional

from ._native import lib, loaded_clients
from .errors import OrderError

# Modules that make a Metal device when they are first used.
_MODULES = {
    "mlx.core": "MLX",
    "torch": "PyTorch",
    "llama_cpp": "llama.cpp",
    "tinygrad.runtime.ops_metal": "tinygrad",
    "pywhispercpp": "whisper.cpp",
    "jax_plugins.metal_plugin": "JAX",
    "wgpu": "wgpu",
    "Metal": "PyObjC",
}


class MtlcapOrderWarning(RuntimeWarning):
    """A profile was applied too late for a client that has asked Metal already."""


def look() -> bool:
    """Call this before the C library looks at devices, which makes them. Tells whether one had been
    made before the first look."""
    return bool(lib.mtlcap_order_look())


def suspects() -> list[str]:
    """Who in this process may have asked."""
    found = {name: module for module, name in _MODULES.items() if module in sys.modules}
    for name, path in loaded_clients():
        found.setdefault(name, path)
    return [f"{name} ({where})" for name, where in found.items()]


def _message(profile: str) -> str:
    who = suspects()
    return (
        f"profile '{profile}' comes too late for what has asked Metal already, and remembers what "
        f"it said: {' or '.join(who) if who else 'something in this process'}. Call mtlcap.apply() "
        "before the first use of it, or start the program by: "
        f"python -m mtlcap run -p {profile} SCRIPT"
    )


def _stack_level() -> int:
    """The level of the first frame that is neither mtlcap's nor contextlib's."""
    frame: Optional[FrameType] = sys._getframe(1)
    level = 0
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in ("mtlcap", "contextlib"):
            break
        frame, level = frame.f_back, level + 1
    return level


def complain(profile: str, late: str) -> None:
    """Warns, or raises, as `late` says."""
    if late == "error":
        raise OrderError(_message(profile))
    warnings.warn(MtlcapOrderWarning(_message(profile)), stacklevel=_stack_level() + 1)
