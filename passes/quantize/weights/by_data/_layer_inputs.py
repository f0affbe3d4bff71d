"""Inputs of synapse ops as rows of numbers, and their second moments, from runs of the network with samples.

| op | a block of weights | its inputs |
| --- | --- | --- |
| linear [..., o, i] | o rows of i weights, for each leading index | the i elements of x |
| conv [c', c / groups, k] | the c' / groups kernels of a group | each window of its channels, with zeros in the padding |
| sparse_linear | the targets with the same sources | these sources |

Dense ops of equal rows whose results only one sum adds are one layer, with their inputs joined, so that one op compensates errors of another.
Other ops have no blocks: a weight of `scale` meets no other weight, and kernels of transposed convolutions, or of synapses with different delays,
meet their inputs at several places or times.

A neuron adds its inputs over its time constants. With `decays` of it the inputs are filtered, `f(t) = decay f(t - 1) + x(t)`, so that the errors of
the potential count, and not those of a tick.

A layer can correct the errors of the layers before it. With the inputs x' after these and the inputs x of the network in reals, the sums W x are nearest to
W' x' for W' = W E[x x'^T] H^-1, where H = E[x' x'^T] (`corrections_of`). W' is rounded in place of W, with the same moments H.
Source: the normal equations of a least squares fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation, SSAValue

from .....analysis.weight_lines import Weighted, weight_of
from .....core.arrays.arrays import ArrayAttr
from .....core.arrays.numeric import AnyArray, Ints, Reals
from .....core.ir.operation import shape_of
from .....dialects import ntensor
from .....simulation.recorded_run import RecordedRun
from ._gptq import Moments

MOST_INPUTS = 4096
"""Most inputs of a block, whose moments are a square matrix."""
MOST_BLOCK_NUMBERS = 2**27
"""Most numbers of all matrices of moments of a layer."""
BATCH_NUMBERS = 2**22
"""Numbers of rows of inputs that are held at a time."""

NO_BLOCKS: Mapping[type[Operation], str] = {
    ntensor.ScaleOp: "one input for each weight",
    ntensor.ConvTranspose2dOp: "transposed convolution",
}
"""Ops without blocks of inputs, and the reason in a record."""

DECAYS = ("decay", "decay_i")
"""Canonical parameters by which the states of a neuron decay in a tick."""


@frozen(eq=False)
class WeightBlock:
    """Weights that share their inputs. Shapes: weights [rows, inputs], lines [rows]."""

    weights: Ints
    """The flat place of each weight in the weights of its op, or of all ops of the layer, one after the other."""
    lines: Ints
    """The line of each row, as `weight_lines.rows` numbers it."""
    matrix: int
    """The matrix of moments."""
    columns: Ints | None = None
    """Rows and columns of this matrix; None: all."""


@frozen(eq=False)
class WeightLayer:
    """Ops whose weights are rounded together, and the blocks of their weights."""

    ops: Sequence[Weighted]
    blocks: Sequence[WeightBlock]
    inputs: int
    """Inputs of a matrix of moments."""
    matrices: int = 1


def layers_of(ops: Sequence[Weighted]) -> list[WeightLayer]:
    """Returns the layers of ops that share scales. An op without blocks is in none of them."""
    joined = joined_layer(ops)
    if joined is not None:
        return [joined]
    found = (layer_of(op) for op in ops)
    return [layer for layer in found if layer is not None and is_feasible(layer)]


def is_feasible(layer: WeightLayer) -> bool:
    return layer.inputs <= MOST_INPUTS and layer.matrices * layer.inputs**2 <= MOST_BLOCK_NUMBERS


def missing_blocks(op: Weighted) -> str | None:
    """Returns the reason why an op is in no layer of its own; None for an op with blocks."""
    layer = layer_of(op)
    if layer is not None and layer.inputs > MOST_INPUTS:
        return f"{layer.inputs} inputs, more than {MOST_INPUTS}"
    if layer is not None:
        return None if is_feasible(layer) else "too many inputs"
    return NO_BLOCKS.get(type(op), "unequal delays")


def layer_of(op: Weighted) -> WeightLayer | None:
    """Returns the layer of one op; None if it has no blocks."""
    weight = weight_of(op)
    places = np.arange(weight.data.size)
    if isinstance(op, ntensor.LinearOp):
        outputs, inputs = weight.shape[-2:]
        groups = places.reshape(-1, outputs, inputs)
    elif isinstance(op, ntensor.Conv1dOp | ntensor.Conv2dOp):
        count = op.groups.value.data
        groups = places.reshape(count, weight.shape[0] // count, prod(weight.shape[1:]))
    elif isinstance(op, ntensor.SparseLinearOp):
        return sparse_layer(op)
    else:
        return None
    rows = groups.shape[1]
    blocks = [WeightBlock(group, np.arange(rows) + k * rows, k) for k, group in enumerate(groups)]
    return WeightLayer([op], blocks, groups.shape[2], len(groups))


def sparse_layer(op: ntensor.SparseLinearOp) -> WeightLayer | None:
    delays = op.delays
    if delays is not None and delays.values.size and (delays.values != delays.values.flat[0]).any():
        return None
    source, target, place = (np.asarray(part) for part in op.pairs())
    order = np.lexsort((place, source, target))
    source, target, place = source[order], target[order], place[order]
    starts = np.flatnonzero(np.diff(target, prepend=-1))
    members: dict[bytes, list[int]] = {}
    ends = np.append(starts[1:], len(target))
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        members.setdefault(source[start:end].tobytes(), []).append(k)
    used = np.unique(source)  # moments of these alone
    blocks: list[WeightBlock] = []
    for same in members.values():
        columns = np.searchsorted(used, source[starts[same[0]] : ends[same[0]]])
        weights = np.stack([place[starts[k] : ends[k]] for k in same])
        blocks.append(WeightBlock(weights, target[starts[same]], 0, columns))
    return WeightLayer([op], blocks, len(used))


def joined_layer(ops: Sequence[Weighted]) -> WeightLayer | None:
    """Returns one layer of several dense ops; None if their results do not meet in one sum alone, or their rows differ."""
    readers = {use.operation for op in ops for use in op.y.uses}
    is_dense = all(isinstance(op, ntensor.LinearOp) and len(weight_of(op).shape) == 2 for op in ops)
    if len(ops) < 2 or not is_dense or len(readers) > 1 or len({weight_of(op).shape[0] for op in ops}) > 1:
        return None
    if not all(isinstance(reader, ntensor.SumOp) for reader in readers):
        return None
    starts = np.cumsum([0, *(weight_of(op).data.size for op in ops)])
    places = [
        start + np.arange(weight_of(op).data.size).reshape(weight_of(op).shape)
        for start, op in zip(starts, ops, strict=False)
    ]
    weights = np.concatenate(places, axis=1)
    layer = WeightLayer(ops, [WeightBlock(weights, np.arange(len(weights)), 0)], weights.shape[1])
    return layer if is_feasible(layer) else None


# ---- rows of inputs


def input_rows(op: Weighted, x: Reals) -> Reals:
    """Returns the inputs of each matrix of moments of an op, for each sum that it computes. Shapes: [samples, ticks, *shape] => [matrices, n, inputs]."""
    if isinstance(op, ntensor.Conv1dOp | ntensor.Conv2dOp):
        return windows_of(op, x)
    if isinstance(op, ntensor.SparseLinearOp):
        used = np.unique(op.pairs()[0])
        return x.reshape(1, x.shape[0] * x.shape[1], -1)[:, :, used]
    inputs = weight_of(op).shape[-1]
    each = x.reshape(x.shape[0] * x.shape[1], -1, inputs)
    return each.transpose(1, 0, 2)


def windows_of(op: ntensor.Conv1dOp | ntensor.Conv2dOp, x: Reals) -> Reals:
    """Returns the windows of a convolution, for each group of channels. Shapes: [samples, ticks, *shape] => [groups, n, inputs]."""
    rows, columns = op.axes()
    groups, inputs = op.groups.value.data, weight_of(op).shape[1]
    frames = x.shape[0] * x.shape[1]
    maps = x.reshape(frames, groups, inputs, rows.inputs, columns.inputs)
    found = np.zeros((groups, frames, rows.outputs, columns.outputs, inputs, rows.taps, columns.taps))
    for j, i in np.ndindex(rows.taps, columns.taps):
        (row_seen, row_at), (column_seen, column_at) = rows.inside(j), columns.inside(i)
        seen = maps[:, :, :, row_seen, column_seen]
        found[:, :, row_at, column_at, :, j, i] = seen.transpose(1, 0, 3, 4, 2)
    return found.reshape(groups, -1, inputs * rows.taps * columns.taps)


def filtered(x: AnyArray, decays: Sequence[float]) -> Reals:
    """Returns inputs after low-pass filters in a row. Shapes: [samples, ticks, *shape]."""
    found = x.astype(np.float64)
    for decay in decays:
        for tick in range(1, found.shape[1]):
            found[:, tick] += decay * found[:, tick - 1]
    return found


def decays_of(op: Weighted) -> list[float]:
    """Returns the mean decays of the first population that reads the result of an op; none if no population does, or it does not decay."""
    population = next(readers_of(op), None)
    if population is None or population.canonical is None:
        return []
    entries = population.canonical.data
    found = [entries[name] for name in DECAYS if name in entries]
    means = [float(array.values.astype(np.float64).mean()) for array in found if isinstance(array, ArrayAttr)]
    return [mean for mean in means if 0 < mean <= 1]


def readers_of(op: Operation) -> Iterator[ntensor.NeuronOp]:
    """Yields the populations that read the results of an op, directly or through ops without a state."""
    seen, work = set[Operation](), [op]
    while work:
        for use in [use for value in work.pop(0).results for use in value.uses]:
            if use.operation in seen:
                continue
            seen.add(use.operation)
            if isinstance(use.operation, ntensor.NeuronOp):
                yield use.operation
            else:
                work.append(use.operation)


def paths_to_readers(op: Operation) -> set[Operation]:
    """Returns an op, the populations that read it, and the ops between them."""
    seen, work = {op}, [op]
    while work:
        for use in [use for value in work.pop().results for use in value.uses]:
            if use.operation not in seen:
                seen.add(use.operation)
                if not isinstance(use.operation, ntensor.NeuronOp):
                    work.append(use.operation)
    return {found for found in seen if found.results}


# ---- moments


def moments_of(
    layer: WeightLayer, run: RecordedRun, twin: Callable[[Operation], Operation], decays: Sequence[float]
) -> list[Moments]:
    """Returns the second moments of the inputs of each block, over all samples and ticks of a run.

    `twin` maps an op of the layer to that of the network that runs.
    """
    values = [twin(op).operands[0] for op in layer.ops]
    totals, count = np.zeros((layer.matrices, layer.inputs, layer.inputs)), 0
    for first in range(0, run.samples, step := batch_of(layer, run)):
        rows = joined_rows(layer, run, values, slice(first, first + step), decays)
        totals += np.matmul(rows.transpose(0, 2, 1), rows)
        count += rows.shape[1]
    return [Moments(each) for each in of_blocks(layer, totals / max(1, count))]


def corrections_of(
    layer: WeightLayer,
    moments: Sequence[Moments],
    run: RecordedRun,
    reals: RecordedRun,
    twin: Callable[[Operation], Operation],
    decays: Sequence[float],
) -> list[Reals]:
    """Returns for each block the matrix M with which the sums of W M on the inputs of `run` are nearest to those of W in `reals`.

    With damped moments M lies between this matrix and 1, and it is 1 where both runs have the same inputs. Shapes: each [inputs, inputs].
    """
    pairs = ((run, [twin(op).operands[0] for op in layer.ops]), (reals, [op.operands[0] for op in layer.ops]))
    totals, count = np.zeros((layer.matrices, layer.inputs, layer.inputs)), 0
    for first in range(0, run.samples, step := batch_of(layer, run)):
        samples = slice(first, first + step)
        rows, wanted = (joined_rows(layer, each, values, samples, decays) for each, values in pairs)
        totals += np.matmul((wanted - rows).transpose(0, 2, 1), rows)
        count += rows.shape[1]
    changes = of_blocks(layer, totals / max(1, count))
    return [
        np.eye(len(change)) + np.linalg.solve(each.damped, change.T).T
        for each, change in zip(moments, changes, strict=True)
    ]


def joined_rows(
    layer: WeightLayer, run: RecordedRun, values: Sequence[SSAValue], samples: slice, decays: Sequence[float]
) -> Reals:
    """Returns the inputs of all ops of a layer, whose operands are `values`. Shapes: [matrices, n, inputs]."""
    found = run.values(values, samples)
    parts = [input_rows(op, filtered(found[value], decays)) for op, value in zip(layer.ops, values, strict=True)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=2)


def of_blocks(layer: WeightLayer, totals: Reals) -> list[Reals]:
    """Returns the matrix of each block."""
    matrices = [totals[block.matrix] for block in layer.blocks]
    return [
        matrix if block.columns is None else matrix[np.ix_(block.columns, block.columns)]
        for block, matrix in zip(layer.blocks, matrices, strict=True)
    ]


def batch_of(layer: WeightLayer, run: RecordedRun) -> int:
    """Returns the samples whose rows of inputs are held at a time."""
    sums = max(prod(shape_of(op.y)) // max(1, weight_of(op).shape[0]) for op in layer.ops)
    is_window = any(isinstance(op, ntensor.Conv1dOp | ntensor.Conv2dOp) for op in layer.ops)
    numbers = run.ticks * max(
        layer.matrices * layer.inputs * (sums if is_window else 1), *(prod(shape_of(op.x)) for op in layer.ops)
    )
    return max(1, BATCH_NUMBERS // max(1, numbers))
