"""Delays of single synapses: seconds become ticks, and a matrix of weights becomes one synapse after the other.

    nir.linear "w" %x {weight, delays}  =>  ntensor.delay "w.delay" %x            what all synapses wait
                                            ntensor.sparse_linear "w" %delayed    what each waits beyond that

The sum keeps its order, by presynaptic index. A synapse without weight is left out where it adds nothing for certain: where spikes
arrive, which are finite, and nothing learns.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from ...analysis import time_constants as times
from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import element_type
from ...dialects import nir, ntensor


@frozen(eq=False)
class Lateness:
    """The synapses of one op that count, and their delays; `seconds`, `ticks` and `places` have an entry for each of them.

    Units: seconds [s]; ticks and common [ticks].
    """

    seconds: NDArray[Any]
    ticks: NDArray[np.int64]
    places: NDArray[np.int64]
    """Flat indices into the weights, in the order of sources, then targets."""
    common: int
    """The common delay."""

    @property
    def differs(self) -> bool:
        """Whether some wait longer than others."""
        return bool((self.ticks != self.common).any())


def lateness(op: nir.SynapseOp, node: str, tick_ns: int) -> Lateness:
    """Returns the delays of single synapses in ticks. Errors: ANA037 more ticks than can be counted."""
    assert op.delays is not None  # the caller's promise
    shape = op.synapse_shape
    delays = np.broadcast_to(op.delays.values, shape)
    order = np.arange(prod(shape), dtype=np.int64).reshape(shape)
    if isinstance(op, nir.LinearOp | nir.AffineOp):
        order = np.swapaxes(order, -1, -2)
        weight, learns = op.weight.values, op.plasticity is not None
        if not learns and nir.is_spike(element_type(op.x)):
            order = order[np.swapaxes(weight, -1, -2) != 0]
    places = order.reshape(-1)
    found = delays.reshape(-1)[places]
    ticks = times.ticks_of(op, found, node, tick_ns)
    return Lateness(found, ticks, places, int(ticks.min()) if ticks.size else 0)


def split_late_synapses(dense: Operation, late: Lateness) -> ntensor.SparseLinearOp:
    """Returns a dense linear op as single synapses, each with what it waits beyond the others."""
    assert isinstance(dense, ntensor.LinearOp)  # other ops have no delays here
    *lead, outputs, inputs = dense.weight.shape
    at = np.unravel_index(late.places, (prod(lead), outputs, inputs))
    properties: dict[str, Attribute] = {
        "node": StringAttr(dense.node.data),
        "weight": ArrayAttr.of(dense.weight.values.reshape(-1)[late.places]),
        "source": ArrayAttr.of((at[0] * inputs + at[2]).astype(np.int32)),
        "target": ArrayAttr.of((at[0] * outputs + at[1]).astype(np.int32)),
        "delay": ArrayAttr.of((late.ticks - late.common).astype(np.int64)),
    }
    for name in ("bias", "plasticity"):
        if name in dense.properties:
            properties[name] = dense.properties[name]
    made = ntensor.SparseLinearOp.create(operands=[dense.x], result_types=[dense.y.type], properties=properties)
    assert isinstance(made, ntensor.SparseLinearOp)
    dense.drop_all_references()
    return made
