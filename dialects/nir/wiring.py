"""Wiring ops: the sum of edges, identity, flatten, reshape and delay."""

from __future__ import annotations

from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Attribute
from xdsl.irdl import (
    AtLeast,
    ParsePropInAttrDict,
    RangeOf,
    base,
    irdl_op_definition,
    prop_def,
    result_def,
    var_operand_def,
)

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import NoptOperation, shape_of
from .node import (
    NodeOp,
    integers,
    refuse_parameter,
    verify_integers,
    verify_kind,
    verify_shape,
    verify_sign,
    verify_signal,
)


@irdl_op_definition
class SumOp(NoptOperation):
    """Elementwise sum of all edges that enter a node. It is not a node of NIR: import creates it, export removes it.

    Shapes: all operands have that of the result. Errors: NIR003 another shape; NIR004 a result that is not values.
    """

    name = "nir.sum"
    xs = var_operand_def(RangeOf(base(TensorType)).of_length(AtLeast(1)))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$xs attr-dict `:` `(` type($xs) `)` `->` type($y)"

    def verify_(self) -> None:
        verify_signal(self, "the result", self.y.type)
        verify_kind(self, "the result", self.y, f32)
        for number, x in enumerate(self.xs):
            verify_signal(self, f"operand {number}", x.type)
            verify_shape(self, f"operand {number}", shape_of(x), shape_of(self.y))


class KeepingOp(NodeOp):
    """A node whose result has the kind of its operand."""

    def result_kind(self, kind: Attribute) -> Attribute:
        return kind


@irdl_op_definition
class IdentityOp(KeepingOp):
    """Identity: `y = x`."""

    name = "nir.identity"


@irdl_op_definition
class FlattenOp(KeepingOp):
    """Reshape that merges the axes from `start_dim` to `end_dim`, both included; negative axes count from the end.

    Shapes: start_dim, end_dim (). Errors: NIR001, NIR002 axes that the operand does not have.
    """

    name = "nir.flatten"
    start_dim = prop_def(ArrayAttr)
    end_dim = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("start_dim", "end_dim")

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        for name, array in self.parameters():
            verify_integers(self, name, array, 1, -len(shape))
        start, end = (integers(dim, 1)[0] for dim in (self.start_dim, self.end_dim))
        start, end = start + len(shape) * (start < 0), end + len(shape) * (end < 0)
        if not 0 <= start <= end < len(shape):
            expected = f"start_dim <= end_dim, both below {len(shape)}, the number of axes of {shape}"
            help = "start_dim 0 and end_dim -1 flatten all axes"
            refuse_parameter(self, "the axes to flatten are out of range", expected, f"{start} to {end}", help)
        return (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :])


@irdl_op_definition
class ReshapeOp(KeepingOp):
    """Reshape: the same elements in the same flat order (C order). Not a node of the `nir` package.

    Shapes: shape [axes], the sizes of the result. Errors: NIR001, NIR002 sizes below 1; NIR003 another number of elements.
    """

    name = "nir.reshape"
    shape = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("shape",)

    def verify_parameters(self) -> None:
        verify_integers(self, "shape", self.shape, max(1, self.shape.values.size), 1)

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        sizes = integers(self.shape, self.shape.values.size)
        if prod(sizes) != prod(shape):
            help = f"sizes with the product {prod(shape)}"
            message = "a reshape keeps the number of elements"
            refuse_parameter(self, message, f"{prod(shape)} elements, as {list(shape)}", f"{list(sizes)}", help)
        return sizes


@irdl_op_definition
class DelayOp(KeepingOp):
    """Delay: `y(t) = x(t - delay)`.

    Shapes: delay () or that of x. Units: delay [s]. Errors: NIR002 a negative delay; NIR003 an operand of another shape.
    """

    name = "nir.delay"
    delay = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("delay",)

    def verify_parameters(self) -> None:
        verify_sign(self, "delay", self.delay, "s")

    def operand_shape(self) -> tuple[int, ...] | None:
        return self.delay.shape or None
