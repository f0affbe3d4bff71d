"""Values of an ONNX graph while its network is built: constants, reals, stored integers, and reals that are sums of scaled integers.

A quantised real is `scale n`. `n = q - zero_point` is the stored integer without its zero point, so that zero is 0 and padding adds nothing. Ops
after DequantizeLinear change scales and bounds alone, until QuantizeLinear or an op of reals needs the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.ir import SSAValue

from ...core.arrays.numeric import AnyArray, Ints, Reals

Sizes = tuple[int, ...]


@frozen(eq=False)
class Constant:
    """An array of the file, or the result of QuantizeLinear or DequantizeLinear of one."""

    values: AnyArray
    steps: Ints | None = None
    """Integers without their zero point, if the values are these integers times a scale."""
    scale: Reals | None = None
    """Scale of the integers, as an array that broadcasts to them."""

    @property
    def is_scaled(self) -> bool:
        return self.steps is not None


@frozen(eq=False)
class ShapeEntries:
    """Sizes of a value, which nodes such as Shape and Gather choose; None is the number of samples."""

    sizes: tuple[int | None, ...]
    is_single: bool = False
    """Whether it is one size without an axis."""


@frozen(eq=False)
class WindowSizes:
    """Window of a convolution or pool. Shapes: padding [axes, 2], others [axes]."""

    kernel: Sequence[int]
    stride: Sequence[int]
    padding: Sequence[tuple[int, int]]
    dilation: Sequence[int]
    groups: int = 1

    @property
    def is_padded(self) -> bool:
        return any(size for pair in self.padding for size in pair)


@frozen(eq=False)
class LinearParts:
    """A linear map or a convolution of reals that is not built yet, so that later biases and scales of channels can be folded into it."""

    node: str
    x: Real
    weight: AnyArray
    """Shapes: [outputs, inputs], or [outputs, inputs / groups, *kernel] of a convolution."""
    bias: AnyArray | None
    window: WindowSizes | None

    def scaled(self, gain: Reals, offset: Reals, node: str) -> LinearParts:
        """Returns the parts of `gain y + offset`. Shapes: gain and offset [outputs]."""
        kind, lines = self.weight.dtype, (-1, *[1] * (self.weight.ndim - 1))
        bias = np.zeros(len(self.weight)) if self.bias is None else self.bias.astype(np.float64)
        weight = (self.weight.astype(np.float64) * gain.reshape(lines)).astype(kind)
        return evolve(self, weight=weight, bias=(bias * gain + offset).astype(kind), node=node)


@define(eq=False)
class Real:
    """A real value of the network: the handle of its builder, or the parts of an op that is not built yet."""

    shape: Sizes
    handle: Any = None
    parts: LinearParts | None = None
    is_rectified: bool = False
    """Whether no element is negative, because the value is rectified, or a pool of rectified values."""


@frozen(eq=False)
class Term:
    """A summand: integers times a scale. Shapes: scale broadcasts to the value."""

    value: SSAValue
    scale: Reals
    low: int
    high: int


@frozen(eq=False)
class Scaled:
    """The real `clip(sum of scale n + offset, low, high)`. Shapes: offset broadcasts to the shape."""

    shape: Sizes
    terms: tuple[Term, ...]
    offset: Reals = field(factory=lambda: np.asarray(0.0))
    low: float = -np.inf
    high: float = np.inf

    @property
    def is_clipped(self) -> bool:
        return self.low > -np.inf or self.high < np.inf

    @property
    def has_one_scale(self) -> bool:
        """Whether the value is integers times one scale, within bounds."""
        return len(self.terms) == 1 and self.terms[0].scale.size == 1 and not self.offset.any()

    @property
    def is_plain(self) -> bool:
        """Whether the value is integers times one scale."""
        return self.has_one_scale and not self.is_clipped


@frozen(eq=False)
class Stored:
    """Integers as QuantizeLinear returns them; `value` is without the zero point."""

    shape: Sizes
    value: SSAValue
    zero: int
    low: int
    high: int


GraphValue = Constant | ShapeEntries | Real | Scaled | Stored


def by_channel(values: AnyArray, rank: int) -> AnyArray:
    """Returns an array of channels in a form that broadcasts to a value with `rank` axes."""
    return values.reshape(-1, *[1] * (rank - 1))
