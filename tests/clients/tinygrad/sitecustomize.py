"""What Linux must answer otherwise for tinygrad to believe that it is on a Mac with Metal. Python
imports this file by itself, because of PYTHONPATH; tinygrad is unmodified."""

import ctypes
import ctypes.util
import os
import platform

SIMMETAL = os.environ.get("TEST_SIMMETAL")
if SIMMETAL:
    find_library, load = ctypes.util.find_library, ctypes.CDLL.__init__
    ctypes.util.find_library = lambda name: SIMMETAL if name == "objc" else find_library(name)
    platform.mac_ver = lambda *_: ("15.5", ("", "", ""), "arm64")

    def load_library(self, name, *arguments, **keywords):
        name = SIMMETAL if name == "/usr/lib/libSystem.dylib" else name
        load(self, name, *arguments, **keywords)

    ctypes.CDLL.__init__ = load_library
