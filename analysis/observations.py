"""Observations of a calibration: a dictionary attribute of a network and of its nodes."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, FloatAttr
from xdsl.ir import Attribute, Operation

OBSERVED = "ntensor.observed"
"""Attribute of a network or node: the observations of a calibration, by name."""


def find_observation(op: Operation, *keys: str) -> Attribute | None:
    """Returns an entry of the observations of a network or node, through nested dictionaries; None if it is missing."""
    found: Attribute | None = op.attributes.get(OBSERVED)
    for key in keys:
        found = found.data.get(key) if isinstance(found, DictionaryAttr) else None
    return found


def observed_rate(op: Operation, *keys: str) -> float | None:
    """Returns an observed number, such as a rate or density; None if it is missing."""
    found = find_observation(op, *keys)
    return float(found.value.data) if isinstance(found, FloatAttr) else None
