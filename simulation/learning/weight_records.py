"""Records of weights that learn: `NODE.weight`, in numbers of the network, after the rules of each tick."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import AnyArray, Ints
from ...dialects.ntensor import SynapseOpInterface
from .plastic_table import LearnedWeights


@frozen(eq=False)
class WeightView:
    """The places of a record that a table fills. Shapes: place [synapses]: the flat index of a weight in its op."""

    learning: object
    place: Ints

    def store(self, found: AnyArray, t: int, weights: Sequence[LearnedWeights]) -> None:
        """Stores the weights after a tick. Shapes: found [samples, ticks, weights]."""
        for one in weights:
            if one.learning is self.learning:
                found[:, t, self.place] = one.real


def places_of_weights(op: SynapseOpInterface, source: Ints, target: Ints) -> Ints:
    """Returns the flat index of the weight of some synapses of an op. Shapes: source and target [synapses], flat indices of neurons; result alike."""
    sources, targets, place = op.pairs()
    size = int(max(sources.max(initial=0), source.max(initial=0))) + 1
    known = targets.astype(np.int64) * size + sources
    order = np.argsort(known, kind="stable")
    at = np.searchsorted(known[order], target * size + source)
    return np.asarray(place)[order[np.minimum(at, len(order) - 1)]].astype(np.int64)


def weight_step(op: SynapseOpInterface) -> AnyArray:
    """Returns the value of a step of the weights of an op. Shapes: () or that of the weights."""
    quantized = op.quantized_weights
    return np.ones(()) if quantized is None else np.asarray(quantized.scale.values, np.float64)
