"""How long apply and query take from Python, and how much of it is the C library's.

    MTLCAP_SIMMETAL=build/release/lib/simmetal/libsimmetal.so.0 python bench/python.py

Needs the Python package, built and installed. Goal: a query in at most 2 us.
"""

import statistics
import time
import timeit

import mtlcap
from mtlcap._native import ffi, lib, new

RUNS = 21


def microseconds(action, number):
    """The median of several runs, each of `number` calls: what this thread has computed."""
    runs = timeit.repeat(action, number=number, repeat=RUNS, timer=time.thread_time)
    return statistics.median(runs) / number * 1e6


def main():
    answer = new("answer")
    mtlcap.apply("auto")
    rows = [
        ("query, bool", lambda: mtlcap.query("raytracing"), 2000),
        ("query, bool, from C", lambda: lib.mtlcap_query(ffi.NULL, b"raytracing", answer), 2000),
        ("query, size", lambda: mtlcap.query("threadgroup_memory"), 2000),
        ("query, size, from C",
         lambda: lib.mtlcap_query(ffi.NULL, b"threadgroup_memory", answer), 2000),
        ("query, family", lambda: mtlcap.query("apple"), 2000),
        ("query, family, from C", lambda: lib.mtlcap_query(ffi.NULL, b"apple", answer), 2000),
        ("the same profile again", lambda: mtlcap.apply("auto"), 100),
        ("the same profile again, from C",
         lambda: lib.mtlcap_apply_profile(b"auto", ffi.NULL), 100),
        ("generation()", mtlcap.generation, 2000),
    ]
    for name, action, number in rows:
        print(f"{name:32} {microseconds(action, number):8.2f} us")


main()
