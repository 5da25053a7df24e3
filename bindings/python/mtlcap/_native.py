"""The C library: loading, calls, text, and what it logs."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any, Callable, Iterator

from ._mtlcap import ffi, lib
from .errors import ArgumentError, Error, error_class

__all__ = ["call", "ffi", "lib", "text"]

_HOW_TO_SIMULATE = (
    "off a Mac set MTLCAP_SIMMETAL=PREFIX/lib/libsimmetal.so.0, the simulated Metal, which pip does "
    "not bring: build it as libmtlcap's README says under Install"
)

logger = logging.getLogger("mtlcap")
_LEVELS = {
    lib.MTLCAP_LOG_ERROR: logging.ERROR,
    lib.MTLCAP_LOG_WARNING: logging.WARNING,
    lib.MTLCAP_LOG_INFO: logging.INFO,
    lib.MTLCAP_LOG_DEBUG: logging.DEBUG,
}

ON = ("1", "yes", "true", "on")  # how a variable that takes 0|1 says yes

_string, _new = ffi.string, ffi.new
_kinds: dict[str, tuple[Any, int]] = {}


def text(pointer: Any) -> str:
    """The text in a structure or behind a pointer."""
    return str(_string(pointer), "utf-8", "replace")


def new(kind: str) -> Any:
    """A structure that the library fills."""
    if kind not in _kinds:
        structure = ffi.typeof(f"struct mtlcap_{kind}")
        _kinds[kind] = ffi.typeof(ffi.getctype(structure, "*")), ffi.sizeof(structure)
    pointer, size = _kinds[kind]
    filled = _new(pointer)
    filled.struct_size = size
    return filled


def encode(value: object, what: str) -> bytes:
    """Text for C, which ends at a zero byte."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    try:
        raw = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise ArgumentError(f"{what} is not text that can be encoded: {error}") from None
    if "\0" in value:
        raise ArgumentError(f"{what} has a zero byte in it: {value!r}")
    return raw


def _in_python(message: str) -> str:
    """Off a Mac, how to get the simulated Metal here, instead of by linking it."""
    why, off_a_mac, _ = message.partition("; off a Mac")
    if not off_a_mac:
        return message
    return f"{why}; {simulated_problem or _HOW_TO_SIMULATE}"


def last_error(status: int) -> Error:
    """What went wrong in the last call on this thread."""
    parts = new("error")
    lib.mtlcap_last_error_info(parts)
    return error_class(status)(
        _in_python(text(parts.message)) or text(lib.mtlcap_strerror(status)),
        status=status,
        item=text(parts.item),
        line=parts.line,
        column=parts.column,
        hazard=text(parts.hazard),
    )


def check(status: int) -> None:
    """Raises what a status other than success stands for."""
    if status != 0:
        raise last_error(status)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that may log, and raises what it returns. Without the GIL, as every call."""
    try:
        lib.mtlcap_python_log_keep()
        status = function(*arguments)
        error = last_error(status) if status != 0 else None
    finally:
        messages = lib.mtlcap_python_log_take()
    if messages != ffi.NULL:
        _log(messages)
    if error is not None:
        raise error


def _log(messages: Any) -> None:
    records = []  # all, before any code of others runs
    message = messages
    while message != ffi.NULL:
        records.append((_LEVELS.get(message.level, logging.ERROR), text(message.text)))
        message = message.next
    lib.mtlcap_python_log_free(messages)
    for level, words in records:
        logger.log(level, "%s", words)


def loaded_clients() -> Iterator[tuple[str, str]]:
    """The Metal clients whose library is loaded, and its path."""
    path = ffi.new("char[1024]")
    index = 0
    while (name := lib.mtlcap_order_client(index, path, len(path))) != ffi.NULL:
        if text(path):
            yield text(name), text(path)
        index += 1


def _load_simulated_metal() -> str:
    """Off a Mac, MTLCAP_SIMMETAL is the path of the simulated Metal, to be loaded first. What is
    wrong with it is said when Metal is needed."""
    path = os.environ.get("MTLCAP_SIMMETAL")
    if not path or sys.platform == "darwin":
        return ""
    try:
        # Global: Metal's functions are looked for by name. Never closed: classes cannot go.
        ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_GLOBAL | ffi.RTLD_NODELETE)
    except OSError as error:
        reason = str(error).rpartition(": ")[2]
        return f"MTLCAP_SIMMETAL must be the file libsimmetal.so.0, and '{path}' is not: {reason}"
    return ""


simulated_problem = _load_simulated_metal()
# Whoever has a profile in force, such as an injected copy, has said where messages go.
if lib.mtlcap_generation() == 0:
    check(lib.mtlcap_python_log_start())
