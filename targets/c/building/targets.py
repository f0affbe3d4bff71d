"""The targets of compressed synapses: their order, and the elements of constants."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....core.arrays.numeric import AnyArray
from ....dialects import c

AT_ONCE = 2**18
"""Synapses that are compared at once."""


def are_ascending(op: c.CompressedOp, *, strictly: bool = False) -> bool:
    """Returns whether the targets of each source, or of each source and delay, ascend. Options: strictly: each target at most once."""
    target, start = (constant_values(memory) for memory in (op.target, op.start))
    if target is None or start is None:
        return False
    firsts = start.astype("int64")
    for first in range(0, len(target) - 1, AT_ONCE):
        part = target[first : first + AT_ONCE + 1]
        falls = (part[1:] <= part[:-1]) if strictly else (part[1:] < part[:-1])
        starts = falls.nonzero()[0] + first + 1
        places = firsts.searchsorted(starts)
        if (firsts[places.clip(max=len(firsts) - 1)] != starts).any():
            return False
    return True


def constant_values(memory: SSAValue) -> AnyArray | None:
    """Returns the flat elements of a constant."""
    values = c.buffer_of(memory).values
    return None if values is None else values.values.reshape(-1)
