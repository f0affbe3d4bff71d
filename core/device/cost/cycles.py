"""Clock cycles of a tick as an expression: a number in the contract language, from the counts of a network on its chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...contract.contract import Amount


CYCLE_COUNTS = {
    "inputs": "input channels",
    "input_activity": "share of the inputs with a spike in a tick",
    "input_targets": "neurons with a weight from an input",
    "hidden": "neurons before the last layer",
    "hidden_activity": "share of these neurons with a spike in a tick",
    "hidden_fan_out": "mean number of weights from one of them to all of them",
    "output_sources": "neurons with a weight to an output",
    "outputs": "neurons of the last layer",
    "output_activity": "share of the last layer with a spike in a tick",
    "alias_targets": "mean number of aliases that end at a neuron",
    "alias_sources": "mean number of aliases that start at a neuron",
}
"""Counts that an expression can use; the target of the device provides them."""


def read_cycles(text: str, at: str = "", file: str | None = None) -> Amount:
    """Reads an expression of cycles. Errors: NEU023, NEU026 to NEU031."""
    from ...contract.contract import parse_amount

    return parse_amount(text, dict.fromkeys(CYCLE_COUNTS, "1"), at, file)


def count_cycles(text: str, counts: Mapping[str, float]) -> float:
    """Returns the cycles of a tick. Errors: NEU032 a division by zero."""
    value = read_cycles(text).value(counts)
    assert value is not None  # the target provides all counts
    return float(value)
