"""Apply and query from Python, a round for each line on stdin: see languages.py."""

import ctypes
import json
import sys
import time
from functools import partial

import mtlcap
from mtlcap._native import ffi, lib

answer = ffi.new("struct mtlcap_answer *")
answer.struct_size = ffi.sizeof("struct mtlcap_answer")
values = tuple(mtlcap.query("threadgroup_memory"))

# A question to the device as a client asks it that has nothing but ctypes.
objc = ctypes.CDLL("libobjc.so.4")
objc.sel_registerName.restype = objc.objc_msg_lookup.restype = ctypes.c_void_p
objc.objc_msg_lookup.argtypes = ctypes.c_void_p, ctypes.c_void_p
ask = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long)
selector = objc.sel_registerName(b"supportsFamily:")
device = mtlcap.devices()[0].pointer


def ask_device():
    if not ask(objc.objc_msg_lookup(device, selector))(device, selector, 1007):
        sys.exit("python.py: wrong answer")


def apply_and_restore():
    mtlcap.apply("auto")
    mtlcap.restore()


CASES = (
    ("query, yes or no", partial(mtlcap.query, "raytracing"), 2000),
    ("query, size", partial(mtlcap.query, "threadgroup_memory"), 2000),
    ("query, family", partial(mtlcap.query, "apple"), 2000),
    ("a question to the device", ask_device, 2000),
    ("apply and restore", apply_and_restore, 100),
    ("C's query by cffi", partial(lib.mtlcap_query, ffi.NULL, b"threadgroup_memory", answer), 2000),
    ("a call by cffi, empty", partial(lib.mtlcap_init, answer, answer.struct_size), 2000),
    ("an Answer of values at hand", partial(mtlcap.Answer._make, values), 2000),
)


def measure(action, calls):
    """Microseconds a call, as this thread has computed."""
    start = time.thread_time()
    for _ in range(calls):
        action()
    return (time.thread_time() - start) / calls * 1e6


print(json.dumps([name for name, *_ in CASES]), flush=True)
while sys.stdin.readline():
    mtlcap.apply("auto")
    print(json.dumps([measure(action, calls) for _, action, calls in CASES]), flush=True)
