"""tinygrad's Metal runtime under a profile: which GPU it sees, and the shaders that it writes.

Usage: client.py SIMMETAL MTLCAP [PROFILE [ALLOW [restore]]]

Applies the profile before tinygrad is imported. Prints JSON: arch, tensor_cores, bfloat16, and the
text of every shader in order.
"""

import ctypes
import json
import sys


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("allow", ctypes.c_char_p),
                ("generation", ctypes.POINTER(ctypes.c_uint64))]


def apply(mtlcap, profile, allow="", restore=None):
    library = ctypes.CDLL(mtlcap)
    library.mtlcap_apply_profile.argtypes = [ctypes.c_char_p, ctypes.POINTER(Options)]
    library.mtlcap_last_error.restype = ctypes.c_char_p
    options = Options(ctypes.sizeof(Options), allow.encode())
    if library.mtlcap_apply_profile(profile.encode(), options) != 0 or (
            restore and library.mtlcap_restore() != 0):
        sys.exit(f"client.py: {library.mtlcap_last_error().decode()}")


def record_shaders(compiler):
    """Makes a compiler class keep what it compiles."""
    sources, compile_source = [], compiler.compile

    def compile_and_keep(self, source):
        sources.append(source)
        return compile_source(self, source)

    compiler.compile = compile_and_keep
    return sources


def main():
    simmetal, mtlcap, *profile = sys.argv[1:]
    # Global, because libmtlcap looks for Metal among what the process has. The pool is for what
    # tinygrad, which has none, leaves autoreleased.
    metal = ctypes.CDLL(simmetal, mode=ctypes.RTLD_GLOBAL)
    metal.objc_autoreleasePoolPush()
    if profile:
        apply(mtlcap, *profile)

    from tinygrad import Device, Tensor, dtypes
    from tinygrad.runtime.ops_metal import MetalCompiler

    sources = record_shaders(MetalCompiler)
    device = Device["METAL"]
    bfloat16 = dtypes.bfloat16 in device.renderer.supported_dtypes()
    for dtype in [dtypes.half] + [dtypes.bfloat16] * bfloat16:
        a, b = (Tensor.empty(256, 256, dtype=dtype, device="METAL") for _ in range(2))
        (a @ b).realize()
    a.softmax().realize()
    device.synchronize()
    print(json.dumps({
        "arch": device.renderer.target.arch,
        "tensor_cores": len(device.renderer.tensor_cores),
        "bfloat16": bfloat16,
        "sources": sources,
    }))


if __name__ == "__main__":
    main()
