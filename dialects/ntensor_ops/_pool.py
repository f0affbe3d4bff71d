"""Pools, from the signals of a tick to values. `linear.py` defines the order of sums.

Errors of all: NTE002 shapes that do not match; NTE003 a result that is not values; NTE006 a stride, kernel or padding out of range.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.ir.operation import shape_of
from ...core.windows import Window, WindowAxis, window_axes, window_outputs
from ..nir_ops import synapses as nir
from ._synapse_checks import verify_outputs, verify_rank
from ._synapse_interface import NirNode, SynapseOpInterface, WindowOp
from .signals import verify_integers, verify_real, verify_synapse


class PoolOp(WindowOp):
    """Base of both pools. Padding is filled with zeros."""

    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_integers(self, "kernel", self.kernel, (2,), 1)
        verify_integers(self, "stride", self.stride, (2,), 1)
        verify_integers(self, "padding", self.padding, (2, 2), 0)
        x = shape_of(self.x)
        verify_rank(self, "the operand", x, 3, "[channels, y, x]")
        kernel, stride, padding = (array.values.tolist() for array in (self.kernel, self.stride, self.padding))
        verify_outputs(self, window_outputs(x[1:], kernel, stride, padding, (1, 1)), self.y, x[0])
        verify_synapse(self, self.x, self.y)

    def axes(self) -> tuple[WindowAxis, WindowAxis]:
        """Returns both axes of the window."""
        kernel, stride, padding = (array.values.tolist() for array in (self.kernel, self.stride, self.padding))
        return window_axes(shape_of(self.x)[1:], shape_of(self.y)[1:], kernel, stride, padding, (1, 1))

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
        if not x.ndim:
            return x
        rows = x.reshape(len(x), -1)
        known = np.fmax.reduce(rows, axis=1)
        is_common = ((rows == known[:, np.newaxis]) | np.isnan(rows)).all()
        return self.spread_outputs(known) if is_common else None

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
