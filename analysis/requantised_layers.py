"""Populations that requantise sums of integers by a multiplier and a shift, as the layers of a quantised ONNX model do."""

from __future__ import annotations

from ..dialects import ntensor

LAYER_FAMILY = "activation"
"""The family of populations that keep nothing of earlier ticks, and emit counts."""
MULTIPLIER, SHIFT = "multiplier_a", "shift"
"""Parameters of requantisations."""


def is_requantisation(op: ntensor.NeuronOp) -> bool:
    """Returns whether a population is an activation of sums of integers by a multiplier and a shift."""
    is_layer = op.family is not None and op.family.data == LAYER_FAMILY
    return is_layer and {MULTIPLIER, SHIFT} <= set(op.params.data)


def has_requantised_layers(network: ntensor.NetworkOp) -> bool:
    return any(map(is_requantisation, network.populations))
