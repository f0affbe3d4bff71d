"""Fan-in of a population: its synapses with a weight that is not zero, counted and distributed in the order in which they are added.

A `Leaf` is an op that is not a sum, with the reshapes and delays between it and the population. A `Piece` is some of its synapses: a
sparse op, or an op of the same kind with the other weights at zero if weights are shared, else the op itself.

A synapse is a path from the spike of one neuron. A weight that reads a pool is as many synapses as the pool adds neurons, and all of them
belong to the same piece.
"""

from __future__ import annotations

from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Attribute, Operation, SSAValue

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import Counts, Ints
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor
from ..dialects.chip_base.chains import count_forwards


@frozen(eq=False)
class Leaf:
    """An operand of the sum that a population reads."""

    value: SSAValue
    path: tuple[Operation, ...]
    """Reshapes and delays downstream of it, the nearest first."""

    @property
    def op(self) -> Operation | None:
        return self.value.owner if isinstance(self.value.owner, Operation) else None

    @property
    def can_split(self) -> bool:
        return isinstance(self.op, ntensor.SynapseOpInterface) and self.op.can_split

    @property
    def multiplicity(self) -> int:
        """The greatest number of synapses that share one weight."""
        op = self.op
        return int(paths_to(op.x).max(initial=1)) if isinstance(op, ntensor.SynapseOpInterface) else 1


@frozen(eq=False)
class Piece:
    """Some synapses of a leaf: the properties of the op that has them; None for the leaf as a whole."""

    leaf: Leaf
    part: int
    kind: type[Operation] | None = None
    properties: dict[str, Attribute] | None = None


def leaves(value: SSAValue, path: tuple[Operation, ...] = ()) -> list[Leaf]:
    """Returns the operands of the sums that produce a value, from left to right."""
    op = value.owner
    if not isinstance(op, Operation) or not is_passed(op):
        return [Leaf(value, path)]
    further = path if isinstance(op, ntensor.SumOp) else (op, *path)
    return [leaf for x in op.operands for leaf in leaves(x, further)]


def is_passed(op: Operation) -> bool:
    """Returns whether an op adds its operands, or only moves or delays values."""
    if isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp):
        return not ntensor.is_event(element_type(op.x))
    return isinstance(op, ntensor.SumOp)


def paths_to(value: SSAValue) -> Counts:
    """Returns the paths that end at each element of a value, from the outputs of populations and the inputs of the network."""
    op = value.owner
    if isinstance(op, ntensor.SumOp):
        return sum((paths_to(x) for x in op.xs), np.zeros(shape_of(value)))
    if isinstance(op, ntensor.SynapseOpInterface | ntensor.ReshapeOp | ntensor.DelayOp):
        return count_forwards(op, paths_to(op.x))
    return np.ones(shape_of(value))


def counts(leaf: Leaf) -> Ints:
    """Returns the synapses that each neuron has from a leaf, flat."""
    op = leaf.op
    if not isinstance(op, ntensor.SynapseOpInterface):
        return np.ones(prod(shape_of(leaf.value)), np.int64)
    if leaf.multiplicity == 1:
        return op.count_synapses()
    return paths_to(leaf.value).round().astype(np.int64).reshape(-1)


def fan_in_of(value: SSAValue) -> Ints:
    """Returns the synapses of each neuron that reads a value as its input, flat."""
    return sum((counts(leaf) for leaf in leaves(value)), np.zeros(prod(shape_of(value)), np.int64))


def deal_synapses(leaf: Leaf, filled: Ints, most: int) -> list[Piece]:
    """Deals the synapses of a leaf out to parts of `most`; `filled` is the number of synapses that each neuron has already, and grows.

    A weight has no more than `most` synapses.
    """
    op = leaf.op
    if isinstance(op, ntensor.SynapseOpInterface) and op.can_split:
        return (shared_pieces if op.SHARES_WEIGHTS else sparse_pieces)(leaf, op, filled, most)
    count = int(counts(leaf).max(initial=0))
    part = int(filled.max(initial=0)) // most
    if int(filled.max(initial=0)) + count > (part + 1) * most:
        part += 1
    np.copyto(filled, np.maximum(filled, part * most) + count)
    return [Piece(leaf, part)]


@frozen
class Deal:
    """The parts of weights that have `each` synapses at most."""

    each: int
    most: int

    @property
    def room(self) -> int:
        """The weights of a part."""
        return self.most // self.each

    def start(self, filled: Ints) -> Ints:
        """Returns the place of the next weight of each neuron, counted in weights."""
        return -(-filled // self.each)

    def end(self, filled: Ints, weights: Ints) -> Ints:
        """Returns the number of synapses of each neuron after some weights are added; free places in earlier parts count as used."""
        last = self.start(filled) + weights - 1
        return np.where(weights > 0, last // self.room * self.most + (last % self.room + 1) * self.each, filled)


def sparse_pieces(leaf: Leaf, op: ntensor.SynapseOpInterface, filled: Ints, most: int) -> list[Piece]:
    """Deals single synapses out, in the order of their sources; a bias goes with the first part."""
    source, target, place = op.used_pairs()
    order = np.lexsort((target, source))
    source, target, place = source[order], target[order], place[order]
    by_target = np.argsort(target, kind="stable")
    count = np.bincount(target, minlength=len(filled))
    first = np.concatenate([[0], np.cumsum(count)])[:-1]
    rank = np.empty(len(target), np.int64)
    rank[by_target] = np.arange(len(target)) - first[target[by_target]]
    deal = Deal(leaf.multiplicity, most)
    part = (rank + deal.start(filled)[target]) // deal.room
    np.copyto(filled, deal.end(filled, count))
    found: list[Piece] = []
    every: list[int] = np.unique(part).tolist() or [0]
    for p in every:
        chosen = part == p
        bias = op.optional_array("bias") if p == every[0] else None
        properties = op.sparse_properties(source[chosen], target[chosen], place[chosen], bias)
        found.append(Piece(leaf, p, ntensor.SparseLinearOp, properties))
    return found


def shared_pieces(leaf: Leaf, op: ntensor.SynapseOpInterface, filled: Ints, most: int) -> list[Piece]:
    """Divides weights that several results share among ops of the same kind; in each, the other weights are zero."""
    assert op.weights is not None  # can_split
    assert op.WEIGHTS is not None
    weight, steps = op.weights.values, op.weight_steps().values
    flat, zero = (values.reshape(len(weight), -1) for values in (weight, weight - steps))
    at = filled.reshape(len(weight), -1).max(axis=1, initial=0)
    used = flat != zero
    deal = Deal(leaf.multiplicity, most)
    part = np.where(used, (np.cumsum(used, axis=1) - 1 + deal.start(at)[:, None]) // deal.room, -1)
    count = used.sum(axis=1)
    np.copyto(filled, np.repeat(deal.end(at, count), len(filled) // max(1, len(weight))))
    found: list[Piece] = []
    every: list[int] = np.unique(part[used]).tolist() or [0]
    for p in every:
        kept = np.where(part == p, flat, zero).astype(weight.dtype).reshape(weight.shape)
        properties = dict(op.properties) | {op.WEIGHTS: ArrayAttr.of(kept)}
        if p != every[0]:
            properties.pop("bias", None)
        found.append(Piece(leaf, p, type(op), properties))
    return found
