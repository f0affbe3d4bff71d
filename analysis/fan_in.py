"""The synapses of a population, counted and dealt out: those whose weight is not zero, in the order in which they are added.

A `Leaf` is an op that reads events (or what is no sum), with the reshapes and delays between it and the population. A `Piece` is some
of its synapses: a sparse op for a linear one, a convolution with the other weights at zero for a convolution, else the op itself.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from xdsl.ir import Attribute, Operation, SSAValue

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import AnyArray, Ints
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor


@frozen(eq=False)
class Leaf:
    """A value that is one operand of the sum in front of a population."""

    value: SSAValue
    path: tuple[Operation, ...]
    """Reshapes and delays behind it, the nearest first."""

    @property
    def op(self) -> Operation | None:
        return self.value.owner if isinstance(self.value.owner, Operation) else None

    @property
    def splits(self) -> bool:
        return isinstance(self.op, ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.ConvolutionOp)


@frozen(eq=False)
class Piece:
    """Some synapses of a leaf: the properties of the op that has them; None for the leaf as a whole."""

    leaf: Leaf
    part: int
    kind: type[Operation] | None = None
    properties: dict[str, Attribute] | None = None


def leaves(value: SSAValue, path: tuple[Operation, ...] = ()) -> list[Leaf]:
    """The operands of the sums in front of a value, from left to right."""
    op = value.owner
    if not isinstance(op, Operation) or not is_passed(op):
        return [Leaf(value, path)]
    further = path if isinstance(op, ntensor.SumOp) else (op, *path)
    return [leaf for x in op.operands for leaf in leaves(x, further)]


def is_passed(op: Operation) -> bool:
    """Whether a leaf stands in front of an op: a sum, or what only moves its result."""
    if isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp):
        return not ntensor.is_event(element_type(op.x))
    return isinstance(op, ntensor.SumOp)


def counts(leaf: Leaf) -> Ints:
    """The synapses that each neuron has from a leaf, flat."""
    if isinstance(leaf.op, ntensor.SynapseOpInterface):
        return leaf.op.count_synapses()
    return np.ones(int(np.prod(shape_of(leaf.value))), np.int64)


def pieces(leaf: Leaf, filled: Ints, most: int) -> list[Piece]:
    """Deals the synapses of a leaf out to parts of `most`; `filled` is how many synapses each neuron has already, and grows."""
    op = leaf.op
    match op:
        case ntensor.LinearOp():
            return linear_pieces(leaf, op, filled, most)
        case ntensor.SparseLinearOp():
            return sparse_pieces(leaf, op, filled, most)
        case ntensor.ConvolutionOp():
            return convolution_pieces(leaf, op, filled, most)
        case _:
            count = int(counts(leaf).max(initial=0))
            part = int(filled.max(initial=0)) // most
            if int(filled.max(initial=0)) + count > (part + 1) * most:
                part += 1
            np.copyto(filled, np.maximum(filled, part * most) + count)
            return [Piece(leaf, part)]


def linear_pieces(leaf: Leaf, op: ntensor.LinearOp, filled: Ints, most: int) -> list[Piece]:
    shape = op.weight.shape
    inputs, outputs = shape[-1], shape[-2]
    weight = op.weight.values.reshape(-1, inputs)
    row, column = np.nonzero(weight)
    first = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(weight)))])[:-1]
    part = (np.arange(len(row)) - first[row] + filled[row]) // most
    filled += np.bincount(row, minlength=len(weight))
    source, values = (row // outputs) * inputs + column, weight[row, column]
    order = np.lexsort((row, source))
    return sparse_parts(leaf, op, part[order], values[order], source[order], row[order], None, op.quantized)


def sparse_pieces(leaf: Leaf, op: ntensor.SparseLinearOp, filled: Ints, most: int) -> list[Piece]:
    kept = np.flatnonzero(op.weight.values)
    source, target = (array.values.astype(np.int64)[kept] for array in (op.source, op.target))
    order = np.argsort(target, kind="stable")
    count = np.bincount(target, minlength=len(filled))
    first = np.concatenate([[0], np.cumsum(count)])[:-1]
    rank = np.empty(len(kept), np.int64)
    rank[order] = np.arange(len(kept)) - first[target[order]]
    part = (rank + filled[target]) // most
    filled += count
    delay = None if op.delay is None else np.broadcast_to(op.delay.values, op.weight.shape)[kept]
    quantized = op.quantized
    if quantized is not None and quantized.scale.shape:
        quantized = ntensor.QuantizedAttr(quantized.bits, ArrayAttr.of(quantized.scale.values[kept]))
    return sparse_parts(leaf, op, part, op.weight.values[kept], source, target, delay, quantized)


def sparse_parts(
    leaf: Leaf,
    op: ntensor.LinearOp | ntensor.SparseLinearOp,
    part: Ints,
    weight: AnyArray,
    source: Ints,
    target: Ints,
    delay: AnyArray | None,
    quantized: ntensor.QuantizedAttr | None,
) -> list[Piece]:
    """Sorted synapses as one sparse op for each part; a bias goes with the first."""
    found: list[Piece] = []
    index = np.int32 if max(source.max(initial=0), target.max(initial=0)) < 2**31 else np.int64
    every: list[int] = np.unique(part).tolist() or [0]
    scale = None if quantized is None else quantized.scale.values
    if scale is not None and isinstance(op, ntensor.LinearOp) and scale.size > 1:
        shape = op.weight.shape
        whole = np.broadcast_to(scale, shape) if scale.shape[-1] != 1 else np.broadcast_to(scale, (*shape[:-1], 1))
        width = whole.shape[-1]
        scale = whole.reshape(-1, width)[target, 0 if width == 1 else source % shape[-1]]
    for p in every:
        chosen = part == p
        properties: dict[str, Attribute] = {
            "weight": ArrayAttr.of(weight[chosen]),
            "source": ArrayAttr.of(source[chosen].astype(index)),
            "target": ArrayAttr.of(target[chosen].astype(index)),
        }
        if delay is not None:
            properties["delay"] = ArrayAttr.of(delay[chosen])
        if quantized is not None and scale is not None:
            some = scale[chosen] if scale.size > 1 else scale.reshape(())
            properties["quantized"] = ntensor.QuantizedAttr(quantized.bits, ArrayAttr.of(some))
        properties |= {name: op.properties[name] for name in ("exponent", "plasticity") if name in op.properties}
        if op.bias is not None and p == every[0]:
            properties["bias"] = op.bias
        found.append(Piece(leaf, p, ntensor.SparseLinearOp, properties))
    return found


def convolution_pieces(leaf: Leaf, op: ntensor.ConvolutionOp, filled: Ints, most: int) -> list[Piece]:
    weight = op.weight.values
    flat = weight.reshape(len(weight), -1)
    at = filled.reshape(len(weight), -1).max(axis=1, initial=0)
    used = flat != 0
    part = np.where(used, (np.cumsum(used, axis=1) - 1 + at[:, None]) // most, -1)
    count = used.sum(axis=1)
    np.copyto(filled, np.repeat(at + count, len(filled) // max(1, len(weight))))
    found: list[Piece] = []
    every: list[int] = np.unique(part[used]).tolist() or [0]
    for p in every:
        kept = np.where(part == p, flat, 0).astype(weight.dtype).reshape(weight.shape)
        properties = dict(op.properties) | {"weight": ArrayAttr.of(kept)}
        if p != every[0]:
            properties.pop("bias", None)
        found.append(Piece(leaf, p, type(op), properties))
    return found
