"""Records of the reasons for a decision of a build."""

from __future__ import annotations

from attrs import frozen

from ..json_record import Record


@frozen
class Fact(Record):
    """One figure or statement that a decision follows from."""

    what: str
    value: str
    source: str | None = None
    """Where it is declared: a device field with its source, or a pass."""


@frozen
class Alternative(Record):
    """Another decision, computed from the build."""

    what: str
    cost: str
    """What it costs, or the limit that it exceeds."""
    is_possible: bool


@frozen(kw_only=True)
class Why(Record):
    """A decision of a build with its reasons: the record `nopt.why/1`."""

    SCHEMA = "nopt.why/1"

    build: str
    subject: str
    kind: str
    """`population`, `core`, `pass`, `latency` or `limit`."""
    decision: str
    facts: tuple[Fact, ...]
    alternatives: tuple[Alternative, ...]
