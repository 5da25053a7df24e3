"""A user's program: steps in the order of the command line, what they tell as JSON.

Steps: apply PROFILE, restore, import (llama_cpp), ask (its first question), generate MODEL,
tinygrad. The log of llama.cpp goes to stderr.
"""

import json
import sys
import warnings


def apply(profile):
    import mtlcap

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mtlcap.apply(profile)
    told.setdefault("warnings", []).extend(
        f"{w.category.__name__}: {w.message}" for w in caught)


def restore():
    import mtlcap

    mtlcap.restore()


def import_llama():
    import llama_cpp as llama_cpp


def ask():
    import llama_cpp

    told["offload"] = llama_cpp.llama_supports_gpu_offload()


def generate(model):
    """Loads a model on the GPU, and has it say eight tokens."""
    import llama_cpp

    llama = llama_cpp.Llama(model_path=model, n_gpu_layers=-1, n_ctx=256, n_threads=1, seed=1,
                            flash_attn=True, verbose=True)
    tokens = llama.tokenize(b"Metal, what can you do?")
    llama.eval(tokens)
    for _ in range(8):
        llama.eval([llama.sample(temp=0.0)])
    told["tokens"] = len(tokens) + 8
    llama.close()


def tinygrad():
    import ctypes

    metal = ctypes.CDLL("libsimmetal.so.0")
    metal.objc_autoreleasePoolPush()  # for what tinygrad, which has none, leaves autoreleased
    from tinygrad import Device, Tensor, dtypes

    device = Device["METAL"]
    a, b = (Tensor.empty(64, 64, dtype=dtypes.half, device="METAL") for _ in range(2))
    (a @ b).realize()
    device.synchronize()
    told["tinygrad"] = [device.renderer.target.arch, len(device.renderer.tensor_cores)]


STEPS = {"apply": apply, "restore": restore, "import": import_llama, "ask": ask,
         "generate": generate, "tinygrad": tinygrad}
told = {}


def main():
    words = sys.argv[1:]
    while words:
        step = words.pop(0)
        STEPS[step](*[words.pop(0)] if step in ("apply", "generate") else [])
    print(json.dumps(told))


main()
