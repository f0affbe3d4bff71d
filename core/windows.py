"""Window arithmetic: the positions of a kernel, and the paths through it. Convolutions and pools of all levels share it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import gcd

import numpy as np
from attrs import frozen

from .arrays.numeric import Bools, Counts, Ints


@frozen
class WindowAxis:
    """One axis of a window: sizes of operand and result, taps of the kernel, stride, padding and dilation."""

    inputs: int
    outputs: int
    taps: int
    stride: int
    before: int
    after: int
    dilation: int

    @property
    def margin(self) -> int:
        """How far before the first target an event can reach."""
        return (self.taps - 1) * self.dilation // self.stride

    @property
    def highest(self) -> int:
        """The last target that an event reaches, inside of the result or not."""
        return (self.inputs - 1 + self.before) // self.stride

    @property
    def reach(self) -> int:
        """Number of targets along the axis, including targets of events outside of the result."""
        return max(self.highest, self.outputs - 1) + self.margin + 1

    @property
    def step(self) -> int:
        """The distance between the targets of one event."""
        return self.dilation // gcd(self.dilation, self.stride)

    @property
    def counts(self) -> tuple[int, ...]:
        """Taps that an event reaches, by the remainder of its padded position and the stride."""
        return tuple(len(self.taps_of(rest)) for rest in range(self.stride))

    @property
    def back(self) -> tuple[int, ...]:
        """The distance from `position / stride` back to the first target of an event, by the same remainder."""
        taps = [self.taps_of(rest) for rest in range(self.stride)]
        return tuple(t[-1] * self.dilation // self.stride if t else 0 for t in taps)

    def seen(self, tap: int, low: int = 0, below: int | None = None) -> slice:
        """Returns the slice of padded inputs that a tap reads, one input for each target from `low` to `below`, by default for all targets."""
        start = tap * self.dilation + low * self.stride
        count = (self.outputs if below is None else below) - low
        return slice(start, start + (count - 1) * self.stride + 1, self.stride)

    def inside(self, tap: int) -> tuple[slice, slice]:
        """Returns the slice of unpadded inputs that a tap reads, and the slice of their targets."""
        shift = tap * self.dilation - self.before
        low = max(0, -(shift // self.stride))  # the first target with target * stride + shift >= 0
        below = max(low, min(self.outputs, (self.inputs - 1 - shift) // self.stride + 1))
        first = low * self.stride + shift
        return slice(first, first + (below - low) * self.stride, self.stride), slice(low, below)

    def taps_of(self, rest: int) -> list[int]:
        """Returns the taps that read a padded position with the remainder `rest` when it is divided by the stride."""
        return reached_taps(self.taps, self.dilation, self.stride, rest)


def reached_taps(taps: int, dilation: int, stride: int, rest: int) -> list[int]:
    """Returns the taps that read a padded position with the remainder `rest` when it is divided by the stride."""
    return [tap for tap in range(taps) if tap * dilation % stride == rest]


def window_axes(
    inputs: Sequence[int],
    outputs: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[Sequence[int]],
    dilation: Sequence[int],
) -> tuple[WindowAxis, WindowAxis]:
    """Returns both axes of a window. A one-dimensional window is extended by a leading axis of length 1."""
    *rest, last = (
        WindowAxis(n, m, k, s, before, after, d)
        for n, m, k, s, (before, after), d in zip(inputs, outputs, kernel, stride, padding, dilation, strict=True)
    )
    return (rest[0] if rest else WindowAxis(1, 1, 1, 1, 0, 0, 1)), last


@frozen(eq=False)
class Window:
    """The paths through a convolution or pool. Shapes: weights [outputs, inputs / groups, y, x]."""

    axes: tuple[WindowAxis, WindowAxis]
    channels: tuple[int, int]
    """Of the operand and of the result."""
    weights: Bools | None
    """Mask of non-zero weights; None for a window in which each channel reads only itself."""
    groups: int = 1

    def sizes(self) -> dict[str, int]:
        """Returns the parameters of the window that devices limit, each the maximum over both axes."""
        outputs = self.channels[1]
        return {
            "kernel": max(axis.taps for axis in self.axes),
            "stride": max(axis.stride for axis in self.axes),
            "padding": max(max(axis.before, axis.after) for axis in self.axes),
            "dilation": max(axis.dilation for axis in self.axes),
            "channels_in": self.channels[0],
            "channels_out": outputs,
            "groups": outputs if self.weights is None else self.groups,
        }

    def taps(self) -> Iterator[tuple[int, int]]:
        return product(range(self.axes[0].taps), range(self.axes[1].taps))

    def padded(self) -> tuple[Counts, Counts]:
        """Returns zeros with the shape of the padded operand, and the view of them without the padding."""
        y, x = self.axes
        whole = np.zeros((self.channels[0], y.inputs + y.before + y.after, x.inputs + x.before + x.after))
        return whole, whole[:, y.before : y.before + y.inputs, x.before : x.before + x.inputs]

    def backwards(self) -> Callable[[Counts], Counts]:
        """Returns the function that maps paths from the result to paths from the operand. Shapes: [channels, y, x]."""
        weights, groups, (y, x) = self.weights, self.groups, self.axes
        per_input = None if weights is None else count_targets(weights, groups)

        def back(n: Counts) -> Counts:
            given = n.reshape(self.channels[1], y.outputs, x.outputs)
            live = np.asarray(given.any(axis=0))
            padded, inner = self.padded()
            if not live.any():
                return inner
            rows, columns = np.flatnonzero(live.any(axis=1)), np.flatnonzero(live.any(axis=0))
            low, below = (int(rows[0]), int(columns[0])), (int(rows[-1]) + 1, int(columns[-1]) + 1)
            part = given[:, low[0] : below[0], low[1] : below[1]]
            is_same = bool((part == part[:1]).all())
            for j, i in self.taps():
                where = (slice(None), y.seen(j, low[0], below[0]), x.seen(i, low[1], below[1]))
                if weights is None:
                    padded[where] += part
                elif is_same and per_input is not None:
                    padded[where] += per_input[:, j, i, None, None] * part[0]
                else:
                    padded[where] += spread_back(weights[:, :, j, i], groups, part)
            return inner

        return back

    def forwards(self, n: Counts) -> Counts:
        """Converts paths that end at the operand to paths that end at the result. Shapes: [channels, y, x]."""
        (y, x), outputs = self.axes, self.channels[1]
        padded, inner = self.padded()
        inner[...] = n.reshape(inner.shape)
        is_same = bool((padded == padded[:1]).all())
        found = np.zeros((outputs, y.outputs, x.outputs))
        for j, i in self.taps():
            part = padded[:, y.seen(j), x.seen(i)]
            if self.weights is None:
                found += part
                continue
            weights = self.weights[:, :, j, i]
            if is_same:
                found += weights.sum(axis=1)[:, None, None] * part[0]
                continue
            by_group = weights.reshape(self.groups, -1, weights.shape[1]).astype(np.float64)
            found += (by_group @ part.reshape(self.groups, weights.shape[1], -1)).reshape(found.shape)
        return found

    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Returns flat source, flat target and weight index of every synapse; in a pool, the index of the tap."""
        y, x = self.axes
        inputs, outputs = self.channels
        at_x = np.arange(inputs * y.inputs * x.inputs).reshape(inputs, y.inputs, x.inputs)
        at_y = np.arange(outputs * y.outputs * x.outputs).reshape(outputs, y.outputs, x.outputs)
        groups = outputs if self.weights is None else self.groups
        shape = (outputs, inputs // groups, y.taps, x.taps)
        place = np.arange(y.taps * x.taps) if self.weights is None else np.arange(self.weights.size)
        place = np.broadcast_to(
            place.reshape(-1, 1, y.taps, x.taps) if self.weights is None else place.reshape(shape), shape
        )
        channel = np.arange(outputs)[:, None] // (outputs // groups) * (inputs // groups) + np.arange(inputs // groups)
        found: list[tuple[Ints, Ints, Ints]] = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))]
        for j, i in self.taps():
            (read_y, into_y), (read_x, into_x) = y.inside(j), x.inside(i)
            if into_y.start == into_y.stop or into_x.start == into_x.stop:
                continue
            source = at_x[:, read_y, read_x].reshape(inputs, -1)[channel]  # [outputs, inputs / groups, places]
            target = np.broadcast_to(at_y[:, into_y, into_x].reshape(outputs, 1, -1), source.shape)
            places = np.broadcast_to(place[:, :, j, i, None], source.shape)
            found.append((source.reshape(-1), target.reshape(-1), places.reshape(-1)))
        source, target, places = (np.concatenate(part) for part in zip(*found, strict=True))
        return source, target, places


def largest_sizes(windows: Iterable[Window]) -> dict[str, int]:
    """Returns the maximum over all windows of each parameter that devices limit; empty without a window."""
    found: dict[str, int] = {}
    for window in windows:
        found |= {name: max(n, found.get(name, 0)) for name, n in window.sizes().items()}
    return found


def count_targets(weights: Bools, groups: int) -> Counts:
    """Returns the number of outputs that each input reaches through each tap. Shapes: result [inputs, y, x]."""
    counts = weights.reshape(groups, -1, *weights.shape[1:]).sum(axis=1)
    return counts.reshape(-1, *weights.shape[2:]).astype(np.float64)


def spread_back(weights: Bools, groups: int, part: Counts) -> Counts:
    """Returns the paths over one tap. Shapes: weights [outputs, inputs / groups], part [outputs, y, x], result [inputs, y, x]."""
    outputs, inputs = len(weights) // groups, weights.shape[1]
    to_inputs = weights.reshape(groups, outputs, inputs).swapaxes(1, 2).astype(np.float64)
    return (to_inputs @ part.reshape(groups, outputs, -1)).reshape(groups * inputs, *part.shape[1:])


def window_outputs(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[Sequence[int]],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """Returns the positions of a window over each axis: `floor((n + before + after - d (k - 1) - 1) / s) + 1`.

    The number is not positive if the kernel is larger than the padded axis.
    """
    return tuple(
        (n + before + after - d * (k - 1) - 1) // s + 1
        for n, k, s, (before, after), d in zip(sizes, kernel, stride, padding, dilation, strict=True)
    )


def transposed_outputs(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[Sequence[int]],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """Returns the sizes of the result of a transposed window: `(n - 1) s + d (k - 1) + 1 - before - after`."""
    return tuple(
        (n - 1) * s + d * (k - 1) + 1 - before - after
        for n, k, s, (before, after), d in zip(sizes, kernel, stride, padding, dilation, strict=True)
    )


def same_padding(kernel: Sequence[int], dilation: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Returns the zero padding before and after each axis for an unchanged size at stride 1; an odd zero goes to the end."""
    missing = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
    return tuple((n // 2, n - n // 2) for n in missing)
