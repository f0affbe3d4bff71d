"""Bits of weights with which a sum of integers fits into its accumulator, and the records of a conversion to integers that they follow from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from attrs import define, field, frozen
from xdsl.ir import Attribute, Operation, SSAValue

from ....analysis.synapse_ranges import learnt_ends
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.fixed_point import Interval
from ....dialects import ntensor
from ....dialects.chip_base.weights import weight_bits

TypeOf = Callable[[SSAValue], Attribute]
LEAST = 2
"""One bit is the sign alone, which changes every weight."""


@frozen
class Scaled:
    """The integer form of a value: its element type, the value of the integer 1 (() or the shape of the value), and the worst case.

    The scale of a neuron without synapses is NaN.
    """

    element: Attribute
    scale: Reals
    range: Interval


@define
class Change:
    """New properties and result of an op that is converted to integers."""

    result: Scaled
    properties: dict[str, Attribute] = field(factory=dict[str, Attribute])


def bits_that_fit(
    type_of: TypeOf,
    changes: Mapping[Operation, Change],
    value: SSAValue,
    held: Interval,
    *,
    each: bool = False,
) -> int:
    """Returns the greatest weight width that keeps a sum within `held` (with `each`: every term of it); 0 if even two bits are too many."""
    most = max((bits_of_weights(op) for op in changes), default=0)
    limit = min(-held.low, held.high)
    bound = Bound(type_of, changes, each)
    return next((bits for bits in range(most - 1, LEAST - 1, -1) if bound(value, bits) <= limit), 0)


def fewer_bits(bits: int) -> str:
    """Returns the pass that reduces weights to `bits`."""
    if not bits:
        return "inputs of fewer bits, or fewer synapses for each neuron"
    return f"ntensor-quantize-weights{{bits={bits} per=neuron}}"


def bits_of_weights(op: Operation) -> int:
    """Returns the bits of the weights of an op; 0 where it has none that are quantized."""
    given = op.quantized_weights if isinstance(op, ntensor.SynapseOpInterface) else None
    return 0 if given is None else weight_bits(op)


class Bound:
    """Upper bound of a sum's magnitude after its weights get fewer bits; with `each`, of the magnitude of every single term.

    The bound holds for any choice of scales. A weight n of b bits becomes at most `|n| top(b') / max |n| + 1/2`, where top(b') = 2^(b' - 1) - 1 is
    the largest integer of the new grid, since the largest weight of a scale fits into it and rounding adds at most 1/2.
    """

    def __init__(self, type_of: TypeOf, changes: Mapping[Operation, Change], each: bool):
        self.type_of, self.changes, self.each = type_of, changes, each

    def __call__(self, value: SSAValue, bits: int) -> float:
        op = value.owner
        if not isinstance(op, Operation) or (change := self.changes.get(op)) is None:
            held = ntensor.interval_of(self.type_of(value))
            return np.inf if held is None else float(held.magnitude)
        inside = [self(x, bits) for x in op.operands]
        if isinstance(op, ntensor.SumOp):
            return max(inside) if isinstance(change.result.element, ntensor.TermsType) else sum(inside)
        if not isinstance(op, ntensor.SynapseOpInterface):
            return inside[0]
        if op.weights is None:
            sums = op.add_weights()
            assert sums is not None  # an op without weights is a sum or a mean
            return inside[0] * int(np.max(sums[0] + sums[1]))
        weight = change.properties[op.WEIGHTS or ""]
        assert isinstance(weight, ArrayAttr)  # of the same op
        return self.weighted(op, change, weight, inside[0], bits)

    def weighted(self, op: ntensor.SynapseOpInterface, change: Change, weight: ArrayAttr, x: float, bits: int) -> float:
        low, high = learnt_ends(op, weight.values.astype(np.int64))
        size = np.maximum(np.abs(low), np.abs(high))
        own, top = max(1, int(size.max(initial=0))), 2 ** (bits - 1) - 1
        ratio = top / own if bits < bits_of_weights(op) else 1.0
        added = change.properties.get("bias")
        bias = np.abs(added.values.astype(np.float64)) * ratio + 0.5 if isinstance(added, ArrayAttr) else np.zeros(())
        if self.each:
            if isinstance(op.x.owner, Operation) and op.x.owner in self.changes:
                x = 2.0 ** np.ceil(np.log2(x + 1))  # the type of a sum counts, not its range
            return max(min(own * ratio + 0.5, top) * x, float(bias.max(initial=0)))
        sums, counts = op.add_weights(size), op.add_weights((size > 0).astype(np.int64))
        assert sums is not None  # a synapse op
        assert counts is not None
        worst = np.minimum(sums[0] * ratio + 0.5 * counts[0], counts[0] * float(top)) * x + bias
        return float(np.max(worst, initial=0.0))
