"""The geometry of a window: the taps and the targets of an event."""

from __future__ import annotations

from math import gcd

from attrs import frozen

from ....dialects import c
from ....dialects.c import memory_shape
from .synapses import taps_of


@frozen
class WindowAxis:
    """One axis of a window. Lists are indexed by the remainder of a padded position modulo the stride."""

    inputs: int
    outputs: int
    stride: int
    before: int
    step: int
    """The distance between the targets of one event."""
    counts: tuple[int, ...]
    """Taps that an event reaches."""
    back: tuple[int, ...]
    """The distance from `position / stride` back to the first target."""

    @property
    def highest(self) -> int:
        """Returns the last target of an event, inside of the result or not."""
        return (self.inputs - 1 + self.before) // self.stride


def axes_of_window(op: c.WindowOp) -> list[WindowAxis]:
    """Returns the axes of a window, in the order after the channels."""
    found: list[WindowAxis] = []
    kernel, stride, dilation, before = (
        [int(k) for k in a.values] for a in (op.kernel, op.stride, op.dilation, op.before)
    )
    for k, (n, m) in enumerate(zip(memory_shape(op.x)[1:], memory_shape(op.sums)[1:], strict=True)):
        taps = [taps_of(kernel[k], dilation[k], stride[k], rest) for rest in range(stride[k])]
        counts = tuple(len(t) for t in taps)
        back = tuple(t[-1] * dilation[k] // stride[k] if t else 0 for t in taps)
        step = dilation[k] // gcd(dilation[k], stride[k])
        found.append(WindowAxis(n, m, stride[k], before[k], step, counts, back))
    return found
