"""Relations between the axes of signals: axes with the same neurons, and the entries of results that remain if some operand entries are kept.

| ops | relation |
| --- | --- |
| neurons, sums, delays, scales | all axes of operands and result are equal |
| dense synapses | the leading axes are equal; the last ones are axes of the weights |
| convolutions | channels are axes of the weights, equal if each channel has a kernel of its own; sizes follow from the window |
| pools | channels are equal; sizes follow from the window |
| flattened axes, reshapes | an axis keeps the products of the entries that its parts keep |
| sparse synapses | the synapses between neurons that are kept |

Any other op keeps all entries of its signals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.ir.operation import shape_of
from ...core.windows import window_outputs
from ...dialects import nir, ntensor
from .search import Conflict

Axis = tuple[SSAValue, int]
Keep = Callable[[Axis], Ints]
"""Returns the entries that an axis keeps."""
Pairs = Iterator[tuple[Axis, Axis]]

DENSE = (nir.WeightedOp, ntensor.LinearOp)
CONVOLUTIONS = (nir.ConvolutionOp, ntensor.ConvolutionOp)
POOLS = (nir.PoolOp, nir.MaxPool2dOp, ntensor.PoolOp, ntensor.MaxPool2dOp)
RESHAPES = (nir.FlattenOp, ntensor.ReshapeOp)
CARRIERS = (nir.PopulationOp, nir.SumOp, nir.IdentityOp, nir.DelayOp, nir.ScaleOp)
ELEMENTWISE = (*CARRIERS, ntensor.NeuronOp, ntensor.SumOp, ntensor.DelayOp, ntensor.ScaleOp)


def axes_of(value: SSAValue) -> list[Axis]:
    return [(value, k) for k in range(len(shape_of(value)))]


def equal_axes(op: Operation) -> Pairs:
    """Yields pairs of axes of an op whose entries are the same neurons."""
    if isinstance(op, ELEMENTWISE):
        first, *others = [*op.operands, *op.results]
        yield from (pair for other in others for pair in zip(axes_of(first), axes_of(other), strict=True))
    elif isinstance(op, DENSE):
        yield from zip(axes_of(op.x)[:-1], axes_of(op.y)[:-1], strict=True)
    elif isinstance(op, POOLS) or (isinstance(op, CONVOLUTIONS) and is_depthwise(op)):
        yield (op.x, 0), (op.y, 0)
    elif isinstance(op, RESHAPES):
        for xs, ys in groups(shape_of(op.x), shape_of(op.y)):
            if len(xs) == len(ys) == 1:
                yield (op.x, xs[0]), (op.y, ys[0])


def derived_axes(op: Operation, keep: Keep) -> Iterator[tuple[Axis, Ints]]:
    """Yields axes of the result with their kept entries, derived from the kept entries of the operand. Raises `Conflict` if no entry remains."""
    if isinstance(op, RESHAPES):
        yield from reshaped(op, keep)
    elif isinstance(op, (*CONVOLUTIONS, *POOLS)):
        sizes = [len(keep((op.x, k))) for k in range(1, len(shape_of(op.x)))]
        for k, size in enumerate(window_sizes(op, sizes), 1):
            if not 1 <= size <= shape_of(op.y)[k]:
                raise Conflict
            yield (op.y, k), np.arange(size)


def reshaped(op: nir.FlattenOp | ntensor.ReshapeOp, keep: Keep) -> Iterator[tuple[Axis, Ints]]:
    for xs, ys in groups(shape_of(op.x), shape_of(op.y)):
        parts, whole, flat = (xs, op.x, (op.y, ys[0])) if len(ys) == 1 else (ys, op.y, (op.x, xs[0]))
        if len(xs) == 1 or len(ys) == 1:
            sizes = tuple(shape_of(whole)[k] for k in parts)
            index = np.ix_(*(keep((whole, k)) for k in parts))
            yield flat, np.arange(prod(sizes)).reshape(sizes)[index].reshape(-1)


def groups(x: tuple[int, ...], y: tuple[int, ...]) -> list[tuple[list[int], list[int]]]:
    """Returns the shortest runs of axes with the same number of elements in both shapes.

    groups((2, 3, 4), (6, 4)) == [([0, 1], [0]), ([2], [1])]
    """
    found: list[tuple[list[int], list[int]]] = []
    xs, ys = list[int](), list[int]()
    i = j = 0
    while i < len(x) or j < len(y):
        left, right = prod(x[k] for k in xs), prod(y[k] for k in ys)
        if i < len(x) and (left <= right or j == len(y)):
            xs.append(i)
            i += 1
        else:
            ys.append(j)
            j += 1
        if xs and ys and prod(x[k] for k in xs) == prod(y[k] for k in ys):
            found.append((xs, ys))
            xs, ys = list[int](), list[int]()
    if found:
        found[-1][0].extend(xs)
        found[-1][1].extend(ys)
    return found


# ---- windows


def is_depthwise(op: nir.ConvolutionOp | ntensor.ConvolutionOp) -> bool:
    """Returns whether a convolution is depthwise: each input channel has one kernel and one output channel."""
    return op.weight.shape[1] == 1 and op.weight.shape[0] == shape_of(op.x)[0] == group_count(op) > 1


def group_count(op: nir.ConvolutionOp | ntensor.ConvolutionOp) -> int:
    return nir.integers(op.groups, 1)[0] if isinstance(op, nir.ConvolutionOp) else op.groups.value.data


def window_sizes(op: Operation, sizes: list[int]) -> tuple[int, ...]:
    """Returns the result sizes of a convolution or pool for the given operand sizes."""
    rank = len(sizes)
    match op:
        case nir.ConvolutionOp():
            kernel, padding = op.weight.shape[2:], op.padding_pairs()
            stride, dilation = nir.integers(op.stride, rank), nir.integers(op.dilation, rank)
        case ntensor.ConvolutionOp():
            kernel, padding = op.weight.shape[2:], op.padding.values.tolist()
            stride, dilation = op.stride.values.tolist(), op.dilation.values.tolist()
        case nir.PoolOp() | nir.MaxPool2dOp():
            kernel, stride = nir.integers(op.kernel_size, rank), nir.integers(op.stride, rank)
            padding, dilation = [(n, n) for n in nir.integers(op.padding, rank)], (1,) * rank
        case ntensor.PoolOp() | ntensor.MaxPool2dOp():
            kernel, stride = op.kernel.values.tolist(), op.stride.values.tolist()
            padding, dilation = op.padding.values.tolist(), (1,) * rank
        case _:
            raise Conflict
    return window_outputs(sizes, kernel, stride, padding, dilation)


# ---- parameters


@frozen
class Slices:
    """Shapes of parameters, and the kept entries of each of their axes."""

    shapes: tuple[tuple[tuple[int, ...], list[Ints]], ...]

    def attribute(self, given: Attribute) -> Attribute:
        """Returns an attribute whose arrays contain only the kept entries; axes of size 1 are unchanged."""
        match given:
            case ArrayAttr():
                return self.array(given)
            case DictionaryAttr():
                return DictionaryAttr({name: self.attribute(entry) for name, entry in given.data.items()})
            case ParametrizedAttribute() if any(isinstance(one, ArrayAttr) for one in given.parameters):
                return type(given).new([self.attribute(one) for one in given.parameters])
            case _:
                return given

    def array(self, given: ArrayAttr) -> ArrayAttr:
        for shape, kept in self.shapes:
            if given.shape and len(given.shape) == len(shape) and fits(given.shape, shape):
                index = [
                    one if size == whole else np.arange(1)
                    for one, size, whole in zip(kept, given.shape, shape, strict=True)
                ]
                return ArrayAttr.of(np.ascontiguousarray(given.values[np.ix_(*index)]))
        return given


def fits(found: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return all(size in (1, whole) for size, whole in zip(found, shape, strict=True))


def sliced_properties(op: Operation, keep: Keep) -> Mapping[str, Attribute]:
    """Returns the properties of an op, restricted to the kept entries of its signals. Raises `Conflict` if the op requires all entries."""

    def entries(value: SSAValue) -> list[Ints]:
        return [keep(axis) for axis in axes_of(value)]

    match op:
        case ntensor.SparseLinearOp():
            return sparse_properties(op, keep)
        case nir.ConvolutionOp() | ntensor.ConvolutionOp():
            return convolution_properties(op, entries)
        case _ if isinstance(op, DENSE):
            x, y = entries(op.x), entries(op.y)
            weight = op.properties["weight"]
            assert isinstance(weight, ArrayAttr)
            shapes = ((weight.shape, [*y, x[-1]]), (shape_of(op.y), y))
            slices = Slices(shapes)
        case _ if isinstance(op, ELEMENTWISE):
            slices = Slices(((shape_of(op.results[0]), entries(op.results[0])),))
        case _ if isinstance(op, (*POOLS, *RESHAPES)):
            return op.properties
        case _:
            if any(
                len(keep(axis)) != shape_of(axis[0])[axis[1]]
                for v in (*op.operands, *op.results)
                for axis in axes_of(v)
            ):
                raise Conflict
            return op.properties
    return {name: slices.attribute(value) for name, value in op.properties.items()}


def sparse_properties(op: ntensor.SparseLinearOp, keep: Keep) -> Mapping[str, Attribute]:
    places: list[Ints] = []
    for value in (op.x, op.y):
        shape = shape_of(value)
        kept = np.arange(prod(shape)).reshape(shape)[np.ix_(*(keep(axis) for axis in axes_of(value)))].reshape(-1)
        place = np.full(prod(shape), -1)
        place[kept] = np.arange(len(kept))
        places.append(place)
    source, target = places[0][op.source.values], places[1][op.target.values]
    used = np.flatnonzero((source >= 0) & (target >= 0))
    slices = Slices(((op.weight.shape, [used]), (shape_of(op.y), [keep(axis) for axis in axes_of(op.y)])))
    found = {name: slices.attribute(value) for name, value in op.properties.items()}
    index = {"source": source[used], "target": target[used]}
    dtype = op.source.data.dtype
    return found | {name: ArrayAttr.of(values.astype(dtype)) for name, values in index.items()}


def convolution_properties(
    op: nir.ConvolutionOp | ntensor.ConvolutionOp, entries: Callable[[SSAValue], list[Ints]]
) -> Mapping[str, Attribute]:
    x, y, shape = entries(op.x), entries(op.y), op.weight.shape
    kernel = [np.arange(size) for size in shape[2:]]
    count = group_count(op)
    if count == 1:
        weight = [y[0], x[0], *kernel]
    elif is_depthwise(op):
        weight, count = [y[0], np.arange(1), *kernel], len(y[0])
    elif len(x[0]) == shape_of(op.x)[0] and len(y[0]) == shape_of(op.y)[0]:
        weight = [y[0], np.arange(shape[1]), *kernel]
    else:
        raise Conflict
    slices = Slices(((shape, weight), (shape[:1], y[:1])))
    sizes = ("stride", "padding", "dilation", "groups", "input_shape")
    found = {name: value if name in sizes else slices.attribute(value) for name, value in op.properties.items()}
    if count != group_count(op):
        found["groups"] = with_number(op.properties["groups"], count)
    if isinstance(op, nir.ConvolutionOp) and op.input_shape is not None:
        lengths = np.array([len(one) for one in x[1:]]).reshape(-1)
        given = op.input_shape
        found["input_shape"] = ArrayAttr.of(np.resize(lengths, given.shape).astype(given.data.dtype))
    return found


def with_number(given: Attribute, number: int) -> Attribute:
    """Replaces the number in an attribute of one number, and returns the attribute."""
    if isinstance(given, ArrayAttr):
        return ArrayAttr.of(np.full(given.shape, number, given.data.dtype))
    return IntegerAttr(number, i64)
