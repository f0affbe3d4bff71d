"""Sums that are not added: the terms that the events of one tick add to each neuron, one array after the other.

Term k of the list holds one of its terms for every neuron, or 0, which means no term. For every neuron, its own terms have the order
of its sum. The terms of all neurons and samples for one presynaptic index are therefore one array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.arrays.sums import magnitude
from ...core.fixed_point import LOWEST
from ...core.ir.operation import element_type, shape_of
from ...dialects.ntensor import (
    ConvolutionOp,
    LinearOp,
    PoolOp,
    ReshapeOp,
    ScaleOp,
    SumOp,
    interval_of,
)
from .exact import integers, shift_sum
from .windows import pad_rows

Maker = Callable[..., Iterator[AnyArray]]
"""A function from the input of one tick to its terms, int64 `[samples, *shape]`."""


class Terms:
    """The terms of one tick, computed at each iteration."""

    def __init__(self, make: Maker, *given: Any):
        self.make, self.given = make, given

    def __iter__(self) -> Iterator[AnyArray]:
        return self.make(*self.given)

    def lasting(self) -> Terms:
        """Returns the same terms, which stay valid after the tick."""
        return Terms(self.make, *map(lasting, self.given))


def lasting(given: Any) -> Any:
    if isinstance(given, Terms):
        return given.lasting()
    held: Any = given
    return held.copy() if isinstance(given, np.ndarray) else held


class TermsBlock:
    """The terms of a block of ticks."""

    def __init__(self, ticks: Sequence[Terms]):
        self.ticks = list(ticks)

    def __len__(self) -> int:
        return len(self.ticks)

    def __getitem__(self, tick: int) -> Terms:
        return self.ticks[tick]

    def __setitem__(self, tick: int, terms: Terms) -> None:
        self.ticks[tick] = terms.lasting()

    @staticmethod
    def room(ticks: int) -> TermsBlock:
        return TermsBlock([Terms(empty)] * ticks)


def empty() -> Iterator[AnyArray]:
    return iter(())


class Unadded:
    """An op that produces terms and has no state."""

    def __init__(self, make: Maker):
        self.make = make

    def block(self, *xs: Any) -> Any:
        return TermsBlock([Terms(self.make, *(x[t] for x in xs)) for t in range(len(xs[0]))])

    def tick(self, *xs: Any) -> Any:
        return Terms(self.make, *xs)


def factors_of(op: Operation, weight: ArrayAttr) -> AnyArray:
    """Returns weights as integers for products with inputs; the integers are Python's unbounded integers if a product can exceed 64 bits."""
    values = weight.values
    given = interval_of(element_type(op.operands[0]))
    assert given is not None  # verified: terms are of integers
    narrow = magnitude(values) * max(-given.low, given.high) < -LOWEST
    return values if narrow else values.astype(object)


def term(x: AnyArray, weight: AnyArray, exponent: AnyArray | None) -> AnyArray:
    """Returns `floor(w x 2^exponent)` in int64; its type holds it."""
    return shift_sum(x * weight, exponent).astype(np.int64, copy=False)


def last(bias: AnyArray | None, exponent: AnyArray | None, shape: tuple[int, ...]) -> Iterator[AnyArray]:
    """Yields the bias as the last term."""
    if bias is not None:
        yield np.broadcast_to(shift_sum(bias, exponent), shape)


class LinearTerms:
    """One array for every presynaptic index with an event. Shapes: x [samples, ..., i], terms [samples, ..., o]."""

    def __init__(self, op: LinearOp):
        self.columns = np.ascontiguousarray(np.moveaxis(factors_of(op, op.weight), -1, 0))
        self.bias, self.exponent = integers(op.bias), integers(op.exponent)

    def __call__(self, x: AnyArray) -> Iterator[AnyArray]:
        events = x.astype(np.int64)
        active = np.flatnonzero(events.any(axis=tuple(range(x.ndim - 1))))
        for i in active.tolist():
            yield term(events[..., i, None], self.columns[i], self.exponent)
        yield from last(self.bias, self.exponent, (len(x), *self.columns.shape[1:]))


class ConvolutionTerms:
    """One array for every presynaptic channel of the groups and every tap, in that order. Within the window of a neuron, presynaptic
    neurons with a lower index come first."""

    def __init__(self, op: ConvolutionOp):
        axes = (1,) * op.RANK
        weight = factors_of(op, op.weight)
        self.vertical, self.horizontal = op.axes()
        self.groups = op.groups.value.data
        self.shape = shape_of(op.y)
        taps = weight.reshape(self.groups, -1, weight.shape[1], self.vertical.taps, self.horizontal.taps)
        self.taps = np.moveaxis(taps, 1, -1)[..., None, None]
        """Weights of each group, channel and tap for the target channels of the group."""
        self.bias, self.exponent = integers(op.bias, op.RANK), integers(op.exponent, op.RANK)
        if self.exponent is not None and not self.exponent.ndim:
            self.exponent = self.exponent.reshape(1, *axes)

    def __call__(self, x: AnyArray) -> Iterator[AnyArray]:
        v, h = self.vertical, self.horizontal
        inside = self.taps.shape[1]
        around = pad_rows(x.reshape(len(x), -1, v.inputs, h.inputs), v, h, np.dtype(np.int64))
        around = around.reshape(len(x), self.groups, inside, *around.shape[2:])
        shape = len(x), *self.shape
        for c, ky, kx in product(range(inside), range(v.taps), range(h.taps)):
            seen = around[:, :, c, v.seen(ky), h.seen(kx)]
            if seen.any():
                products = seen[:, :, None] * self.taps[:, c, ky, kx]
                yield shift_sum(products.reshape(shape), self.exponent).astype(np.int64, copy=False)
        yield from last(self.bias, self.exponent, shape)


class PoolTerms:
    """One array for every tap."""

    def __init__(self, op: PoolOp):
        self.vertical, self.horizontal = op.axes()

    def __call__(self, x: AnyArray) -> Iterator[AnyArray]:
        v, h = self.vertical, self.horizontal
        around = pad_rows(x, v, h, np.dtype(np.int64))
        for ky, kx in product(range(v.taps), range(h.taps)):
            yield around[:, :, v.seen(ky), h.seen(kx)]


def scale_terms(scale: AnyArray, x: AnyArray) -> Iterator[AnyArray]:
    """Yields one array: every neuron has one term."""
    yield term(x.astype(np.int64), scale, None)


def reshape_terms(shape: tuple[int, ...], x: Terms) -> Iterator[AnyArray]:
    return (found.reshape(len(found), *shape) for found in x)


def join_terms(*xs: Terms | AnyArray) -> Iterator[AnyArray]:
    """Yields the terms of all operands, from left to right. A signal operand is a single term."""
    for x in xs:
        if isinstance(x, Terms):
            yield from x
        else:
            yield x.astype(np.int64)


def maker_of(op: Operation) -> Maker | None:
    """Returns the producer of an op's terms; None for ops that do not produce terms."""
    match op:
        case LinearOp():
            return LinearTerms(op)
        case ConvolutionOp():
            return ConvolutionTerms(op)
        case PoolOp():
            return PoolTerms(op)
        case ScaleOp():
            return partial(scale_terms, factors_of(op, op.scale))
        case ReshapeOp():
            return partial(reshape_terms, shape_of(op.y))
        case SumOp():
            return join_terms
        case _:
            return None
