"""Max pools, transposed convolutions and upsampling of maps: layers of a network, and the same maps in plain loops.

The loops follow the definitions of PyTorch's layers, element by element and in the order of the presynaptic neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from nets import Net
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import SSAValue

from nopt.core.ir.operation import element_type
from nopt.core.windows import transposed_outputs, window_outputs
from nopt.dialects.ntensor import ConvTranspose2dOp, MaxPool2dOp, Upsample2dOp

POOLS = {
    "2 x 2": ((2, 2), (2, 2), ((0, 0), (0, 0))),
    "3 x 2, padded": ((3, 2), (2, 1), ((1, 2), (0, 1))),
    "overlapping": ((3, 3), (1, 2), ((1, 1), (2, 2))),
    "gaps": ((1, 2), (3, 3), ((0, 0), (0, 0))),
}
TRANSPOSED: dict[str, dict[str, Any]] = {
    "plain": {"weight": (3, 2, 3, 3)},
    "stride 2, output padding": {"weight": (3, 2, 3, 3), "stride": (2, 2), "padding": ((1, 0), (1, 0))},
    "negative padding after": {"weight": (2, 2, 2, 2), "stride": (3, 2), "padding": ((0, -2), (0, -1))},
    "stride beyond the kernel": {"weight": (2, 2, 1, 2), "stride": (3, 4)},
    "dilation": {"weight": (2, 2, 3, 2), "stride": (2, 3), "dilation": (2, 3), "padding": ((2, 1), (0, 3))},
    "groups": {"weight": (6, 1, 3, 3), "groups": 2, "padding": ((1, 1), (1, 1))},
    "depthwise": {"weight": (2, 1, 2, 2), "groups": 2, "stride": (2, 2)},
}
FACTORS = ((1, 1), (2, 2), (3, 1))


def max_pool(net: Net, x: SSAValue, kernel: Any, stride: Any, padding: Any) -> SSAValue:
    channels, *sizes = x.type.get_shape()
    shape = (channels, *window_outputs(sizes, kernel, stride, padding, (1, 1)))
    arrays = {"kernel": np.array(kernel), "stride": np.array(stride), "padding": np.array(padding)}
    return net.add(MaxPool2dOp, [x], shape, element_type(x), node=StringAttr(f"max{len(net.block.ops)}"), **arrays)


def transposed(
    net: Net,
    x: SSAValue,
    weight: np.ndarray,
    bias: np.ndarray | None = None,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[Sequence[int]] = ((0, 0), (0, 0)),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    **properties: Any,
) -> SSAValue:
    sizes = transposed_outputs(x.type.get_shape()[1:], weight.shape[2:], stride, padding, dilation)
    return net.add(
        ConvTranspose2dOp,
        [x],
        (len(weight), *sizes),
        node=StringAttr(f"deconv{len(net.block.ops)}"),
        weight=weight,
        bias=bias,
        stride=np.array(stride),
        padding=np.array(padding),
        dilation=np.array(dilation),
        groups=IntegerAttr(groups, i64),
        **properties,
    )


def upsampled(net: Net, x: SSAValue, factor: Sequence[int]) -> SSAValue:
    channels, *sizes = x.type.get_shape()
    shape = (channels, *(n * f for n, f in zip(sizes, factor, strict=True)))
    return net.add(Upsample2dOp, [x], shape, node=StringAttr(f"up{len(net.block.ops)}"), factor=np.array(factor))


def max_pool_loop(x: np.ndarray, kernel: Any, stride: Any, padding: Any) -> np.ndarray:
    """Returns the greatest element inside of each window."""
    sizes = window_outputs(x.shape[1:], kernel, stride, padding, (1, 1))
    y = np.zeros((len(x), *sizes), x.dtype)
    for c, *place in np.ndindex(y.shape):
        starts = [p * s - before for p, s, (before, _) in zip(place, stride, padding, strict=True)]
        rows, columns = (slice(max(0, start), start + k) for start, k in zip(starts, kernel, strict=True))
        y[(c, *place)] = x[c, rows, columns].max()
    return y


def transposed_loop(
    x: np.ndarray, weight: np.ndarray, stride: Any, padding: Any, dilation: Any, groups: int
) -> np.ndarray:
    """Adds the kernel of each presynaptic neuron (c, y, x) to the map, in flat order."""
    outputs, inside, *kernel = weight.shape
    sizes = [
        (n - 1) * s + d * (k - 1) + 1 - a - b
        for n, k, s, (a, b), d in zip(x.shape[1:], kernel, stride, padding, dilation, strict=True)
    ]
    y = np.zeros((outputs, *sizes), weight.dtype)
    own = outputs // groups
    for c, *place in np.ndindex(x.shape):
        value = x[(c, *place)]
        if value == 0:
            continue
        for taps in np.ndindex(*kernel):
            at = [p * s + k * d - a for p, s, k, d, (a, _) in zip(place, stride, taps, dilation, padding, strict=True)]
            if all(0 <= n < size for n, size in zip(at, sizes, strict=True)):
                group = slice(c // inside * own, (c // inside + 1) * own)
                y[(group, *at)] += weight[(group, c % inside, *taps)] * weight.dtype.type(value)
    return y


def upsample_loop(x: np.ndarray, factor: Sequence[int]) -> np.ndarray:
    """Returns the element of which each position is a copy."""
    y = np.zeros((len(x), *(n * f for n, f in zip(x.shape[1:], factor, strict=True))), x.dtype)
    for c, row, column in np.ndindex(y.shape):
        y[c, row, column] = x[c, row // factor[0], column // factor[1]]
    return y
