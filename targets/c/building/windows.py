"""The geometry of a window: the taps and the targets of an event."""

from __future__ import annotations

from ....core.windows import WindowAxis
from ....dialects import c
from ....dialects.c import memory_shape


def axes_of_window(op: c.WindowOp) -> list[WindowAxis]:
    """Returns the axes of a window, in the order after the channels. The padding after an axis follows from its sizes."""
    kernel, stride, dilation, before = (
        [int(k) for k in a.values] for a in (op.kernel, op.stride, op.dilation, op.before)
    )
    sizes = zip(memory_shape(op.x)[1:], memory_shape(op.sums)[1:], strict=True)
    return [WindowAxis(n, m, kernel[k], stride[k], before[k], 0, dilation[k]) for k, (n, m) in enumerate(sizes)]
