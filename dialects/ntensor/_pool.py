"""Pools: sums and means, from the signals of a tick to values, and the greatest of a window; and upsampling, which repeats elements.
`_linear.py` defines the order of sums.

Errors of all: NTE002 shapes that do not match; NTE003 a result that is not values; NTE006 a stride, kernel or padding out of range.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Counts, Ints
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ...core.windows import Window, WindowAxis, window_axes, window_outputs
from ..nir import windows as nir
from ._synapse_checks import verify_outputs, verify_rank
from ._synapse_interface import NirNode, Pairs, SynapseOpInterface, WindowOp
from .signals import (
    refuse_parameter,
    refuse_result,
    verify_integers,
    verify_real,
    verify_shape,
    verify_signal,
    verify_synapse,
)


class PoolOp(WindowOp):
    """Base of sum and mean. Padding is filled with zeros."""

    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_pool(self)
        verify_synapse(self, self.x, self.y)

    def axes(self) -> tuple[WindowAxis, WindowAxis]:
        """Returns both axes of the window."""
        return pool_axes(self)

    def window(self) -> Window:
        return Window(self.axes(), (shape_of(self.x)[0], shape_of(self.y)[0]), None)

    def count_synapses(self) -> Ints:
        """Counts the kernel, taps in the padding included."""
        return np.full(prod(shape_of(self.y)), int(np.prod(self.kernel.values)), np.int64)

    def target_multiplicity(self) -> int:
        return 2

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        return np.asarray(prod(self.kernel.values.tolist())), np.asarray(0)

    def carry_scale(self, x: AnyArray) -> AnyArray | None:
        return carry_channels(x, shape_of(self.y))

    def nir_node(self) -> NirNode | None:
        kind = nir.SumPool2dOp if self.SUMS is None else nir.AvgPool2dOp
        return kind, {"kernel_size": self.kernel, "stride": self.stride, "padding": self.padding}

    @property
    def kernel_entries(self) -> int | None:
        return 0


@irdl_op_definition
class SumPool2dOp(PoolOp):
    """Sum pool: `y[c, p] = sum over k of x[c, p stride + k - before]`. Shapes: x [c, y, x], padding [[top, bottom], [left, right]]."""

    name = "ntensor.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """Average pool: the sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included.

    Errors: NTE003 a result of integers, since no rounding of their mean is defined.
    """

    SUMS: ClassVar[type[SynapseOpInterface] | None] = SumPool2dOp
    name = "ntensor.avg_pool2d"

    def verify_(self) -> None:
        super().verify_()
        help = "use ntensor.sum_pool2d, and fold the division into the weights after it"
        verify_real(self, self.y, "no rounding is defined for the mean of integers", help)

    def carry_scale(self, x: AnyArray) -> AnyArray | None:
        found = super().carry_scale(x)
        return None if found is None else found / prod(self.kernel.values.tolist())


@irdl_op_definition
class MaxPool2dOp(NoptOperation):
    """Max pool: `y[c, p] = max over k of x[c, p stride + k - before]`, over the elements of the map; padding holds none.

    It is not a synapse, because it is not linear. Signals and values keep their type.

    Shapes: x [c, y, x], padding [[top, bottom], [left, right]]. Errors: NTE003 terms, or another type of the result; NTE006 a padding of
    the size of the kernel, so that a window has no element.
    """

    name = "ntensor.max_pool2d"
    node = prop_def(StringAttr)
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_pool(self)
        element, given = element_type(self.y), element_type(self.x)
        verify_signal(self, "the operand", given)
        if element != given:
            refuse_result(self, "a max pool changes the element type", str(given), element, given)
        for size, (before, after) in zip(self.kernel.values.tolist(), self.padding.values.tolist(), strict=True):
            if max(before, after) >= size:
                message, help = "a window of a max pool has no element", f"set padding to at most {size - 1}"
                refuse_parameter(self, message, f"padding below {size}", str(max(before, after)), help)

    def axes(self) -> tuple[WindowAxis, WindowAxis]:
        """Returns both axes of the window."""
        return pool_axes(self)

    def carry_scale(self, x: AnyArray) -> AnyArray | None:
        """Returns the value of 1 in each result, as for a synapse; None if elements of a channel have several values."""
        return carry_channels(x, shape_of(self.y))


def carry_channels(x: AnyArray, shape: tuple[int, ...]) -> AnyArray | None:
    """Returns the common number of each channel for a result of a shape; None if elements of a channel differ. NaN elements are ignored."""
    if not x.ndim:
        return x
    rows = x.reshape(len(x), -1)
    known = np.fmax.reduce(rows, axis=1)
    is_common = ((rows == known[:, np.newaxis]) | np.isnan(rows)).all()
    return np.broadcast_to(known.reshape(-1, 1, 1), shape) if is_common else None


@irdl_op_definition
class Upsample2dOp(SynapseOpInterface):
    """Nearest upsampling: `y[c, p] = x[c, floor(p / factor)]`. Each element of the result is a sum of one element.

    Shapes: factor [2], x [c, y, x], y [c, fy y, fx x]. Errors: NTE006 a factor below 1.
    """

    name = "ntensor.upsample2d"
    factor = prop_def(ArrayAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_integers(self, "factor", self.factor, (2,), 1)
        x = shape_of(self.x)
        verify_rank(self, "the operand", x, 3, "[channels, y, x]")
        sizes = tuple(n * f for n, f in zip(x[1:], self.factors, strict=True))
        verify_shape(self, "the result", shape_of(self.y), (x[0], *sizes))
        verify_synapse(self, self.x, self.y)

    @property
    def factors(self) -> tuple[int, int]:
        """The factor of each axis."""
        return int(self.factor.values[0]), int(self.factor.values[1])

    def repeat(self, x: AnyArray) -> AnyArray:
        """Returns the elements of maps, repeated. Shapes: x [..., y, x]."""
        return x.repeat(self.factors[0], axis=-2).repeat(self.factors[1], axis=-1)

    def pairs(self) -> Pairs:
        source = self.repeat(np.arange(prod(shape_of(self.x))).reshape(shape_of(self.x))).reshape(-1)
        return source, np.arange(len(source)), np.zeros_like(source)

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        return None

    def count_forwards(self, n: Counts) -> Counts:
        return self.repeat(n.reshape(shape_of(self.x)))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        channels, rows, columns = shape_of(self.x)
        fy, fx = self.factors
        return lambda n: n.reshape(channels, rows, fy, columns, fx).sum(axis=(2, 4))

    def count_synapses(self) -> Ints:
        return np.ones(prod(shape_of(self.y)), np.int64)

    def target_multiplicity(self) -> int:
        return 0 if self.factors == (1, 1) else 1

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        return np.asarray(1), np.asarray(0)

    def carry_scale(self, x: AnyArray) -> AnyArray | None:
        return self.repeat(x) if x.ndim else x

    def nir_node(self) -> NirNode | None:
        return nir.Upsample2dOp, {"factor": self.factor, "mode": StringAttr("nearest")}


def verify_pool(op: PoolOp | MaxPool2dOp) -> None:
    """Refuses a window that is out of range, or another size of the result. Errors: NTE002, NTE006."""
    verify_integers(op, "kernel", op.kernel, (2,), 1)
    verify_integers(op, "stride", op.stride, (2,), 1)
    verify_integers(op, "padding", op.padding, (2, 2), 0)
    x = shape_of(op.x)
    verify_rank(op, "the operand", x, 3, "[channels, y, x]")
    kernel, stride, padding = (array.values.tolist() for array in (op.kernel, op.stride, op.padding))
    verify_outputs(op, window_outputs(x[1:], kernel, stride, padding, (1, 1)), op.y, x[0])


def pool_axes(op: PoolOp | MaxPool2dOp) -> tuple[WindowAxis, WindowAxis]:
    """Returns both axes of the window of a pool."""
    kernel, stride, padding = (array.values.tolist() for array in (op.kernel, op.stride, op.padding))
    return window_axes(shape_of(op.x)[1:], shape_of(op.y)[1:], kernel, stride, padding, (1, 1))
