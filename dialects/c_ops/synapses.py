"""Synapses of a C program: lists of events, and the loop nests that add what events bring.

Every scatter goes through the presynaptic neurons in flat order C, so sums have the order that `ntensor` defines. With `list`
and `count` it goes through events only; without them through all neurons, which gives the same sums, because a zero adds 0 to
a sum that never is -0. `combine`, where it is there, says what a term does to what is there (arguments: the term, the sum, and the
shift of that target if there is one); else the term is added.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr, UnitAttr, i64
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
)

from ...core.arrays import ArrayAttr
from ...core.operation import NoptOperation
from .memory import inconsistent, length_of, memory_shape


@irdl_op_definition
class EventsOp(NoptOperation):
    """Lists where a buffer is not zero: for each plane the positions in it, ascending, and how many.

    Shapes: x any; list [planes, n / planes]; count [planes]. Plane and position are those of the flat index in C order.
    Errors: CPR001 other shapes.
    """

    name = "c.events"
    x = operand_def(base(MemRefType))
    list = operand_def(base(MemRefType))
    count = operand_def(base(MemRefType))
    assembly_format = "$x `->` $list `,` $count attr-dict `:` type($x) `->` type($list) `,` type($count)"

    def __init__(self, x: SSAValue, list: SSAValue, count: SSAValue):
        super().__init__(operands=[x, list, count])

    def verify_(self) -> None:
        shape = memory_shape(self.list)
        if len(shape) != 2 or shape[0] * shape[1] != length_of(self.x) or memory_shape(self.count) != shape[:1]:
            found = f"{shape} and {memory_shape(self.count)}"
            inconsistent(self, "a list of events does not fit its buffer", f"{length_of(self.x)} places", found)


class ScatterOp(NoptOperation):
    """What all scatters share."""

    label = prop_def(StringAttr)
    is_spikes = opt_prop_def(UnitAttr, prop_name="spikes")
    """The operand is 0 or 1, so terms are weights."""
    is_finite = opt_prop_def(UnitAttr, prop_name="finite")
    """No weight is infinite or NaN, so zeros may be added as well as left out."""
    x = operand_def(base(MemRefType))
    table = operand_def(base(MemRefType))
    sums = operand_def(base(MemRefType))
    list = opt_operand_def(base(MemRefType))
    count = opt_operand_def(base(MemRefType))
    shift = opt_operand_def(base(MemRefType))
    combine = opt_region_def("single_block")
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    FORMAT: ClassVar[str] = (
        "$label $x `,` $table `into` $sums (`events` $list^ `,` $count)? (`shift` $shift^)? attr-dict `:`"
        " type($x) `,` type($table) `into` type($sums)"
        " (`events` type($list)^ `,` type($count))? (`shift` type($shift)^)? ($combine^)?"
    )


@irdl_op_definition
class RowsOp(ScatterOp):
    """`sums[l, o] += table[l, i, o] x[l, i]`, i outside, o inside.

    Shapes: x [l, i] or as many, table [l, i, o], sums [l, o] or as many; shift as sums. Errors: CPR001 other sizes.
    """

    name = "c.rows"
    assembly_format = ScatterOp.FORMAT

    def verify_(self) -> None:
        shape = memory_shape(self.table)
        if len(shape) != 3 or (shape[0] * shape[1], shape[0] * shape[2]) != (
            length_of(self.x),
            length_of(self.sums),
        ):
            found = f"{length_of(self.x)} to {length_of(self.sums)}"
            inconsistent(self, "a table does not fit what it connects", f"{shape}: lead, inputs, outputs", found)


@irdl_op_definition
class WindowOp(ScatterOp):
    """`sums[c', p] += weight[c', c, k] x[c, p stride + k dilation - before]`, within each group; the kernel stays implicit.

    An event at padded position `p = stride q + r` reaches the taps k with `k dilation = r` modulo the stride, at the targets
    `q - k dilation / stride`. The table holds for each presynaptic channel, then each pair of rests r, those taps backwards, so that the
    targets ascend; for each tap the weights of all target channels of the group.

    Shapes: x [c, y, x] or [c, x]; sums likewise; table flat, kernel, stride, dilation and before [axes].
    """

    name = "c.window"
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    before = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    assembly_format = ScatterOp.FORMAT

    def verify_(self) -> None:
        x, sums, groups = memory_shape(self.x), memory_shape(self.sums), self.groups.value.data
        kernel = [int(k) for k in self.kernel.values]
        size = x[0] * (sums[0] // groups)
        for k in kernel:
            size *= k
        if len(x) != len(kernel) + 1 or len(sums) != len(x) or length_of(self.table) != size:
            inconsistent(self, "a table does not fit its window", f"{size} weights", str(length_of(self.table)))


@irdl_op_definition
class CompressedOp(ScatterOp):
    """`sums[target[k]] += table[k] x[source of k]`, synapse by synapse: those of source i are `start[i]` to `start[i + 1]`.

    With `ring`, the past of x, synapses stand in groups of one source and delay: those of source i are the groups `group[i]` to
    `group[i + 1]`, group g has the synapses `start[g]` to `start[g + 1]` and reads x `delay[g]` ticks ago. A ring has rows and a cursor;
    one without is the bits of `c.past`.

    Shapes: table [1] for all, [sources] for each source, else [synapses]; start [sources + 1] or [groups + 1]; target [synapses].
    """

    name = "c.compressed"
    start = operand_def(base(MemRefType))
    target = operand_def(base(MemRefType))
    group = opt_operand_def(base(MemRefType))
    delay = opt_operand_def(base(MemRefType))
    ring = opt_operand_def(base(MemRefType))
    cursor = opt_operand_def(base(MemRefType))
    assembly_format = (
        "$label $x `,` $table `by` $start `,` $target `into` $sums (`events` $list^ `,` $count)? (`shift` $shift^)?"
        " (`late` $group^ `,` $delay `,` $ring)? (`at` $cursor^)? attr-dict `:`"
        " type($x) `,` type($table) `by` type($start) `,` type($target) `into` type($sums)"
        " (`events` type($list)^ `,` type($count))? (`shift` type($shift)^)?"
        " (`late` type($group)^ `,` type($delay) `,` type($ring))? (`at` type($cursor)^)? ($combine^)?"
    )

    def verify_(self) -> None:
        if length_of(self.table) not in (1, length_of(self.x), length_of(self.target)):
            found = str(length_of(self.table))
            inconsistent(self, "weights do not fit their synapses", f"1 or {length_of(self.target)}", found)
        groups = self.group is not None and self.delay is not None
        starts = length_of(self.delay) if groups and self.delay is not None else length_of(self.x)
        if length_of(self.start) != starts + 1:
            inconsistent(self, "starts do not fit their sources", str(starts + 1), str(length_of(self.start)))


@irdl_op_definition
class PoolOp(NoptOperation):
    """`y[c, p] = sum over k of x[c, p stride + k - before]`, in the order of k, from zero; positions outside are left out.

    Shapes: x [c, y, x], y [c, y', x']; kernel, stride, before [2].
    """

    name = "c.pool"
    label = prop_def(StringAttr)
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    before = prop_def(ArrayAttr)
    x = operand_def(base(MemRefType))
    y = operand_def(base(MemRefType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$label $x `->` $y attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        x, y = memory_shape(self.x), memory_shape(self.y)
        if len(x) != 3 or len(y) != 3 or x[0] != y[0]:
            inconsistent(self, "a pool keeps channels", "[c, y, x] on both sides", f"{x} and {y}")


__all__ = ["CompressedOp", "EventsOp", "PoolOp", "Region", "RowsOp", "ScatterOp", "WindowOp"]
