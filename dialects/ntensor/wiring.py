"""Wiring ops: the sum of edges, reshape, and the delay that every loop needs."""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AtLeast,
    ParsePropInAttrDict,
    RangeOf,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ._synapse_interface import SynapseOpInterface
from .signals import (
    refuse_result,
    refuse_shape,
    verify_integers,
    verify_passed,
    verify_shape,
    verify_signal,
    verify_synapse,
)


@irdl_op_definition
class ReshapeOp(NoptOperation):
    """Reshape: the same elements in the same flat order (C order).

    Errors: NTE002 another number of elements; NTE003 another element type.
    """

    name = "ntensor.reshape"
    node = prop_def(StringAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        if prod(shape_of(self.x)) != prod(shape_of(self.y)):
            message = "a reshape changes the number of elements"
            help = f"declare a result of {prod(shape_of(self.x))} elements"
            refuse_shape(self, message, str(prod(shape_of(self.x))), str(prod(shape_of(self.y))), help)
        element, given = element_type(self.y), element_type(self.x)
        if verify_passed(self, self.x, self.y):
            return
        verify_signal(self, "the operand", given)
        if element != given:
            refuse_result(self, "a reshape changes the element type", str(given), element, given)


@irdl_op_definition
class SumOp(NoptOperation):
    """Adds what arrives at a node, from left to right, element by element. The sum of spikes is a value.

    Terms are not added: those of the left operand come before those of the right one.

    The conversion orders operands by structure, never by name, so that renaming nodes does not change a bit of the result.

    Shapes: all operands have that of the result. Errors: NTE002 another shape; NTE003 a result that is not values, or an operand
    that would change.
    """

    name = "ntensor.sum"
    xs = var_operand_def(RangeOf(base(TensorType)).of_length(AtLeast(1)))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$xs attr-dict `:` `(` type($xs) `)` `->` type($y)"

    def verify_(self) -> None:
        for x in self.xs:
            verify_shape(self, "an operand", shape_of(x), shape_of(self.y))
            if not verify_passed(self, x, self.y):
                verify_synapse(self, x, self.y)


@irdl_op_definition
class DelayOp(NoptOperation):
    """Delay: `y(t) = x(t - ticks)`; zero (no spike) before the first tick. One tick means "in the next tick", zero ticks mean `y = x`.

    `part_of` is the name of the node that this delay belongs to: in records and reports, the output of that node is the output of the
    delay.

    Shapes: ticks () or that of x. Units: ticks [ticks], 0 or more.
    Errors: NTE002 ticks of another shape; NTE003 an operand that is not a signal; NTE006 a delay that is negative or not an integer.
    """

    T: ClassVar = VarConstraint("T", base(TensorType))

    name = "ntensor.delay"
    node = prop_def(StringAttr)
    ticks = prop_def(ArrayAttr)
    part_of = opt_prop_def(StringAttr)
    x = operand_def(T)
    y = result_def(T)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x)"

    def __init__(self, node: str, x: SSAValue, ticks: ArrayLike):
        properties = {"node": StringAttr(node), "ticks": ArrayAttr.of(np.asarray(ticks, np.int64))}
        super().__init__(operands=[x], result_types=[x.type], properties=properties)

    def verify_(self) -> None:
        verify_signal(self, "the operand", element_type(self.x))
        verify_shape(self, "ticks", self.ticks.shape, (), shape_of(self.x))
        verify_integers(self, "ticks", self.ticks, self.ticks.shape, 0)


def delay_property(op: Operation) -> tuple[str, ArrayAttr] | None:
    """Returns the name of the property with the delays of an op, and these delays [ticks]; None if it has none."""
    if isinstance(op, DelayOp):
        return "ticks", op.ticks
    if isinstance(op, SynapseOpInterface) and op.DELAYS is not None and op.delays is not None:
        return op.DELAYS, op.delays
    return None


def breaks_loops(op: Operation) -> bool:
    """Returns whether `op` makes a cycle legal, because it delays every element by at least one tick."""
    if not isinstance(op, DelayOp):
        return False
    ticks = op.properties.get("ticks")
    if not isinstance(ticks, ArrayAttr):  # the delay is refused after the network around it was verified
        return True
    return not ticks.data.size or bool(ticks.data.least(enough=1) >= 1)


def owned_delays(op: Operation) -> list[DelayOp]:
    """Returns the delays that are part of `op`. The output of such a delay is the output of `op`. A verified node has at most one."""
    users = [use.operation for result in op.results for use in result.uses]
    return [user for user in users if isinstance(user, DelayOp) and user.part_of is not None]
