"""What is asked of devices, by whom, and what they answer."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import Any, NamedTuple, Optional, Union

from . import order
from ._native import call, check, encode, ffi, lib, new, text
from .errors import ArgumentError, BusyError


class Question(NamedTuple):
    """What one caller asked, and got. The same question with another answer, or by another caller, is
    another one."""

    capability: str
    """Its key; "" if none speaks of the argument."""
    selector: str
    """Metal's: ``supportsFamily:``."""
    argument: Optional[int]
    """What a "supports N?" asks for; None for other questions."""
    argument_name: str
    """``MTLGPUFamilyApple7``; of an unknown one its number, and that it is unknown; "" for None."""
    answer: str
    """For people: ``yes``, ``32768``. Of one that no profile changes, the first that was given."""
    stock: str
    """What the device says by itself."""
    stock_known: bool
    """False: do not rely on `stock`."""
    overridden: bool
    """A rule of a profile was in force for it."""
    derived: bool
    """None was, and the answer differs all the same: Metal computes it from one that has a rule."""
    times: int
    """How often."""
    first: float
    """When first: seconds since the trace began."""
    thread_count: int
    """On how many threads; of more than 63 the number cannot be told."""
    class_name: str
    """The class of the device that was asked."""
    device_name: str
    image: str
    """Who asked: the file of the code; "" if it cannot be told."""
    symbol: str
    """... and the function, as far as its file names it."""
    caller: int
    """... and the address that the answer was returned to."""

    def __str__(self) -> str:
        argument = f"({self.argument_name})" if self.argument is not None else ""
        name = self.capability or self.selector
        why = "" if self.answer == self.stock else f" (stock: {self.stock})"
        return f"{name}{argument}: {self.answer}{why}, {self.times} times"


class Event(NamedTuple):
    """One time that a question was asked."""

    question: Question
    time: float
    """Seconds since the trace began."""
    thread: int
    """Number of the thread, from 0, by when it asked first."""


class Unwatched(NamedTuple):
    """A question that a device has and that is not watched."""

    capability: str
    selector: str
    class_name: str
    device_name: str
    reason: str


class _Reading(NamedTuple):
    asked: int
    dropped: int
    events_dropped: int
    questions: tuple[Question, ...]
    events: tuple[Event, ...]
    unwatched: tuple[Unwatched, ...]


_lock = threading.Lock()  # the indices are of what was read last


def _new_lock() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_new_lock)


def _question(row: Any) -> Question:
    return Question(
        capability=text(row.capability),
        selector=text(row.selector),
        argument=row.argument if row.has_argument else None,
        argument_name=text(row.argument_name),
        answer=text(row.answer),
        stock=text(row.stock),
        stock_known=bool(row.stock_known),
        overridden=bool(row.overridden),
        derived=bool(row.derived),
        times=row.count,
        first=row.first_ns / 1e9,
        thread_count=row.thread_count,
        class_name=text(row.class_name),
        device_name=text(row.device_name),
        image=text(row.image),
        symbol=text(row.symbol),
        caller=row.caller,
    )


def _unwatched(row: Any) -> Unwatched:
    return Unwatched(
        capability=text(row.capability),
        selector=text(row.selector),
        class_name=text(row.class_name),
        device_name=text(row.device_name),
        reason=text(row.reason),
    )


def _read_once() -> _Reading:
    info, question = new("trace"), new("trace_question")
    event, unwatched = new("trace_event"), new("trace_unwatched")
    check(lib.mtlcap_trace_info(info))
    questions, events, gaps = [], [], []
    for index in range(info.question_count):
        check(lib.mtlcap_trace_question_info(index, question))
        questions.append(_question(question))
    for index in range(info.event_count):
        check(lib.mtlcap_trace_event_info(index, event))
        events.append(Event(questions[event.question], event.ns / 1e9, event.thread))
    for index in range(info.unwatched_count):
        check(lib.mtlcap_trace_unwatched_info(index, unwatched))
        gaps.append(_unwatched(unwatched))
    return _Reading(info.asked, info.dropped, info.events_dropped, tuple(questions), tuple(events),
                    tuple(gaps))


def _read() -> _Reading:
    with _lock:
        while True:
            try:
                return _read_once()
            except (ArgumentError, IndexError):  # another one has begun, not through Python
                continue


class Trace:
    """What was noted: so far, or, once the context is left, in all."""

    def __init__(self, file: Union[str, os.PathLike[str], None], events: int) -> None:
        self._file = None if file is None else encode(os.fsdecode(file), "file")
        self._events = events
        self._reading: Optional[_Reading] = None

    def __enter__(self) -> Trace:
        order.look()
        info = new("trace")
        check(lib.mtlcap_trace_info(info))
        if info.active:
            raise BusyError("a trace is on already, and another one would make it forget all: "
                            "leave that first")
        options = new("trace_options")
        kept = None if self._file is None else ffi.new("char[]", self._file)
        options.file = ffi.NULL if kept is None else kept
        options.events = self._events
        call(lib.mtlcap_trace_start, options)
        self._reading = None
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        check(lib.mtlcap_trace_stop())
        self._reading = _read()

    def _now(self) -> _Reading:
        return self._reading or _read()

    @property
    def asked(self) -> int:
        """How often devices were asked, in all, but for `dropped`."""
        return self._now().asked

    @property
    def dropped(self) -> int:
        """... beyond the different questions that there is room for."""
        return self._now().dropped

    @property
    def events_dropped(self) -> int:
        """... of `asked`, beyond the events that there is room for."""
        return self._now().events_dropped

    @property
    def questions(self) -> tuple[Question, ...]:
        """In the order in which they were asked first."""
        return self._now().questions

    @property
    def events(self) -> tuple[Event, ...]:
        """Each time that one was asked, in their order, if that was wanted."""
        return self._now().events

    @property
    def unwatched(self) -> tuple[Unwatched, ...]:
        """What devices have and what could not be watched."""
        return self._now().unwatched


def trace(file: Union[str, os.PathLike[str], None] = None, *, events: int = 0) -> Trace:
    """A context in which all is noted that is asked of devices, by whatever code of the process: what,
    by whom, the answer, and what the device says by itself. What mtlcap asks is not.

    Args:
        file: also keep it in this file, for ``mtlcap trace --from FILE``: it outlives the process,
            whatever ends that.
        events: also keep each question by itself, up to so many.

    Raises, on entering:
        BusyError: a trace is on already.
        ProfileFileError: the file cannot be made, or is something else than a trace.
        ArgumentError: too many events.

    >>> import ctypes, os
    >>> ask = ctypes.CDLL(os.environ["MTLCAP_SIMMETAL"]).simmetal_ask_with  # a client
    >>> device = ctypes.c_void_p(devices()[0].pointer)
    >>> with trace() as t:
    ...     answer = ask(device, b"supportsFamily:", ctypes.c_int64(1007))
    >>> print(t.questions[0])
    apple(MTLGPUFamilyApple7): no, 1 times
    """
    if not isinstance(events, int):
        raise TypeError(f"events must be an int, not {type(events).__name__}")
    if not 0 <= events <= lib.MTLCAP_TRACE_EVENTS_MAX:
        raise ArgumentError(f"events must be 0 to {lib.MTLCAP_TRACE_EVENTS_MAX}, not {events}")
    return Trace(file, events)
