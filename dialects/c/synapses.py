"""Synapses of a C program: lists of events, and the loop nests that add the terms of events.

Every scatter visits the presynaptic neurons in flat C order, so sums have the order that `ntensor` defines. With `list` and `count` it
visits only the events. Without them it visits all neurons; the sums are the same, because a zero adds 0 to a sum that is never -0.
The region `combine` computes the new sum from its arguments: the term, the sum, and the shift of that target if there is one. Without
the region the term is added.

With `scale`, the table holds integers, and a weight is the product of an integer, minus its `zero` point if there is one, and the scale, rounded
once to the type of the sums.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr, UnitAttr, i64
from xdsl.ir import Operation, SSAValue
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

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import NoptOperation
from ...core.windows import WindowAxis
from .memory import element_bytes, element_of_memory, inconsistent, is_real, length_of, memory_shape


@irdl_op_definition
class EventsOp(NoptOperation):
    """List of the nonzero elements of a buffer: for each plane their number and their positions, ascending.

    Shapes: x any; list [planes, n / planes]; count [planes]. Plane and position are those of the flat index in C order.
    Errors: CSR013 other shapes.
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
            inconsistent(self, "a list of events does not match its buffer", f"{length_of(self.x)} places", found)


class ScatterOp(NoptOperation):
    """Base of all scatters."""

    label = prop_def(StringAttr)
    is_spikes = opt_prop_def(UnitAttr, prop_name="spikes")
    """The operand is 0 or 1, so terms are weights."""
    is_finite = opt_prop_def(UnitAttr, prop_name="finite")
    """No weight is infinite or NaN, so it makes no difference whether zeros are added or skipped."""
    is_split = opt_prop_def(UnitAttr, prop_name="split")
    """Each thread computes a part of the elements that it writes."""
    x = operand_def(base(MemRefType))
    table = operand_def(base(MemRefType))
    sums = operand_def(base(MemRefType))
    list = opt_operand_def(base(MemRefType))
    count = opt_operand_def(base(MemRefType))
    shift = opt_operand_def(base(MemRefType))
    scale = opt_operand_def(base(MemRefType))
    zero = opt_operand_def(base(MemRefType))
    combine = opt_region_def("single_block")
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    FORMAT: ClassVar[str] = (
        "$label $x `,` $table `into` $sums (`events` $list^ `,` $count)? (`shift` $shift^)? (`scale` $scale^)? (`zero` $zero^)? attr-dict `:`"
        " type($x) `,` type($table) `into` type($sums)"
        " (`events` type($list)^ `,` type($count))? (`shift` type($shift)^)? (`scale` type($scale)^)? (`zero` type($zero)^)?"
        " ($combine^)?"
    )

    def verify_scale(self, targets: int) -> None:
        """Refuses a scale that is not a real for all targets or for each, a table of reals with a scale, and another zero point. Errors: CSR013."""
        if self.scale is None:
            if self.zero is not None:
                inconsistent(self, "a zero point has no scale", "a scale", "none")
            return
        if self.zero is not None and (
            is_real(element_of_memory(self.zero)) or length_of(self.zero) not in (1, targets)
        ):
            expected = f"1 or {targets} integers"
            inconsistent(self, "a zero point does not match its targets", expected, str(self.zero.type))
        types = [element_of_memory(memory) for memory in (self.scale, self.table, self.sums)]
        if not is_real(types[0]) or is_real(types[1]) or types[0] != types[2]:
            found = ", ".join(map(str, types))
            inconsistent(self, "a scale has no integers to multiply", "a scale, integers and sums of reals", found)
        if length_of(self.scale) not in (1, targets):
            found = str(length_of(self.scale))
            inconsistent(self, "a scale does not match its targets", f"1 or {targets} reals", found)


def other_reader(memory: SSAValue) -> Operation | None:
    """Returns an op that reads memory other than as the table of a scatter; None without such an op."""
    for use in memory.uses:
        op = use.operation
        is_table = isinstance(op, ScatterOp) and op.table is memory and sum(x is memory for x in op.operands) == 1
        if not is_table:
            return op
    return None


@irdl_op_definition
class RowsOp(ScatterOp):
    """Dense scatter, i in the outer loop, o in the inner: `sums[l, o] += table[l, i, o] x[l, i]`.

    Shapes: table [l, i, o]; x [l, i] or any shape of that size; sums [l, o] or any shape of that size; shift as sums; scale [1] or [l o].
    Errors: CSR013 other sizes.
    """

    name = "c.rows"
    assembly_format = ScatterOp.FORMAT

    def verify_(self) -> None:
        shape = memory_shape(self.table)
        if len(shape) != 3 or (shape[0] * shape[1], shape[0] * shape[2]) != (length_of(self.x), length_of(self.sums)):
            found = f"{length_of(self.x)} to {length_of(self.sums)}"
            inconsistent(
                self, "a table does not match its inputs and outputs", f"{shape}: lead, inputs, outputs", found
            )
        self.verify_scale(length_of(self.sums))


@irdl_op_definition
class WindowOp(ScatterOp):
    """Convolutional scatter within each group: `sums[c', p] += weight[c', c, k] x[c, p stride + k dilation - before]`.

    The kernel is implicit: an event at padded position `p = stride q + r` reaches the taps k with `k dilation = r` modulo the stride, at
    the targets `q - k dilation / stride`. The table lists these taps for each presynaptic channel, then each pair of remainders r, in
    reverse, so that the targets ascend. For each tap it holds the weights of all target channels of the group.

    Shapes: x [c, y, x] or [c, x]; sums likewise; table flat, kernel, stride, dilation and before [axes]; scale [1] or [c'].
    """

    name = "c.window"
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    before = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    assembly_format = ScatterOp.FORMAT

    @property
    def axes(self) -> list[WindowAxis]:
        """Returns the axes of the window, in the order after the channels. The padding after an axis follows from its sizes."""
        kernel, stride, dilation, before = (
            [int(k) for k in a.values] for a in (self.kernel, self.stride, self.dilation, self.before)
        )
        sizes = zip(memory_shape(self.x)[1:], memory_shape(self.sums)[1:], strict=True)
        return [WindowAxis(n, m, kernel[k], stride[k], before[k], 0, dilation[k]) for k, (n, m) in enumerate(sizes)]

    def verify_(self) -> None:
        x, sums, groups = memory_shape(self.x), memory_shape(self.sums), self.groups.value.data
        kernel = [int(k) for k in self.kernel.values]
        size = x[0] * (sums[0] // groups) * prod(kernel)
        if len(x) != len(kernel) + 1 or len(sums) != len(x) or length_of(self.table) != size:
            inconsistent(self, "a table does not match its window", f"{size} weights", str(length_of(self.table)))
        self.verify_scale(sums[0])


@irdl_op_definition
class CompressedOp(ScatterOp):
    """Sparse scatter: `sums[target[k]] += table[k] x[source of k]`. Source i has the synapses `start[i]` to `start[i + 1]`.

    `ring` holds the past of x. With it, synapses form groups of one source and one delay. Source i has the groups `group[i]` to
    `group[i + 1]`. Group g has the synapses `start[g]` to `start[g + 1]` and reads x `delay[g]` ticks ago. A ring with a cursor has rows;
    a ring without a cursor is the bits of `c.past`.

    With `row`, source i belongs to the row of targets from `i / inputs * row` to the next, where all sources share the rows evenly. Targets of a
    source ascend, and the missing ones have the weight 0: an infinite or NaN element adds 0 times itself to them.

    Shapes: table [1] for all, [sources] for each source, else [synapses]; start [sources + 1] or [groups + 1]; target [synapses];
    scale [1] or that of sums, flat.
    """

    name = "c.compressed"
    row = opt_prop_def(IntegerAttr.constr(i64))
    is_cut = opt_prop_def(UnitAttr, prop_name="cut")
    """The program stores the boundaries between the synapses of threads for each source or group; otherwise each thread skips those of others."""
    start = operand_def(base(MemRefType))
    target = operand_def(base(MemRefType))
    group = opt_operand_def(base(MemRefType))
    delay = opt_operand_def(base(MemRefType))
    ring = opt_operand_def(base(MemRefType))
    cursor = opt_operand_def(base(MemRefType))
    assembly_format = (
        "$label $x `,` $table `by` $start `,` $target `into` $sums (`events` $list^ `,` $count)? (`shift` $shift^)?"
        " (`scale` $scale^)? (`zero` $zero^)?"
        " (`late` $group^ `,` $delay `,` $ring)? (`at` $cursor^)? attr-dict `:`"
        " type($x) `,` type($table) `by` type($start) `,` type($target) `into` type($sums)"
        " (`events` type($list)^ `,` type($count))? (`shift` type($shift)^)? (`scale` type($scale)^)?"
        " (`zero` type($zero)^)? (`late` type($group)^ `,` type($delay) `,` type($ring))? (`at` type($cursor)^)? ($combine^)?"
    )

    def verify_(self) -> None:
        if length_of(self.table) not in (1, length_of(self.x), length_of(self.target)):
            found = str(length_of(self.table))
            inconsistent(self, "weights do not match their synapses", f"1 or {length_of(self.target)}", found)
        groups = self.group is not None and self.delay is not None
        starts = length_of(self.delay) if groups and self.delay is not None else length_of(self.x)
        if length_of(self.start) != starts + 1:
            inconsistent(self, "starts do not match their sources", str(starts + 1), str(length_of(self.start)))
        if self.row is not None:
            row, targets = self.row.value.data, length_of(self.sums)
            is_even = row > 0 and targets % row == 0 and length_of(self.x) % (targets // row) == 0
            if not is_even or self.ring is not None or self.combine is not None:
                found = f"{row}, of {targets} targets"
                inconsistent(self, "a row of missing weights does not match", "equal parts of the targets", found)
        self.verify_scale(length_of(self.sums))


WORD_BITS = 32
"""Bits of a word of a bitmap."""


@irdl_op_definition
class BitmapOp(ScatterOp):
    """Sparse scatter of equal weights: `sums[t] += table[r] x[i]` for each row r of source i, and each target t whose bit in row r is 1.

    Source i has the rows `start[i]` to `start[i + 1]`. Bit `t % 32` of word `t / 32` of a row belongs to target t, and bits beyond the last target are 0.
    A target has a bit in at most one row of a source, so the order of its terms is that of sources.

    Shapes: table [1] for all, else [rows]; start [sources + 1]; bits [rows, words] of 32 bits, with words for all targets.
    """

    name = "c.bitmap"
    start = operand_def(base(MemRefType))
    bits = operand_def(base(MemRefType))
    assembly_format = (
        "$label $x `,` $table `by` $start `,` $bits `into` $sums (`events` $list^ `,` $count)? (`shift` $shift^)?"
        " (`scale` $scale^)? (`zero` $zero^)? attr-dict `:`"
        " type($x) `,` type($table) `by` type($start) `,` type($bits) `into` type($sums)"
        " (`events` type($list)^ `,` type($count))? (`shift` type($shift)^)? (`scale` type($scale)^)?"
        " (`zero` type($zero)^)? ($combine^)?"
    )

    def verify_(self) -> None:
        shape, targets = memory_shape(self.bits), length_of(self.sums)
        words = -(-targets // WORD_BITS)
        if len(shape) != 2 or shape[1] != words or element_bytes(element_of_memory(self.bits)) * 8 != WORD_BITS:
            found = str(self.bits.type)
            inconsistent(
                self, "a bitmap does not match its targets", f"rows of {words} words of {WORD_BITS} bits", found
            )
        if length_of(self.table) not in (1, shape[0]):
            found = str(length_of(self.table))
            inconsistent(self, "weights do not match the rows of a bitmap", f"1 or {shape[0]}", found)
        if length_of(self.start) != length_of(self.x) + 1:
            found = str(length_of(self.start))
            inconsistent(self, "starts do not match their sources", str(length_of(self.x) + 1), found)
        if self.combine is not None or self.shift is not None or self.scale is not None or self.zero is not None:
            inconsistent(self, "a bitmap only adds weights", "no shift, scale, zero point or region", "one of them")


@irdl_op_definition
class PoolOp(NoptOperation):
    """Sum pool: `y[c, p] = sum over k of x[c, p stride + k - before]`, in the order of k, from zero; positions outside are skipped.

    With `greatest` it is a max pool: the greatest element of the positions inside, in the type of x. Shapes: x [c, y, x], y [c, y', x'];
    kernel, stride, before [2].
    """

    name = "c.pool"
    label = prop_def(StringAttr)
    is_greatest = opt_prop_def(UnitAttr, prop_name="greatest")
    is_split = opt_prop_def(UnitAttr, prop_name="split")
    """Each thread computes a part of the elements that it writes."""
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
            inconsistent(self, "a pool changes the number of channels", "[c, y, x] on both sides", f"{x} and {y}")
        if self.is_greatest is not None and element_of_memory(self.x) != element_of_memory(self.y):
            found = f"{element_of_memory(self.x)} and {element_of_memory(self.y)}"
            inconsistent(self, "a max pool changes the type", "the same type on both sides", found)
