"""The response of a network's own model to changes of one unit in the last place: `response(network, inputs, record)`.

Some networks amplify the last bit of a real exponentially. A correct module then differs beyond any fixed tolerance, since its sums have another order.
The response is the evidence: the reference itself, with the same equations in the same order, differs from itself as far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nopt.api.modules import only_network
from nopt.dialects.ntensor import NetworkOp, NeuronOp
from nopt.dialects.ntensor.neurons import array_dictionary
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel

DRAWS = 4
"""Number of random changes. A sum of n products in another order can differ by more than one change does."""


def run_reference(
    network: NetworkOp, inputs: Mapping[str, np.ndarray], record: Sequence[str]
) -> Mapping[str, np.ndarray]:
    signals = {name: DenseSignal(array) for name, array in inputs.items()}
    return ReferenceModel(network, record=record).run(signals)


def nudged(network: NetworkOp, rng: np.random.Generator) -> NetworkOp:
    """Returns a copy whose neuron parameters and initial states are the next larger or smaller numbers.

    Parameters enter the update in each tick, as the rounding of a sum does.
    """
    other = only_network(network.get_toplevel_object().clone())
    for op in other.body.block.ops:
        if isinstance(op, NeuronOp):
            for key in ("params", "initial"):
                arrays = {name: np.asarray(array.values) for name, array in op.arrays(getattr(op, key))}
                sides = {name: rng.choice([-np.inf, np.inf], array.shape) for name, array in arrays.items()}
                moved = {name: np.nextafter(array, sides[name], dtype=array.dtype) for name, array in arrays.items()}
                op.properties[key] = array_dictionary(moved)
    return other


def spread(wanted: Mapping[str, np.ndarray], found: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns the largest difference of each array `[samples, ticks, *shape]` up to each tick, relative to the array's largest number or to 1.

    An entry that is finite in one array only differs infinitely. Shapes have to be equal.
    """
    rows = {}
    for name, array in wanted.items():
        other = found[name]
        assert other.shape == array.shape, name
        a, b = array.astype(np.float64), other.astype(np.float64)
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        with np.errstate(invalid="ignore"):
            apart = np.where(equal, 0.0, np.abs(b - a))
        size = np.abs(a[np.isfinite(a)]).max(initial=1.0) if array.dtype.kind == "f" else 1.0
        apart = np.nan_to_num(apart, nan=np.inf) / size
        rows[name] = np.maximum.accumulate(apart.max(axis=(0, *range(2, apart.ndim))))
    return rows


def response(
    network: NetworkOp, inputs: Mapping[str, np.ndarray], record: Sequence[str]
) -> tuple[Mapping[str, np.ndarray], dict[str, np.ndarray]]:
    """Returns the results of the model, and by name how far changes of one unit in the last place move them up to each tick."""
    wanted = run_reference(network, inputs, record)
    moved = [
        spread(wanted, run_reference(nudged(network, np.random.default_rng(draw)), inputs, record))
        for draw in range(DRAWS)
    ]
    return wanted, {name: np.max([rows[name] for rows in moved], axis=0) for name in wanted}
