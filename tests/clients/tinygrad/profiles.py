"""tinygrad's Metal runtime under several profiles, each in a process of its own: what it chooses.

Usage: profiles.py SIMMETAL MTLCAP ALLOW PROFILE...

Prints a line of JSON for each profile: what tinygrad took, or "failed" and how it ended.
"""

import ctypes
import json
import os
import sys

from client import apply, record_shaders

# Under these a product of matrices is compiled, which takes time.
WITH_SHADERS = ("stock", "auto", "like-apple6")


def multiply(device):
    """The shaders of a product of matrices. That they end in an error, as on a GPU that hangs, does
    not matter."""
    from tinygrad import Tensor, dtypes
    from tinygrad.runtime.ops_metal import MetalCompiler

    sources = record_shaders(MetalCompiler)
    a, b = (Tensor.empty(64, 64, dtype=dtypes.half, device="METAL") for _ in range(2))
    try:
        (a @ b).realize()
        device.synchronize()
    except RuntimeError:
        pass
    return sources


def look(profile):
    from tinygrad import Device, dtypes

    try:
        device = Device["METAL"]
    except Exception as error:  # whatever ends tinygrad, its user sees
        return {"failed": repr(error)}
    seen = {
        "arch": device.renderer.target.arch,
        "tensor_cores": len(device.renderer.tensor_cores) > 0,
        "bfloat16": dtypes.bfloat16 in device.renderer.supported_dtypes(),
        "graph": device.graph is not None,
    }
    if profile in WITH_SHADERS:
        seen["matrix_shaders"] = any("simdgroup_multiply_accumulate" in source
                                     for source in multiply(device))
    return seen


def main():
    simmetal, mtlcap, allow, *profiles = sys.argv[1:]
    metal = ctypes.CDLL(simmetal, mode=ctypes.RTLD_GLOBAL)
    metal.objc_autoreleasePoolPush()
    import tinygrad.runtime.ops_metal  # once for all; it asks Metal nothing

    for profile in profiles:
        child = os.fork()
        if child == 0:
            apply(mtlcap, profile, allow)
            result = look(profile)
            print(json.dumps({"profile": profile, **result}), flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(f"profiles.py: tinygrad ended under {profile}")


main()
