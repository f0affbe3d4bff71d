"""Weights into populations by their signs: all weights of one sign, and biases as weights, count events of one synapse population.

Populations that share synapses share their units. The weights of quantised ops are their values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define, field

from ...analysis.shared_weights import Weighted, populations_by_weights
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints, Reals
from ...dialects import ntensor

SIGNS = (1, -1)
"""Of excitatory and of inhibitory weights."""
SAME_EVENTS = 1e-6
"""Part of the largest weight by which a number of events may differ: more than the rounding of f32."""


@define(eq=False)
class ReceptorWeights:
    """The ops with weights into some populations. Shapes: values as those of each op, biases as stored."""

    ops: list[Weighted]
    readers: list[ntensor.NeuronOp] = field(factory=list[ntensor.NeuronOp])
    values: dict[Weighted, Reals] = field(init=False)
    biases: dict[Weighted, Reals] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.values = {op: op.weight_values().values.astype(np.float64) for op in self.ops}
        given = {op: op.optional_array("bias") for op in self.ops}
        self.biases = {op: one.values.astype(np.float64) for op, one in given.items() if one is not None}

    def magnitudes(self, sign: int) -> Reals:
        """Returns the magnitudes of all weights and biases of one sign."""
        parts = [sign * one[sign * one > 0] for one in (*self.values.values(), *self.biases.values())]
        return np.concatenate([np.zeros(0), *parts])

    def declared(self, sign: int) -> list[float]:
        """Returns the distinct scales of the quantised weights of one sign."""
        found: dict[float, None] = {}
        for op, values in self.values.items():
            if (given := op.quantized_weights) is not None:
                scale = np.broadcast_to(given.scale.values, values.shape)
                found |= dict.fromkeys(np.unique(scale[sign * values > 0]).tolist())
        return [*found]

    def counts(self, op: Weighted, units: Sequence[float], most: int) -> Ints:
        """Returns the number of events of each weight of an op; negative for inhibitory weights."""
        return counted(self.values[op], units, most)


def counted(values: Reals, units: Sequence[float], most: int) -> Ints:
    """Returns values as numbers of events with signs."""
    unit = np.where(values < 0, units[1], units[0])
    return np.clip(np.rint(values / unit), -most, most).astype(np.int64)


def exact_unit(magnitudes: Reals, declared: Sequence[float], most: int) -> float | None:
    """Returns the value of one event such that every magnitude is 1 to `most` events, preferably a declared value; None without such a value."""
    if not len(magnitudes):
        return 1.0
    for unit in (*declared, *(float(magnitudes[0]) / k for k in range(1, most + 1))):
        if unit == 0:  # smaller than any number
            continue
        with np.errstate(over="ignore"):  # more events than any number holds are too many
            events = np.rint(magnitudes / unit)
        is_near = np.abs(events * unit - magnitudes) <= SAME_EVENTS * magnitudes[-1]
        if events.min() >= 1 and events.max() <= most and is_near.all():
            return unit
    return None


def receptor_groups(network: ntensor.NetworkOp) -> list[ReceptorWeights]:
    """Returns the weights of each target population, in the order of the network."""
    return [ReceptorWeights(ops, populations) for populations, ops in populations_by_weights(network)]


def store_counts(op: Weighted, events: Ints, units: Sequence[float], bits: int) -> Reals:
    """Replaces the weights of an op by numbers of events, and returns their new values."""
    scale = np.where(events < 0, units[1], units[0]).astype(np.float64)
    used = np.unique(scale[events != 0])
    held = np.asarray(used[0] if len(used) == 1 else units[0], np.float64) if len(used) < 2 else scale
    op.replace_weights(ArrayAttr.of(events.astype(np.int16)), ntensor.QuantizedAttr.of(bits, np.array(held, order="C")))
    return events * scale
