"""Sparse synapses with individual delays: as a sum in the order of the synapses, or as its terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Block

from ...core.arrays.numeric import AnyArray
from ...core.ir.operation import element_type, shape_of
from ...dialects.ntensor import SparseLinearOp, SynapseOpInterface, TermsType
from ...simulation.elements import working_dtype
from ...simulation.output_ring import History
from .exact import Exact, integers, shift_sum
from .terms import Terms, TermsBlock, factors_of, last

MOST_AT_ONCE = 2**24
"""Synapses times samples whose operands are gathered together."""


def sparse_of(op: SynapseOpInterface) -> SparseLinearOp:
    """Returns a sparse op with the synapses of an op in the op's order of addition: by source, then by target."""
    source, target, place = op.used_pairs()
    order = np.lexsort((target, source))
    properties = op.sparse_properties(source[order], target[order], place[order], op.optional_array("bias"))
    properties["node"] = op.node
    properties.pop("plasticity", None)  # outside of a module it has no rule
    made = SparseLinearOp.create(
        operands=[Block(arg_types=[op.x.type]).args[0]], result_types=[op.y.type], properties=properties
    )
    assert isinstance(made, SparseLinearOp)
    return made


class Synapses:
    """Sparse synapses prepared for runs, and their kernel: from rows of `History` and the index of a tick to its sum.

    Shapes: rows [n, samples, sources]; sums [samples, *shape]. The order of the sum is that of the synapses, zeros are skipped.
    """

    def __init__(self, op: SparseLinearOp):
        element = element_type(op.y)
        dtype, given = working_dtype(element), working_dtype(element_type(op.x))
        assert dtype is not None  # the plan refuses other types
        assert given is not None
        self.dtype, self.given = dtype, given
        self.source = op.source.values.astype(np.intp)
        self.target = op.target.values.astype(np.intp)
        ticks = np.zeros((), np.intp) if op.delay is None else op.delay.values.astype(np.intp)
        self.longest = int(ticks.max(initial=0))
        self.delay = np.broadcast_to(ticks, self.source.shape)
        self.neurons, self.shape = prod(shape_of(op.x)), shape_of(op.y)
        self.targets = prod(self.shape)
        self.together = max(1, MOST_AT_ONCE // max(1, len(self.source)))
        """Samples whose operands are gathered together."""
        self.bias: AnyArray | None = None
        self.exponent: AnyArray | None = None
        self.finish: Callable[..., Any]
        if isinstance(element, TermsType):
            self.weight = factors_of(op, op.weight)
            self.bias, self.exponent = integers(op.bias), integers(op.exponent)
            self.group()
            self.finish = partial(Terms, self.terms)
        elif dtype.kind == "f":
            self.weight = op.weight_values().values.astype(dtype)
            bias = None if op.bias is None else op.bias.values.astype(dtype)
            factor = None if op.exponent is None else np.ldexp(dtype.type(1), op.exponent.values.astype(np.int32))
            self.finish = partial(self.reals, bias, factor)
        else:
            self.weight = op.weight.values.astype(np.int64)
            self.finish = Exact(op, self.sums, integers(op.bias), integers(op.exponent))

    # ---- sums

    def sums(self, rows: AnyArray, place: int) -> AnyArray:
        samples = rows.shape[1]
        found = np.zeros((samples, self.targets), self.dtype)
        for first in range(0, samples, self.together):
            some = slice(first, first + self.together)
            synapses, values = self.arriving(rows[:, some], place)
            synapse, sample = np.nonzero(values)
            at = synapses[synapse]
            terms = self.weight[at]
            if values.dtype.kind != "b":
                terms = terms * values[synapse, sample].astype(self.dtype)
            # unbuffered: in the order of the synapses
            np.add.at(found[some].reshape(-1), sample * self.targets + self.target[at], terms)
        return found.reshape(samples, *self.shape)

    def arriving(self, rows: AnyArray, place: int) -> tuple[NDArray[np.intp], AnyArray]:
        """Returns the synapses with a nonzero delayed input, in their order, and the input of each.

        Shapes: rows [n, samples, sources]; values [synapses, samples].
        """
        window = (place - np.arange(self.longest + 1)) % len(rows)
        active = np.asarray(rows[window].any(axis=(0, 1)), np.bool_)
        synapses = np.flatnonzero(active[self.source])
        at = (place - self.delay[synapses]) % len(rows)
        return synapses, rows[at, :, self.source[synapses]]

    def reals(self, bias: AnyArray | None, factor: AnyArray | None, rows: AnyArray, place: int) -> AnyArray:
        y = self.sums(rows, place)
        if bias is not None:
            y += bias
        if factor is not None:
            y *= factor
        return y

    # ---- terms

    def group(self) -> None:
        """Groups synapses such that each group has one source and no target twice; a repeated synapse is in another group."""
        count = len(self.source)
        new = np.ones(count, bool)
        new[1:] = (self.source[1:] != self.source[:-1]) | (self.target[1:] != self.target[:-1])
        starts = np.flatnonzero(new)
        repeat = np.arange(count) - starts[np.cumsum(new) - 1] if count else np.zeros(0, np.intp)
        order = np.lexsort((self.target, repeat, self.source))
        self.source, self.target, self.delay = self.source[order], self.target[order], self.delay[order]
        self.weight, repeat = self.weight[order], repeat[order]
        first = np.ones(count, bool)
        first[1:] = (self.source[1:] != self.source[:-1]) | (repeat[1:] != repeat[:-1])
        self.group_of = np.cumsum(first) - 1
        self.ends = np.append(np.flatnonzero(first), count)

    def terms(self, rows: AnyArray, place: int) -> Iterator[AnyArray]:
        samples = rows.shape[1]
        synapses, values = self.arriving(rows, place)
        values = values.astype(np.int64)
        exponent = None if self.exponent is None else self.exponent.reshape(-1)
        shape = samples, *self.shape
        groups = self.group_of[synapses]
        for group in np.unique(groups[values.any(axis=1)]).tolist():
            # a group has one source, so all of its terms exist or none
            here = slice(*groups.searchsorted([group, group + 1]).tolist())
            some = slice(self.ends[group], self.ends[group + 1])
            found = np.zeros((samples, self.targets), np.int64)
            products = values[here].T * self.weight[some]
            powers = exponent if exponent is None or len(exponent) == 1 else exponent[self.target[some]]
            found[:, self.target[some]] = shift_sum(products, powers)
            yield found.reshape(shape)
        yield from last(self.bias, self.exponent, shape)


class Sparse:
    """Sparse synapses in execution on some samples."""

    def __init__(self, synapses: Synapses, samples: int):
        self.synapses = synapses
        self.samples = samples
        self.history = History(synapses.longest, samples, synapses.neurons, synapses.given)

    def block(self, *xs: AnyArray) -> Any:
        rows, first = self.history.block(xs[0].reshape(len(xs[0]), self.samples, self.synapses.neurons))
        found = [self.synapses.finish(rows, first + t) for t in range(len(xs[0]))]
        if found and isinstance(found[0], Terms):
            return TermsBlock(found)
        return np.array(found, self.synapses.dtype).reshape(len(found), self.samples, *self.synapses.shape)

    def tick(self, *xs: AnyArray) -> Any:
        return self.synapses.finish(*self.history.tick(xs[0].reshape(self.samples, self.synapses.neurons)))
