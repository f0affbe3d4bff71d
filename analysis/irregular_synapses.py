"""Synapses that are given one by one, as pairs of neurons."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from ..core.arrays.numeric import Ints
from ..dialects import ntensor


def irregular_synapses(chain: Iterable[Operation]) -> tuple[Ints, Ints] | None:
    """Returns the sources and targets of a chain with a single, irregular synapse op; None for any other chain."""
    weighted = [op for op in chain if not isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp | ntensor.ScaleOp)]
    if len(weighted) != 1:
        return None
    op = weighted[0]
    return op.irregular_pairs() if isinstance(op, ntensor.SynapseOpInterface) else None
