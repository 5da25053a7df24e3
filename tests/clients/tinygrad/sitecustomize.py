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
        system = name == "/usr/lib/libSystem.dylib"
        load(self, SIMMETAL if system else name, *arguments, **keywords)
        if system:
            self.dispatch_data_create = self.simmetal_dispatch_data_create

    ctypes.CDLL.__init__ = load_library
