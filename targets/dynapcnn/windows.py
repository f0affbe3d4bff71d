"""Windows: the weights of an op with synapses over the map that it reads, and the kernels of a core that compute one or several of them.

    y[f, p] = sum over c and k of weights[f, c, k] x[c, p stride + k - before]

1. The kernel of a core is square, and its padding is equal on both sides. A window that is not so gets zeros around its weights, and the least padding
   with which the core computes the same positions.
2. Windows of one layer become adjacent channels of one kernel: the events of each are shifted by the channels of those before it.
3. A pool before a window becomes part of it: each weight is repeated for all elements that it adds, and the stride is multiplied.
4. An unrolled window computes all positions at once: each filter and position is a feature of one position, whose kernel covers the whole map. Its
   events count as channels of a single position for the layers after it.

Exactness: exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Ints
from ...core.ir.operation import shape_of
from ...dialects import ntensor
from .stages import Synapse

Map = tuple[int, int, int]
"""Channels, y and x."""
LARGEST_SIDE = 64
"""Largest kernel that is tried; the device refuses smaller ones."""


@frozen(eq=False)
class Window:
    """The weights of an op over the map `given`. Shapes: weights [f, c, y, x]; the others y and x."""

    weights: Ints
    given: Map
    stride: tuple[int, int] = (1, 1)
    before: tuple[int, int] = (0, 0)
    """Padding at the top and at the left."""


@frozen(eq=False)
class Kernels:
    """The kernels of a layer on a core: weights [f, c, y, x], and y and x of stride and padding."""

    weights: Ints
    given: Map
    made: Map
    stride: tuple[int, int]
    padding: tuple[int, int]
    first: tuple[int, ...]
    """The first channel of each window."""


def window_of(op: Synapse, weights: Ints | None, given: Map) -> Window:
    """Returns the window of an op. A dense layer covers its whole map at a single position; a pool has ones from each channel to itself."""
    match op:
        case ntensor.SumPool2dOp():
            channels, (y, x) = given[0], pair(op.kernel.values)
            ones = np.zeros((channels, channels, y, x), np.int64)
            ones[np.arange(channels), np.arange(channels)] = 1
            return Window(ones, given, pair(op.stride.values), before_of(op))
        case ntensor.LinearOp():
            assert weights is not None  # it has synapses
            return Window(weights.reshape(-1, *given), given)
        case _:
            assert weights is not None  # it has synapses
            step = tuple(int(n) for n in op.dilation.values)
            full = dilated(ungrouped(weights, op.groups.value.data), step)
            stride = tuple(int(n) for n in op.stride.values)
            if isinstance(op, ntensor.Conv1dOp):
                return Window(full[:, :, None], given, (1, stride[0]), (0, int(op.padding.values[0][0])))
            return Window(full, given, (stride[0], stride[1]), before_of(op))


def pair(values: Ints) -> tuple[int, int]:
    return int(values[0]), int(values[1])


def before_of(op: ntensor.Conv2dOp | ntensor.SumPool2dOp) -> tuple[int, int]:
    return int(op.padding.values[0][0]), int(op.padding.values[1][0])


def ungrouped(weights: Ints, groups: int) -> Ints:
    """Returns weights with zeros for the channels of other groups."""
    if groups == 1:
        return weights
    filters, each = weights.shape[:2]
    size = filters // groups
    full = np.zeros((filters, each * groups, *weights.shape[2:]), weights.dtype)
    for g in range(groups):
        rows, columns = slice(g * size, (g + 1) * size), slice(g * each, (g + 1) * each)
        full[rows, columns] = weights[rows]
    return full


def dilated(weights: Ints, step: Sequence[int]) -> Ints:
    """Returns weights with zeros between the taps."""
    taps = [(n - 1) * d + 1 for n, d in zip(weights.shape[2:], step, strict=True)]
    wide = np.zeros((*weights.shape[:2], *taps), weights.dtype)
    wide[(..., *(slice(None, None, d) for d in step))] = weights
    return wide


# ---- pools


def with_pool(window: Window, pool: ntensor.SumPool2dOp, made: Map) -> Window | None:
    """Returns the window over the map before a pool with windows side by side; None if it would add elements that the pool leaves."""  # 3
    source, kernel = map_before(pool), pair(pool.kernel.values)
    for axis, k in enumerate(kernel):
        end = (made[1 + axis] - 1) * window.stride[axis] + window.weights.shape[2 + axis] - window.before[axis]
        if source[1 + axis] % k and end > window.given[1 + axis]:
            return None
    y, x = kernel
    stride, before = (window.stride[0] * y, window.stride[1] * x), (window.before[0] * y, window.before[1] * x)
    return Window(repeated(window.weights, pool), source, stride, before)


def repeated(weights: Ints, pool: ntensor.SumPool2dOp) -> Ints:
    """Returns weights for all elements that a pool adds."""
    y, x = pair(pool.kernel.values)
    return weights.repeat(y, axis=2).repeat(x, axis=3)


def is_tiling(pool: ntensor.SumPool2dOp) -> bool:
    """Returns whether the windows of a pool are side by side, without padding."""
    return bool((pool.kernel.values == pool.stride.values).all()) and not pool.padding.values.any()


def map_before(pool: ntensor.SumPool2dOp) -> Map:
    c, y, x = shape_of(pool.x)
    return c, y, x


# ---- unrolling


def unrolled(window: Window, made: Map, pools: Sequence[ntensor.SumPool2dOp], *, is_flat: bool) -> Window:
    """Returns the window that computes each position as a feature. `pools`: on the path, from the source on; `is_flat`: the source has one position."""  # 4
    filters, rows, columns = made
    weights, (c, y, x) = window.weights, window.given
    wide = np.zeros((filters, rows, columns, c, y, x), weights.dtype)
    for row in range(rows):
        for column in range(columns):
            top, left = row * window.stride[0] - window.before[0], column * window.stride[1] - window.before[1]
            ys = slice(max(0, top), max(0, top + weights.shape[2]))
            xs = slice(max(0, left), max(0, left + weights.shape[3]))
            part = weights[:, :, max(0, -top) :, max(0, -left) :]
            place = wide[:, row, column, :, ys, xs]
            place[...] = part[:, :, : place.shape[2], : place.shape[3]]
    found = wide.reshape(-1, c, y, x)
    for pool in reversed(pools):
        found = repeated(found, pool)
        margin = [(0, n - m) for n, m in zip(map_before(pool), found.shape[1:], strict=True)]
        found = np.pad(found, [(0, 0), *margin])
    if is_flat:
        found = found.reshape(len(found), -1, 1, 1)
    _, c, y, x = found.shape
    return Window(found, (c, y, x))


# ---- kernels


def join(windows: Sequence[Window], made: Map) -> Kernels | None:
    """Returns the square kernel that computes windows over equal maps at the same positions; None if there is none."""  # 1, 2
    size = windows[0].given[1:]
    if any(one.given[1:] != size for one in windows):
        return None
    steps = [strides(windows, made, axis) for axis in (0, 1)]
    taps = [[(one.before[axis], one.weights.shape[2 + axis]) for one in windows] for axis in (0, 1)]
    for side in range(max(n for axis in taps for _, n in axis), LARGEST_SIDE + 1):
        found = [padding(size[axis], made[1 + axis], taps[axis], steps[axis], side) for axis in (0, 1)]
        if found[0] is not None and found[1] is not None:
            (stride_y, y), (stride_x, x) = found[0], found[1]
            return joined(windows, made, side, ((stride_y, stride_x), (y, x)))
    return None


def joined(windows: Sequence[Window], made: Map, side: int, axes: tuple[tuple[int, int], tuple[int, int]]) -> Kernels:
    """Returns windows as channels of a kernel. `axes`: y and x of the stride and of the padding."""
    parts: list[Ints] = []
    for one in windows:
        taps = one.weights.shape[2:]
        offsets = [p - b for p, b in zip(axes[1], one.before, strict=True)]
        margin = [(o, side - n - o) for o, n in zip(offsets, taps, strict=True)]
        parts.append(np.pad(one.weights, [(0, 0), (0, 0), *margin]))
    channels = [one.given[0] for one in windows]
    first = tuple(sum(channels[:k]) for k in range(len(channels)))
    given = (sum(channels), *windows[0].given[1:])
    return Kernels(np.concatenate(parts, axis=1), given, made, axes[0], axes[1], first)


def strides(windows: Sequence[Window], made: Map, axis: int) -> tuple[int, ...]:
    """Returns the possible strides of windows along an axis; a single position has any."""
    own = {one.stride[axis] for one in windows}
    if made[1 + axis] == 1:
        return (1, 2)
    return tuple(own) if len(own) == 1 else ()


def padding(
    size: int, made: int, taps: Sequence[tuple[int, int]], steps: Sequence[int], side: int
) -> tuple[int, int] | None:
    """Returns the stride and the least padding of an axis with which a kernel of `side` taps has `made` positions. `taps`: padding before and taps of each window."""
    for stride in steps:
        for p in range(max(b for b, _ in taps), side - max(n - b for b, n in taps) + 1):
            if 0 <= size + 2 * p - side - stride * (made - 1) < stride:
                return stride, p
    return None


def size_of(shape: Sequence[int]) -> Map:
    """Returns a map of a shape: of three axes, else all elements as channels."""
    if len(shape) == 3:
        return shape[0], shape[1], shape[2]
    return prod(shape), 1, 1


def row_map(shape: Sequence[int]) -> Map:
    """Returns the map of channels with one axis."""
    return shape[0], 1, shape[1]
