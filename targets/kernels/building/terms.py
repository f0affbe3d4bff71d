"""Terms of synapses in gathers: the addition of one term to the sum of a target, and the interval of all sums.

A gather visits the sources of a target in the order that `ntensor` defines, so reals are added in the same order as in the reference. A source of zero
adds nothing to a sum that is never -0, so a test for zero changes no number; it is required where a term of zero has an effect.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.ir import Attribute, SSAValue

from ....core.fixed_point import Interval
from ....dialects import c, fixed
from ....dialects.fixed import IntType
from .bodies import Builder
from .memory import Buffers, interval_in


class Term:
    """The terms of one scatter. `sums`: the type that its sums have while they are added."""

    def __init__(self, buffers: Buffers, op: c.ScatterOp, weights: NDArray[Any], *, starts_at_zero: bool):
        self.buffers, self.op = buffers, op
        self.table_element = c.element_of_memory(op.table)
        self.is_real = c.is_real(c.element_of_memory(op.sums))
        self.has_test = op.combine is not None or op.is_finite is None
        """Whether a term of zero has an effect, so that it has to be left out."""
        self.x_type: Attribute
        self.weight_type: Attribute
        if self.is_real:
            self.sums = self.x_type = c.element_of_memory(op.sums)
            held = c.is_real(self.table_element)
            self.weight_type = self.sums if held else IntType.of(bounds(weights))
            return
        x = interval_in(op.x)
        self.x_type, self.weight_type = IntType.of(x), IntType.of(bounds(weights))
        if op.combine is not None:
            self.sums = op.combine.block.args[1].type
            return
        held = interval_in(op.sums)
        given = sum_bounds(weights, x) if starts_at_zero else held
        self.sums = IntType.of(Interval(max(held.low, given.low), min(held.high, given.high)))

    def added(self, b: Builder, sum: SSAValue, x: SSAValue, weight: SSAValue, places: Places) -> SSAValue:
        """Returns the sum after one term."""
        if self.op.combine is not None:
            return self.combined(b, sum, x, weight, places)
        if self.is_real:
            held = self.scaled(b, weight, places)
            term = b.add(arith.MulfOp(held, x))
            return b.add(arith.AddfOp(sum, term))
        return b.widened(b.add(fixed.AddOp(sum, b.add(fixed.MulOp(weight, x)))), self.sums)

    def scaled(self, b: Builder, weight: SSAValue, places: Places) -> SSAValue:
        """Returns a weight in the type of the sums: a real, or an integer minus its zero point, times its scale."""
        if not isinstance(weight.type, IntType):
            return weight
        if self.op.zero is not None:
            zero = self.entry(b, self.op.zero, places, IntType.of(interval_in(self.op.zero)))
            weight = b.add(fixed.SubOp(weight, zero))
        real = b.add(fixed.ToRealOp(weight, self.sums))
        if self.op.scale is None:
            return real
        return b.add(arith.MulfOp(real, self.entry(b, self.op.scale, places, self.sums)))

    def entry(self, b: Builder, memory: SSAValue, places: Places, type: Attribute) -> SSAValue:
        """Returns the element of a target, or the one for all."""
        index = 0 if c.length_of(memory) == 1 else places.factor
        return b.load(self.buffers.of(memory), index, type)

    def combined(self, b: Builder, sum: SSAValue, x: SSAValue, weight: SSAValue, places: Places) -> SSAValue:
        region = self.op.combine
        assert region is not None  # guaranteed by the caller
        args = region.block.args
        known: dict[SSAValue, SSAValue] = {
            args[0]: b.widened(b.add(fixed.MulOp(weight, x)), args[0].type),
            args[1]: sum,
        }
        if self.op.shift is not None and len(args) > 2:
            known[args[2]] = b.load(self.buffers.of(self.op.shift), places.target, args[2].type)
        (after,) = b.inline(region.block, known)
        return b.widened(after, self.sums)

    def guarded(self, b: Builder, sum: SSAValue, x: SSAValue, add: Any) -> SSAValue:
        """Returns the sum after a term that is left out where the source is zero, if this is required."""
        if not self.has_test:
            return add(b)
        (after,) = b.when(b.is_nonzero(x), [sum], lambda inner: [add(inner)])
        return after


class Places:
    """Indices of a target: its element in the sums, and its place in scales and zero points."""

    def __init__(self, target: SSAValue, factor: int | SSAValue):
        self.target, self.factor = target, factor


def bounds(values: NDArray[Any]) -> Interval:
    return Interval(int(values.min()), int(values.max())) if values.size else Interval(0, 0)


def sum_bounds(weights: NDArray[Any], x: Interval) -> Interval:
    """Returns the interval of all partial sums of a target. Shapes: weights [targets, terms]."""
    if not weights.size:
        return Interval(0, 0)
    wide = weights.astype(object) if max(abs(x.low), abs(x.high)) > 2**31 else weights.astype(np.int64)
    products = np.stack([wide * x.low, wide * x.high])
    low = np.minimum(products.min(axis=0), 0).sum(axis=-1).min()
    high = np.maximum(products.max(axis=0), 0).sum(axis=-1).max()
    return Interval(int(low), int(high))
