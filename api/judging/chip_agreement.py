"""Records of the comparison of a chip with the network that it computes."""

from __future__ import annotations

from attrs import frozen

from ..json_record import Record
from ..running.comparison import First


@frozen
class Disagreement(Record):
    """Difference of one output or record."""

    name: str
    first: First
    """The first sum that differs; `tick` is the first tick of its window."""
    windows: int
    """Sums that differ."""
    largest: float
    """The largest difference of two sums."""


@frozen
class Agreement(Record):
    """Comparison of a chip with its network: the entry `fidelity.agreement` of the record `nopt.report/1`."""

    agrees: bool
    samples: int
    disagreements: tuple[Disagreement, ...]
    """The first of each output."""
