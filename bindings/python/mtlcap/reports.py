"""What a profile has done, and what one would do."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Optional, Union

from . import order
from ._native import call, check, encode, ffi, last_error, lib, new, text
from .errors import ArgumentError, Error

Allow = Union[str, Iterable[str]]
"""Names of hazards consented to: one, several joined by ``+``, or an iterable of them."""


class Change(NamedTuple):
    """An answer that differs from stock, on one device."""

    device: int
    """The ``id<MTLDevice>``, as `Device.pointer`; 0 where there is none."""
    capability: str
    """Its key."""
    stock: str
    """For people: ``7``, ``off``, ``yes``."""
    effective: str
    rule: str
    """``auto: apple.min=7``; "" if derived."""
    derived: bool
    """It has no rule of its own: Metal computes it from one that has."""

    def __str__(self) -> str:
        return f"{self.capability}: {self.stock} -> {self.effective} ({self.rule or 'derived'})"


class Finding(NamedTuple):
    """A hazard that a profile meets on this machine."""

    hazard: str
    """Its name, as ``allow=`` takes it."""
    rule: str
    """The rule that meets it."""
    message: str
    """The reason, and how to override it."""
    refuses: bool
    """Refused unless allowed; otherwise a warning."""
    allowed: bool


class Report(NamedTuple):
    """What the apply that is in force did."""

    generation: int
    """The number of that apply; 0: none is in force."""
    profile: str
    """As it was given; "" if none is in force."""
    allowed: tuple[str, ...]
    device_count: int
    """Devices that the apply has seen."""
    class_count: int
    """Device classes that have hooks."""
    hook_count: int
    """Hooks in place, those that pass through included."""
    changes: tuple[Change, ...]
    """What differs from stock."""
    findings: tuple[Finding, ...]
    """Hazards that were met, and allowed or only warned about."""

    def __str__(self) -> str:
        if not self.generation:
            return "no profile is in force"
        lines = [f"{self.profile}: {len(self.changes)} answers differ from stock"]
        return "\n  ".join(lines + [str(change) for change in self.changes])


class Explanation(NamedTuple):
    """What a profile would do on this machine."""

    error: Optional[Error]
    """What `apply` would raise; None if it would succeed."""
    rules: tuple[Change, ...]
    """Its rules, each as it would act on each device. What Metal would derive is not foreseen."""
    findings: tuple[Finding, ...]
    """The hazards that it meets."""


def allow_names(allow: Allow) -> list[str]:
    """Names of hazards, in a list that can be read twice."""
    try:
        return [allow] if isinstance(allow, str) else list(allow)
    except TypeError:
        raise TypeError(
            f"allow must be a str or an iterable of them, not {type(allow).__name__}"
        ) from None


def encode_allow(allow: Allow) -> bytes:
    """Names of hazards as the C library takes them."""
    return b"+".join(encode(name, "allow") for name in allow_names(allow))


def options_for(allow: bytes) -> tuple[Any, Any]:
    """The C library's options, and what must be kept alive as long as they are used."""
    options, kept = new("options"), ffi.new("char[]", allow)
    options.allow = kept
    return options, kept


def _finding(row: Any) -> Finding:
    return Finding(
        hazard=text(row.hazard),
        rule=text(row.rule),
        message=text(row.message),
        refuses=bool(row.refuses),
        allowed=bool(row.allowed),
    )


def _change(row: Any, derived: bool) -> Change:
    return Change(
        device=int(ffi.cast("uintptr_t", row.device)),
        capability=text(row.capability),
        stock=text(row.stock),
        effective=text(row.effective),
        rule=text(row.rule),
        derived=derived,
    )


def report() -> Report:
    """What the apply that is in force did, whoever applied it.

    >>> report().generation
    0
    >>> print(report())
    no profile is in force
    """
    while True:
        info, after = new("report"), new("report")
        check(lib.mtlcap_report_info(info))
        changes, findings = [], []
        try:
            for index in range(info.change_count):
                change = new("change")
                check(lib.mtlcap_report_change(index, change))
                changes.append(_change(change, bool(change.derived)))
            for index in range(info.finding_count):
                finding = new("finding")
                check(lib.mtlcap_report_finding(index, finding))
                findings.append(_finding(finding))
        except ArgumentError:  # another profile has come into force
            continue
        check(lib.mtlcap_report_info(after))
        if after.published == info.published:
            break
    return Report(
        generation=info.generation,
        profile=text(info.profile),
        allowed=tuple(filter(None, text(info.allowed).split("+"))),
        device_count=info.device_count,
        class_count=info.class_count,
        hook_count=info.hook_count,
        changes=tuple(changes),
        findings=tuple(findings),
    )


def explain(profile: str, *, allow: Allow = ()) -> Explanation:
    """Tells what a profile would do on this machine, changing nothing.

    Raises:
        ProfileError: the profile is malformed.
        ProfileFileError: its file cannot be read.

    >>> print(explain("auto").rules[0])
    apple: 5 -> 7 (auto: apple.min=7)
    >>> explanation = explain("apple.min=9")
    >>> explanation.error.hazard
    'beyond-hardware'
    """
    order.look()
    spec = encode(profile, "profile")
    options, kept = options_for(encode_allow(allow))
    info = new("explanation")
    call(lib.mtlcap_explain_profile, spec, options, info)
    error = last_error(info.status) if info.status else None
    rules, findings = [], []
    for index in range(info.rule_count):
        rule = new("rule")
        call(lib.mtlcap_explain_rule, spec, options, index, rule)
        rules.append(_change(rule, False))
    for index in range(info.finding_count):
        finding = new("finding")
        call(lib.mtlcap_explain_finding, spec, options, index, finding)
        findings.append(_finding(finding))
    del kept
    return Explanation(error, tuple(rules), tuple(findings))
