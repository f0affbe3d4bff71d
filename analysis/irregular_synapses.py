"""Synapses that are given one by one, as pairs of neurons."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from ..core.arrays.numeric import Ints
from ..core.arrays.values import RuleArray
from ..dialects import ntensor

MATRIX_SYNAPSES = 4_000_000
"""Synapses of a matrix beyond which they are not listed one by one: a list needs 16 times the memory of the weights."""


def irregular_synapses(chain: Iterable[Operation]) -> tuple[Ints, Ints] | None:
    """Returns the sources and targets of a chain with a single, irregular synapse op; None for any other chain, and for a matrix with many synapses."""
    weighted = [op for op in chain if not isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp | ntensor.ScaleOp)]
    if len(weighted) != 1:
        return None
    op = weighted[0]
    if not isinstance(op, ntensor.SynapseOpInterface):
        return None
    if (
        isinstance(op, ntensor.LinearOp)
        and not isinstance(op.weight.data, RuleArray)
        and op.weight.data.size > MATRIX_SYNAPSES
        and int(op.count_synapses().sum()) > MATRIX_SYNAPSES
    ):
        return None
    return op.irregular_pairs()
